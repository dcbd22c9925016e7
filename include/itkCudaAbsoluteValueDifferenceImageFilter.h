// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaAbsoluteValueDifferenceImageFilter_h
#define itkCudaAbsoluteValueDifferenceImageFilter_h

#include "itkAbsoluteValueDifferenceImageFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"

namespace itk
{
/** \class CudaAbsoluteValueDifferenceImageFilter
 * \brief Computes the absolute value of the difference of two images on a CUDA device.
 *
 * Parameters and results are those of AbsoluteValueDifferenceImageFilter, pixel by pixel.
 *
 * \sa AbsoluteValueDifferenceImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage1, typename TInputImage2, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaAbsoluteValueDifferenceImageFilter
  : public CudaPixelFunctionImageFilter<AbsoluteValueDifferenceImageFilter<TInputImage1, TInputImage2, TOutputImage>,
                                        TInputImage1,
                                        TInputImage2>
{
public:
  itkCudaFilterMacro(
    CudaAbsoluteValueDifferenceImageFilter,
    CudaPixelFunctionImageFilter<AbsoluteValueDifferenceImageFilter<TInputImage1, TInputImage2, TOutputImage>,
                                 TInputImage1,
                                 TInputImage2>);

protected:
  CudaAbsoluteValueDifferenceImageFilter() = default;
  ~CudaAbsoluteValueDifferenceImageFilter() override = default;

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::AbsoluteDifference;
  }
};
} // namespace itk

#endif
