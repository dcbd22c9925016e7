// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaSqrtImageFilter_h
#define itkCudaSqrtImageFilter_h

#include "itkSqrtImageFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"

namespace itk
{
/** \class CudaSqrtImageFilter
 * \brief Computes the square root of each pixel on a CUDA device.
 *
 * Parameters and results are those of SqrtImageFilter, pixel by pixel.
 *
 * \sa SqrtImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaSqrtImageFilter
  : public CudaPixelFunctionImageFilter<SqrtImageFilter<TInputImage, TOutputImage>, TInputImage>
{
public:
  itkCudaFilterMacro(CudaSqrtImageFilter,
                     CudaPixelFunctionImageFilter<SqrtImageFilter<TInputImage, TOutputImage>, TInputImage>);

protected:
  CudaSqrtImageFilter() = default;
  ~CudaSqrtImageFilter() override = default;

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::Sqrt;
  }
};
} // namespace itk

#endif
