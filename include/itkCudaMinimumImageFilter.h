// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaMinimumImageFilter_h
#define itkCudaMinimumImageFilter_h

#include "itkMinimumImageFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"

namespace itk
{
/** \class CudaMinimumImageFilter
 * \brief Computes the lesser one of the pixels of two images on a CUDA device.
 *
 * Parameters and results are those of MinimumImageFilter, pixel by pixel.
 *
 * \sa MinimumImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage1, typename TInputImage2 = TInputImage1, typename TOutputImage = TInputImage1>
class ITK_TEMPLATE_EXPORT CudaMinimumImageFilter
  : public CudaPixelFunctionImageFilter<MinimumImageFilter<TInputImage1, TInputImage2, TOutputImage>,
                                        TInputImage1,
                                        TInputImage2>
{
public:
  itkCudaFilterMacro(CudaMinimumImageFilter,
                     CudaPixelFunctionImageFilter<MinimumImageFilter<TInputImage1, TInputImage2, TOutputImage>,
                                                  TInputImage1,
                                                  TInputImage2>);

protected:
  CudaMinimumImageFilter() = default;
  ~CudaMinimumImageFilter() override = default;

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::Minimum;
  }
};
} // namespace itk

#endif
