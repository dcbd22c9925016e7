// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaCastImageFilter_h
#define itkCudaCastImageFilter_h

#include "itkCastImageFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"

namespace itk
{
/** \class CudaCastImageFilter
 * \brief Converts the pixel type of an image on a CUDA device.
 *
 * Parameters and results are those of CastImageFilter, pixel by pixel. Numbers outside the range of the output type,
 * for which C++ defines no result, become what processors of the host make of them.
 *
 * \sa CastImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaCastImageFilter
  : public CudaPixelFunctionImageFilter<CastImageFilter<TInputImage, TOutputImage>, TInputImage>
{
public:
  itkCudaFilterMacro(CudaCastImageFilter,
                     CudaPixelFunctionImageFilter<CastImageFilter<TInputImage, TOutputImage>, TInputImage>);

protected:
  CudaCastImageFilter() = default;
  ~CudaCastImageFilter() override = default;

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::Cast;
  }
};
} // namespace itk

#endif
