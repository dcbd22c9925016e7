// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaLogImageFilter_h
#define itkCudaLogImageFilter_h

#include "itkLogImageFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"

namespace itk
{
/** \class CudaLogImageFilter
 * \brief Computes the natural logarithm of each pixel on a CUDA device.
 *
 * Parameters and results are those of LogImageFilter. The logarithms of GPU and CPU may differ in the last bit of a
 * double number.
 *
 * \sa LogImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaLogImageFilter
  : public CudaPixelFunctionImageFilter<LogImageFilter<TInputImage, TOutputImage>, TInputImage>
{
public:
  itkCudaFilterMacro(CudaLogImageFilter,
                     CudaPixelFunctionImageFilter<LogImageFilter<TInputImage, TOutputImage>, TInputImage>);

protected:
  CudaLogImageFilter() = default;
  ~CudaLogImageFilter() override = default;

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::Log;
  }
};
} // namespace itk

#endif
