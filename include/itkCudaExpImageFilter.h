// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaExpImageFilter_h
#define itkCudaExpImageFilter_h

#include "itkExpImageFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"

namespace itk
{
/** \class CudaExpImageFilter
 * \brief Computes the exponential function of each pixel on a CUDA device.
 *
 * Parameters and results are those of ExpImageFilter. The exponential functions of GPU and CPU may differ in the last
 * bit of a double number.
 *
 * \sa ExpImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaExpImageFilter
  : public CudaPixelFunctionImageFilter<ExpImageFilter<TInputImage, TOutputImage>, TInputImage>
{
public:
  itkCudaFilterMacro(CudaExpImageFilter,
                     CudaPixelFunctionImageFilter<ExpImageFilter<TInputImage, TOutputImage>, TInputImage>);

protected:
  CudaExpImageFilter() = default;
  ~CudaExpImageFilter() override = default;

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::Exp;
  }
};
} // namespace itk

#endif
