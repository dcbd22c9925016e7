// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkImageBinningFilter_hxx
#define itkImageBinningFilter_hxx

#include "CudaFilters/ImageList.h"
#include "CudaFilters/detail/HostFunctor.h"
#include "CudaFilters/detail/HostPosition.h"
#include "itkImageBinningFilter.h"
#include "itkImageRegionConstIteratorWithIndex.h"
#include "itkMultiThreaderBase.h"
#include <atomic>
#include <mutex>

namespace itk
{
template <typename TInputImage, typename TBinner>
void
ImageBinningFilter<TInputImage, TBinner>::AddPixels(const InputImageRegionType & region)
{
  using PixelType = CudaFilters::FunctorPixel<typename TInputImage::PixelType>;
  constexpr unsigned int dimension = TInputImage::ImageDimension;
  static_assert(!CudaFilters::TakesPosition<TBinner, PixelType> || dimension <= 3, "Positions have three coordinates.");

  const TInputImage * const input = this->GetInput();
  const auto                number = static_cast<std::int64_t>(m_NumberOfBins);
  std::atomic<std::int64_t> badBin{ 0 }; // a bad bin is never 0
  std::mutex                mutex;
  SumsType &                allSums = this->GetModifiableSums();
  const auto                addPart = [&](const InputImageRegionType & part) {
    SumsType sums(m_NumberOfBins);
    for (ImageRegionConstIteratorWithIndex<TInputImage> it(input, part); !it.IsAtEnd(); ++it)
    {
      const CudaFilters::PixelBin bin =
        CudaFilters::ToPixelBin(CudaFilters::CallBinner(m_Binner, CudaFilters::ToFunctorPixel(it.Get()), [&] {
          return CudaFilters::GetHostPosition(it.GetIndex(), input->GetLargestPossibleRegion());
        }));
      if (bin.Bin >= 0 && bin.Bin < number)
      {
        sums[bin.Bin] += bin.Weight;
      }
      else if (bin.Bin != CudaFilters::NoBin)
      {
        badBin = bin.Bin;
      }
    }
    const std::lock_guard<std::mutex> lock(mutex);
    for (std::int64_t i = 0; i < number; ++i)
    {
      allSums[i] += sums[i];
    }
  };
  this->GetMultiThreader()->template ParallelizeImageRegion<dimension>(region, addPart, nullptr);
  if (badBin != 0)
  {
    CudaFilters::ThrowBadBin(badBin, number);
  }
}
} // namespace itk

#endif
