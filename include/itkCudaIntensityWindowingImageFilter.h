// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaIntensityWindowingImageFilter_h
#define itkCudaIntensityWindowingImageFilter_h

#include "itkIntensityWindowingImageFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"

namespace itk
{
/** \class CudaIntensityWindowingImageFilter
 * \brief Maps a window of intensities linearly to the range of the output on a CUDA device.
 *
 * Parameters and results are those of IntensityWindowingImageFilter, pixel by pixel. Used to show CT and MR images.
 *
 * \sa IntensityWindowingImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaIntensityWindowingImageFilter
  : public CudaPixelFunctionImageFilter<IntensityWindowingImageFilter<TInputImage, TOutputImage>, TInputImage>
{
public:
  itkCudaFilterMacro(
    CudaIntensityWindowingImageFilter,
    CudaPixelFunctionImageFilter<IntensityWindowingImageFilter<TInputImage, TOutputImage>, TInputImage>);

protected:
  CudaIntensityWindowingImageFilter() = default;
  ~CudaIntensityWindowingImageFilter() override = default;

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::Window;
    parameters.Lower = CudaFilters::ToDouble(this->GetWindowMinimum());
    parameters.Upper = CudaFilters::ToDouble(this->GetWindowMaximum());
    parameters.Above = CudaFilters::ToDouble(this->GetOutputMaximum());
    parameters.Below = CudaFilters::ToDouble(this->GetOutputMinimum());
    parameters.Factor = this->GetScale();
    parameters.Offset = this->GetShift();
  }
};
} // namespace itk

#endif
