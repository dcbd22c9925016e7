// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBinaryThresholdImageFilter_h
#define itkCudaBinaryThresholdImageFilter_h

#include "itkBinaryThresholdImageFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"

namespace itk
{
/** \class CudaBinaryThresholdImageFilter
 * \brief Sets pixels in a range of values to one value, and all others to another, on a CUDA device.
 *
 * Parameters and results are those of BinaryThresholdImageFilter, pixel by pixel. Use it to make a mask from
 * intensities, distances or labels.
 *
 * \sa BinaryThresholdImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaBinaryThresholdImageFilter
  : public CudaPixelFunctionImageFilter<BinaryThresholdImageFilter<TInputImage, TOutputImage>, TInputImage>
{
public:
  itkCudaFilterMacro(CudaBinaryThresholdImageFilter,
                     CudaPixelFunctionImageFilter<BinaryThresholdImageFilter<TInputImage, TOutputImage>, TInputImage>);

protected:
  CudaBinaryThresholdImageFilter() = default;
  ~CudaBinaryThresholdImageFilter() override = default;

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::BinaryThreshold;
    parameters.Lower = CudaFilters::ToDouble(this->GetLowerThreshold());
    parameters.Upper = CudaFilters::ToDouble(this->GetUpperThreshold());
    parameters.Inside = CudaFilters::ToDouble(this->GetInsideValue());
    parameters.Outside = CudaFilters::ToDouble(this->GetOutsideValue());
  }
};
} // namespace itk

#endif
