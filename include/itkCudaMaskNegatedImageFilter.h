// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaMaskNegatedImageFilter_h
#define itkCudaMaskNegatedImageFilter_h

#include "itkMaskNegatedImageFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"

namespace itk
{
/** \class CudaMaskNegatedImageFilter
 * \brief Sets pixels inside a mask to another value on a CUDA device.
 *
 * Parameters and results are those of MaskNegatedImageFilter, pixel by pixel.
 *
 * \sa MaskNegatedImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TMaskImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaMaskNegatedImageFilter
  : public CudaPixelFunctionImageFilter<MaskNegatedImageFilter<TInputImage, TMaskImage, TOutputImage>,
                                        TInputImage,
                                        TMaskImage>
{
public:
  itkCudaFilterMacro(CudaMaskNegatedImageFilter,
                     CudaPixelFunctionImageFilter<MaskNegatedImageFilter<TInputImage, TMaskImage, TOutputImage>,
                                                  TInputImage,
                                                  TMaskImage>);

protected:
  CudaMaskNegatedImageFilter() = default;
  ~CudaMaskNegatedImageFilter() override = default;

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::Mask;
    parameters.MaskingValue = CudaFilters::ToDouble(this->GetMaskingValue());
    parameters.IsMaskNegated = true;
    parameters.Outside = CudaFilters::ToDouble(this->GetOutsideValue());
  }
};
} // namespace itk

#endif
