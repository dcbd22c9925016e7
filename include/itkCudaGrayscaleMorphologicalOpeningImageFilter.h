// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGrayscaleMorphologicalOpeningImageFilter_h
#define itkCudaGrayscaleMorphologicalOpeningImageFilter_h

#include "itkCudaFlatMorphologyImageFilter.h"
#include "itkGrayscaleMorphologicalOpeningImageFilter.h"
#include <vector>

namespace itk
{
/** \class CudaGrayscaleMorphologicalOpeningImageFilter
 * \brief Removes bright structures into which a structuring element does not fit, on a CUDA device.
 *
 * An erosion, and then a dilation. Parameters and results are those of GrayscaleMorphologicalOpeningImageFilter.
 *
 * \code
 * using KernelType = itk::FlatStructuringElement<2>;
 * auto filter = itk::CudaGrayscaleMorphologicalOpeningImageFilter<ImageType, ImageType, KernelType>::New();
 * filter->SetInput(image);
 * filter->SetKernel(KernelType::Ball(radius));
 * \endcode
 *
 * \sa GrayscaleMorphologicalOpeningImageFilter, CudaFlatMorphologyImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage, typename TKernel>
class ITK_TEMPLATE_EXPORT CudaGrayscaleMorphologicalOpeningImageFilter
  : public CudaFlatMorphologyImageFilter<GrayscaleMorphologicalOpeningImageFilter<TInputImage, TOutputImage, TKernel>>
{
public:
  itkCudaFilterMacro(
    CudaGrayscaleMorphologicalOpeningImageFilter,
    CudaFlatMorphologyImageFilter<GrayscaleMorphologicalOpeningImageFilter<TInputImage, TOutputImage, TKernel>>);

protected:
  CudaGrayscaleMorphologicalOpeningImageFilter() = default;
  ~CudaGrayscaleMorphologicalOpeningImageFilter() override = default;

  std::vector<CudaFilters::FlatStep>
  GetSteps() const override
  {
    return { CudaFilters::FlatStep::Erosion(!this->GetSafeBorder()), CudaFilters::FlatStep::Dilation() };
  }
};
} // namespace itk

#endif
