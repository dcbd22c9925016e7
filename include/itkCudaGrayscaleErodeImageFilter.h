// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGrayscaleErodeImageFilter_h
#define itkCudaGrayscaleErodeImageFilter_h

#include "itkCudaFlatMorphologyImageFilter.h"
#include "itkGrayscaleErodeImageFilter.h"
#include <string>
#include <vector>

namespace itk
{
/** \class CudaGrayscaleErodeImageFilter
 * \brief Replaces each pixel by the least pixel of a structuring element around it, on a CUDA device.
 *
 * Parameters and results are those of GrayscaleErodeImageFilter. With a boundary value of your own, the filter runs on
 * the CPU. Which of numbers and NaN is the least is not defined.
 *
 * \code
 * using KernelType = itk::FlatStructuringElement<2>;
 * auto filter = itk::CudaGrayscaleErodeImageFilter<ImageType, ImageType, KernelType>::New();
 * filter->SetInput(image);
 * filter->SetKernel(KernelType::Ball(radius));
 * \endcode
 *
 * \sa GrayscaleErodeImageFilter, CudaFlatMorphologyImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage, typename TKernel>
class ITK_TEMPLATE_EXPORT CudaGrayscaleErodeImageFilter
  : public CudaFlatMorphologyImageFilter<GrayscaleErodeImageFilter<TInputImage, TOutputImage, TKernel>>
{
public:
  itkCudaFilterMacro(CudaGrayscaleErodeImageFilter,
                     CudaFlatMorphologyImageFilter<GrayscaleErodeImageFilter<TInputImage, TOutputImage, TKernel>>);

protected:
  CudaGrayscaleErodeImageFilter() = default;
  ~CudaGrayscaleErodeImageFilter() override = default;

  std::vector<CudaFilters::FlatStep>
  GetSteps() const override
  {
    return { CudaFilters::FlatStep::Erosion() };
  }

  std::string
  GetUnsupportedReason() const override
  {
    return this->GetBoundary() != NumericTraits<typename TInputImage::PixelType>::max()
             ? "the boundary value is not the usual one"
             : Superclass::GetUnsupportedReason();
  }
};
} // namespace itk

#endif
