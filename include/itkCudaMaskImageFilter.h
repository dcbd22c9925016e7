// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaMaskImageFilter_h
#define itkCudaMaskImageFilter_h

#include "itkMaskImageFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"

namespace itk
{
/** \class CudaMaskImageFilter
 * \brief Sets pixels outside a mask to another value on a CUDA device.
 *
 * Parameters and results are those of MaskImageFilter, pixel by pixel.
 *
 * \sa MaskImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TMaskImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaMaskImageFilter
  : public CudaPixelFunctionImageFilter<MaskImageFilter<TInputImage, TMaskImage, TOutputImage>, TInputImage, TMaskImage>
{
public:
  itkCudaFilterMacro(
    CudaMaskImageFilter,
    CudaPixelFunctionImageFilter<MaskImageFilter<TInputImage, TMaskImage, TOutputImage>, TInputImage, TMaskImage>);

protected:
  CudaMaskImageFilter() = default;
  ~CudaMaskImageFilter() override = default;

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::Mask;
    parameters.MaskingValue = CudaFilters::ToDouble(this->GetMaskingValue());
    parameters.Outside = CudaFilters::ToDouble(this->GetOutsideValue());
  }
};
} // namespace itk

#endif
