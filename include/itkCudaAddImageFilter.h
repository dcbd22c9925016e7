// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaAddImageFilter_h
#define itkCudaAddImageFilter_h

#include "itkAddImageFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"

namespace itk
{
/** \class CudaAddImageFilter
 * \brief Adds two images, or an image and a constant, on a CUDA device.
 *
 * Parameters and results are those of AddImageFilter, pixel by pixel.
 *
 * \sa AddImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage1, typename TInputImage2 = TInputImage1, typename TOutputImage = TInputImage1>
class ITK_TEMPLATE_EXPORT CudaAddImageFilter
  : public CudaPixelFunctionImageFilter<AddImageFilter<TInputImage1, TInputImage2, TOutputImage>,
                                        TInputImage1,
                                        TInputImage2>
{
public:
  itkCudaFilterMacro(
    CudaAddImageFilter,
    CudaPixelFunctionImageFilter<AddImageFilter<TInputImage1, TInputImage2, TOutputImage>, TInputImage1, TInputImage2>);

protected:
  CudaAddImageFilter() = default;
  ~CudaAddImageFilter() override = default;

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::Add;
  }
};
} // namespace itk

#endif
