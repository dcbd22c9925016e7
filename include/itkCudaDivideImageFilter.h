// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDivideImageFilter_h
#define itkCudaDivideImageFilter_h

#include "itkDivideImageFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"
#include <limits>
#include <type_traits>

namespace itk
{
/** \class CudaDivideImageFilter
 * \brief Divides an image by an image or a constant on a CUDA device.
 *
 * Parameters and results are those of DivideImageFilter, pixel by pixel. As in ITK, the quotient by zero is the
 * maximum of the output type, and real divisors next to zero count as zero.
 *
 * \sa DivideImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage1, typename TInputImage2 = TInputImage1, typename TOutputImage = TInputImage1>
class ITK_TEMPLATE_EXPORT CudaDivideImageFilter
  : public CudaPixelFunctionImageFilter<DivideImageFilter<TInputImage1, TInputImage2, TOutputImage>,
                                        TInputImage1,
                                        TInputImage2>
{
public:
  itkCudaFilterMacro(CudaDivideImageFilter,
                     CudaPixelFunctionImageFilter<DivideImageFilter<TInputImage1, TInputImage2, TOutputImage>,
                                                  TInputImage1,
                                                  TInputImage2>);

protected:
  CudaDivideImageFilter() = default;
  ~CudaDivideImageFilter() override = default;

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::Divide;
    using DivisorType = typename TInputImage2::PixelType;
    if constexpr (std::is_floating_point<DivisorType>::value)
    {
      // Math::AlmostEquals() compares with zero this way.
      parameters.ZeroTolerance = static_cast<DivisorType>(0.1 * std::numeric_limits<DivisorType>::epsilon());
    }
    parameters.Outside = CudaFilters::ToDouble(std::numeric_limits<typename TOutputImage::PixelType>::max());
  }
};
} // namespace itk

#endif
