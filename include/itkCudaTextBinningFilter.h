// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaTextBinningFilter_h
#define itkCudaTextBinningFilter_h

#include "itkCudaAcceleratedImageSink.h"
#include "itkTextBinningFilter.h"
#include <cstdint>
#include <vector>

namespace itk
{
/** \class CudaTextBinningFilter
 * \brief Adds weights of all pixels to bins by functions that are given as texts, on a CUDA device.
 *
 * NVRTC compiles the texts. TextBinningFilter says what they may be, and computes where there is no device, or no
 * NVRTC.
 *
 * \code
 * auto filter = itk::CudaTextBinningFilter<ImageType>::New();
 * filter->SetInput(image);
 * filter->SetText("x < low ? -1 : min((x - low) / width, 99)");
 * filter->SetRealParameter("low", -1000.0);
 * filter->SetRealParameter("width", 20.0);
 * filter->SetNumberOfBins(100);
 * filter->Update();
 * filter->GetSums();
 * \endcode
 *
 * \sa TextBinningFilter, CudaImageBinningFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage>
class ITK_TEMPLATE_EXPORT CudaTextBinningFilter : public CudaAcceleratedImageSink<TextBinningFilter<TInputImage>>
{
public:
  itkCudaFilterMacro(CudaTextBinningFilter, CudaAcceleratedImageSink<TextBinningFilter<TInputImage>>);

protected:
  CudaTextBinningFilter() = default;
  ~CudaTextBinningFilter() override = default;

  bool
  SupportsPixelTypes() const override
  {
    return CudaFilters::GetScalarType<typename TInputImage::PixelType>() != CudaFilters::ScalarType::Other;
  }

  CudaFilters::OperationPointer
  MakeOperation(const CudaFilters::Region3 & region) override
  {
    m_PieceSums.assign(this->GetNumberOfBins(), 0);
    return CudaFilters::MakeTextBinningOperation(this->MakeTextFunction(), region, m_PieceSums);
  }

  void
  ReduceOnHost(const typename TInputImage::RegionType & region) override
  {
    // AddPixels() adds to the result itself: TakeResult() must add zeros.
    m_PieceSums.assign(m_PieceSums.size(), 0);
    this->AddPixels(region);
  }

  void
  TakeResult(bool) override
  {
    auto & sums = this->GetModifiableSums();
    for (std::size_t i = 0; i < m_PieceSums.size(); ++i)
    {
      sums[i] += m_PieceSums[i];
    }
  }

private:
  std::vector<std::int64_t> m_PieceSums; // of the last operation
};
} // namespace itk

#endif
