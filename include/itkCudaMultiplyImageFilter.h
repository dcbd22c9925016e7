// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaMultiplyImageFilter_h
#define itkCudaMultiplyImageFilter_h

#include "itkMultiplyImageFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"

namespace itk
{
/** \class CudaMultiplyImageFilter
 * \brief Multiplies two images, or an image and a constant, on a CUDA device.
 *
 * Parameters and results are those of MultiplyImageFilter, pixel by pixel.
 *
 * \sa MultiplyImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage1, typename TInputImage2 = TInputImage1, typename TOutputImage = TInputImage1>
class ITK_TEMPLATE_EXPORT CudaMultiplyImageFilter
  : public CudaPixelFunctionImageFilter<MultiplyImageFilter<TInputImage1, TInputImage2, TOutputImage>,
                                        TInputImage1,
                                        TInputImage2>
{
public:
  itkCudaFilterMacro(CudaMultiplyImageFilter,
                     CudaPixelFunctionImageFilter<MultiplyImageFilter<TInputImage1, TInputImage2, TOutputImage>,
                                                  TInputImage1,
                                                  TInputImage2>);

protected:
  CudaMultiplyImageFilter() = default;
  ~CudaMultiplyImageFilter() override = default;

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::Multiply;
  }
};
} // namespace itk

#endif
