// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaSubtractImageFilter_h
#define itkCudaSubtractImageFilter_h

#include "itkSubtractImageFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"

namespace itk
{
/** \class CudaSubtractImageFilter
 * \brief Subtracts an image or a constant from an image on a CUDA device.
 *
 * Parameters and results are those of SubtractImageFilter, pixel by pixel.
 *
 * \sa SubtractImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage1, typename TInputImage2 = TInputImage1, typename TOutputImage = TInputImage1>
class ITK_TEMPLATE_EXPORT CudaSubtractImageFilter
  : public CudaPixelFunctionImageFilter<SubtractImageFilter<TInputImage1, TInputImage2, TOutputImage>,
                                        TInputImage1,
                                        TInputImage2>
{
public:
  itkCudaFilterMacro(CudaSubtractImageFilter,
                     CudaPixelFunctionImageFilter<SubtractImageFilter<TInputImage1, TInputImage2, TOutputImage>,
                                                  TInputImage1,
                                                  TInputImage2>);

protected:
  CudaSubtractImageFilter() = default;
  ~CudaSubtractImageFilter() override = default;

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::Subtract;
  }
};
} // namespace itk

#endif
