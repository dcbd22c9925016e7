// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaSquareImageFilter_h
#define itkCudaSquareImageFilter_h

#include "itkSquareImageFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"

namespace itk
{
/** \class CudaSquareImageFilter
 * \brief Computes the square of each pixel on a CUDA device.
 *
 * Parameters and results are those of SquareImageFilter, pixel by pixel.
 *
 * \sa SquareImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaSquareImageFilter
  : public CudaPixelFunctionImageFilter<SquareImageFilter<TInputImage, TOutputImage>, TInputImage>
{
public:
  itkCudaFilterMacro(CudaSquareImageFilter,
                     CudaPixelFunctionImageFilter<SquareImageFilter<TInputImage, TOutputImage>, TInputImage>);

protected:
  CudaSquareImageFilter() = default;
  ~CudaSquareImageFilter() override = default;

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::Square;
  }
};
} // namespace itk

#endif
