// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaTextBinningFilter_h
#define itkCudaTextBinningFilter_h

#include "itkCudaBinningBaseFilter.h"
#include "itkTextBinningFilter.h"

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
class ITK_TEMPLATE_EXPORT CudaTextBinningFilter : public CudaBinningBaseFilter<TextBinningFilter<TInputImage>>
{
public:
  itkCudaFilterMacro(CudaTextBinningFilter, CudaBinningBaseFilter<TextBinningFilter<TInputImage>>);

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
    return CudaFilters::MakeTextBinningOperation(this->MakeTextFunction(), region, this->ClearPieceSums());
  }
};
} // namespace itk

#endif
