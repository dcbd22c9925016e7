// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaInvertIntensityImageFilter_h
#define itkCudaInvertIntensityImageFilter_h

#include "itkInvertIntensityImageFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"

namespace itk
{
/** \class CudaInvertIntensityImageFilter
 * \brief Subtracts each pixel from a maximum on a CUDA device.
 *
 * Parameters and results are those of InvertIntensityImageFilter, pixel by pixel.
 *
 * \sa InvertIntensityImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaInvertIntensityImageFilter
  : public CudaPixelFunctionImageFilter<InvertIntensityImageFilter<TInputImage, TOutputImage>, TInputImage>
{
public:
  itkCudaFilterMacro(CudaInvertIntensityImageFilter,
                     CudaPixelFunctionImageFilter<InvertIntensityImageFilter<TInputImage, TOutputImage>, TInputImage>);

protected:
  CudaInvertIntensityImageFilter() = default;
  ~CudaInvertIntensityImageFilter() override = default;

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::Subtract;
    parameters.NumberOfInputs = 2;
    parameters.Inputs[1] = parameters.Inputs[0];
    parameters.Inputs[0].IsConstant = true;
    parameters.Inputs[0].Constant = CudaFilters::ToDouble(this->GetMaximum());
  }
};
} // namespace itk

#endif
