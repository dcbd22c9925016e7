// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGrayscaleDilateImageFilter_h
#define itkCudaGrayscaleDilateImageFilter_h

#include "itkCudaFlatMorphologyImageFilter.h"
#include "itkGrayscaleDilateImageFilter.h"
#include <string>
#include <vector>

namespace itk
{
/** \class CudaGrayscaleDilateImageFilter
 * \brief Replaces each pixel by the greatest pixel of a structuring element around it, on a CUDA device.
 *
 * Parameters and results are those of GrayscaleDilateImageFilter. With a boundary value of your own, the filter runs on
 * the CPU. Which of numbers and NaN is the greatest is not defined.
 *
 * \code
 * using KernelType = itk::FlatStructuringElement<2>;
 * auto filter = itk::CudaGrayscaleDilateImageFilter<ImageType, ImageType, KernelType>::New();
 * filter->SetInput(image);
 * filter->SetKernel(KernelType::Ball(radius));
 * \endcode
 *
 * \sa GrayscaleDilateImageFilter, CudaFlatMorphologyImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage, typename TKernel>
class ITK_TEMPLATE_EXPORT CudaGrayscaleDilateImageFilter
  : public CudaFlatMorphologyImageFilter<GrayscaleDilateImageFilter<TInputImage, TOutputImage, TKernel>>
{
public:
  itkCudaFilterMacro(CudaGrayscaleDilateImageFilter,
                     CudaFlatMorphologyImageFilter<GrayscaleDilateImageFilter<TInputImage, TOutputImage, TKernel>>);

protected:
  CudaGrayscaleDilateImageFilter() = default;
  ~CudaGrayscaleDilateImageFilter() override = default;

  std::vector<CudaFilters::FlatStep>
  GetSteps() const override
  {
    return { CudaFilters::FlatStep::Dilation() };
  }

  std::string
  GetUnsupportedReason() const override
  {
    return this->GetBoundary() != NumericTraits<typename TInputImage::PixelType>::NonpositiveMin()
             ? "the boundary value is not the usual one"
             : Superclass::GetUnsupportedReason();
  }
};
} // namespace itk

#endif
