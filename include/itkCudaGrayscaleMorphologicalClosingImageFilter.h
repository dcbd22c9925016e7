// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGrayscaleMorphologicalClosingImageFilter_h
#define itkCudaGrayscaleMorphologicalClosingImageFilter_h

#include "itkCudaFlatMorphologyImageFilter.h"
#include "itkGrayscaleMorphologicalClosingImageFilter.h"
#include <vector>

namespace itk
{
/** \class CudaGrayscaleMorphologicalClosingImageFilter
 * \brief Fills dark structures into which a structuring element does not fit, on a CUDA device.
 *
 * A dilation, and then an erosion. Parameters and results are those of GrayscaleMorphologicalClosingImageFilter.
 *
 * \code
 * using KernelType = itk::FlatStructuringElement<2>;
 * auto filter = itk::CudaGrayscaleMorphologicalClosingImageFilter<ImageType, ImageType, KernelType>::New();
 * filter->SetInput(image);
 * filter->SetKernel(KernelType::Ball(radius));
 * \endcode
 *
 * \sa GrayscaleMorphologicalClosingImageFilter, CudaFlatMorphologyImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage, typename TKernel>
class ITK_TEMPLATE_EXPORT CudaGrayscaleMorphologicalClosingImageFilter
  : public CudaFlatMorphologyImageFilter<GrayscaleMorphologicalClosingImageFilter<TInputImage, TOutputImage, TKernel>>
{
public:
  itkCudaFilterMacro(
    CudaGrayscaleMorphologicalClosingImageFilter,
    CudaFlatMorphologyImageFilter<GrayscaleMorphologicalClosingImageFilter<TInputImage, TOutputImage, TKernel>>);

protected:
  CudaGrayscaleMorphologicalClosingImageFilter() = default;
  ~CudaGrayscaleMorphologicalClosingImageFilter() override = default;

  std::vector<CudaFilters::FlatStep>
  GetSteps() const override
  {
    return { CudaFilters::FlatStep::Dilation(!this->GetSafeBorder()), CudaFilters::FlatStep::Erosion() };
  }
};
} // namespace itk

#endif
