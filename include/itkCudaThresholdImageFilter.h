// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaThresholdImageFilter_h
#define itkCudaThresholdImageFilter_h

#include "itkThresholdImageFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"

namespace itk
{
/** \class CudaThresholdImageFilter
 * \brief Sets pixels outside a range of values to another value on a CUDA device.
 *
 * Parameters and results are those of ThresholdImageFilter, pixel by pixel.
 *
 * \sa ThresholdImageFilter
 * \ingroup CudaFilters
 */
template <typename TImage>
class ITK_TEMPLATE_EXPORT CudaThresholdImageFilter
  : public CudaPixelFunctionImageFilter<ThresholdImageFilter<TImage>, TImage>
{
public:
  itkCudaFilterMacro(CudaThresholdImageFilter, CudaPixelFunctionImageFilter<ThresholdImageFilter<TImage>, TImage>);

protected:
  CudaThresholdImageFilter() = default;
  ~CudaThresholdImageFilter() override = default;

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::Threshold;
    parameters.Lower = CudaFilters::ToDouble(this->GetLower());
    parameters.Upper = CudaFilters::ToDouble(this->GetUpper());
    parameters.Outside = CudaFilters::ToDouble(this->GetOutsideValue());
  }
};
} // namespace itk

#endif
