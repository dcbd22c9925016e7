// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaAbsImageFilter_h
#define itkCudaAbsImageFilter_h

#include "itkAbsImageFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"
#include <string>
#include <type_traits>

namespace itk
{
/** \class CudaAbsImageFilter
 * \brief Computes the absolute value of each pixel on a CUDA device.
 *
 * Parameters and results are those of AbsImageFilter, pixel by pixel.
 *
 * \sa AbsImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaAbsImageFilter
  : public CudaPixelFunctionImageFilter<AbsImageFilter<TInputImage, TOutputImage>, TInputImage>
{
public:
  itkCudaFilterMacro(CudaAbsImageFilter,
                     CudaPixelFunctionImageFilter<AbsImageFilter<TInputImage, TOutputImage>, TInputImage>);

protected:
  CudaAbsImageFilter() = default;
  ~CudaAbsImageFilter() override = default;

  std::string
  GetUnsupportedReason() const override
  {
    // ITK's abs(char) takes its argument for unsigned.
    return std::is_same<typename TInputImage::PixelType, char>::value && std::is_signed<char>::value
             ? "there is no kernel for the absolute value of char pixels"
             : Superclass::GetUnsupportedReason();
  }

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::Abs;
  }
};
} // namespace itk

#endif
