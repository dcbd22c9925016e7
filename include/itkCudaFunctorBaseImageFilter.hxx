// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFunctorBaseImageFilter_hxx
#define itkCudaFunctorBaseImageFilter_hxx

#include "CudaFilters/detail/HostPosition.h"
#include "itkCudaFunctorBaseImageFilter.h"
#include "itkImageRegionConstIterator.h"
#include "itkImageRegionIteratorWithIndex.h"
#include "itkMultiThreaderBase.h"
#include "itkTotalProgressReporter.h"
#include <optional>
#include <tuple>

namespace itk
{
namespace CudaFilters
{
/** Walks through an input on the CPU, or repeats a constant. */
template <typename TImage>
class HostPixelReader
{
public:
  HostPixelReader(const ProcessObject & filter, std::size_t input, const typename TImage::RegionType & region)
    : m_Constant(ToFunctorPixel(GetPixelSource<typename TImage::PixelType>(filter, input).Constant))
  {
    if (const auto * const image = dynamic_cast<const TImage *>(GetIndexedInput(filter, input)))
    {
      m_Iterator.emplace(image, region);
    }
  }

  FunctorPixel<typename TImage::PixelType>
  Next()
  {
    if (!m_Iterator)
    {
      return m_Constant;
    }
    const auto pixel = ToFunctorPixel(m_Iterator->Get());
    ++*m_Iterator;
    return pixel;
  }

private:
  FunctorPixel<typename TImage::PixelType>        m_Constant;
  std::optional<ImageRegionConstIterator<TImage>> m_Iterator;
};
} // namespace CudaFilters

template <typename TParent, typename TFunctor, typename... TInputImages>
void
CudaFunctorBaseImageFilter<TParent, TFunctor, TInputImages...>::GenerateDataOnCPU()
{
  if constexpr (TakesPosition)
  {
    this->AllocateOutputs();
    this->GetMultiThreader()->SetNumberOfWorkUnits(this->GetNumberOfWorkUnits());
    this->GetMultiThreader()->template ParallelizeImageRegion<OutputImageType::ImageDimension>(
      this->GetOutput()->GetRequestedRegion(),
      [this](const OutputRegionType & region) {
        this->GenerateRegion(region, std::index_sequence_for<TInputImages...>());
      },
      nullptr);
  }
  else
  {
    Superclass::GenerateDataOnCPU();
  }
}

template <typename TParent, typename TFunctor, typename... TInputImages>
template <std::size_t... VInputs>
void
CudaFunctorBaseImageFilter<TParent, TFunctor, TInputImages...>::GenerateRegion(const OutputRegionType & region,
                                                                               std::index_sequence<VInputs...>)
{
  if constexpr (TakesPosition)
  {
    auto * const          output = static_cast<OutputImageType *>(this->ProcessObject::GetOutput(0));
    TotalProgressReporter progress(this, output->GetRequestedRegion().GetNumberOfPixels());
    std::tuple<CudaFilters::HostPixelReader<TInputImages>...> readers{ CudaFilters::HostPixelReader<TInputImages>(
      *this, VInputs, region)... };
    for (ImageRegionIteratorWithIndex<OutputImageType> it(output, region); !it.IsAtEnd(); ++it)
    {
      const CudaFilters::PixelPosition position =
        CudaFilters::GetHostPosition(it.GetIndex(), output->GetLargestPossibleRegion());
      it.Set(CudaFilters::ToItkPixel<typename OutputImageType::PixelType>(
        std::as_const(*this).GetFunctor()(std::get<VInputs>(readers).Next()..., position)));
      progress.CompletedPixel();
    }
  }
}
} // namespace itk

#endif
