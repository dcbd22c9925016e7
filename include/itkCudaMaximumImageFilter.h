// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaMaximumImageFilter_h
#define itkCudaMaximumImageFilter_h

#include "itkMaximumImageFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"

namespace itk
{
/** \class CudaMaximumImageFilter
 * \brief Computes the greater one of the pixels of two images on a CUDA device.
 *
 * Parameters and results are those of MaximumImageFilter, pixel by pixel.
 *
 * \sa MaximumImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage1, typename TInputImage2 = TInputImage1, typename TOutputImage = TInputImage1>
class ITK_TEMPLATE_EXPORT CudaMaximumImageFilter
  : public CudaPixelFunctionImageFilter<MaximumImageFilter<TInputImage1, TInputImage2, TOutputImage>,
                                        TInputImage1,
                                        TInputImage2>
{
public:
  itkCudaFilterMacro(CudaMaximumImageFilter,
                     CudaPixelFunctionImageFilter<MaximumImageFilter<TInputImage1, TInputImage2, TOutputImage>,
                                                  TInputImage1,
                                                  TInputImage2>);

protected:
  CudaMaximumImageFilter() = default;
  ~CudaMaximumImageFilter() override = default;

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::Maximum;
  }
};
} // namespace itk

#endif
