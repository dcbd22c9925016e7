// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaOpeningByReconstructionImageFilter_h
#define itkCudaOpeningByReconstructionImageFilter_h

#include "itkCudaGeodesicImageFilter.h"
#include "itkCudaStructuringElement.h"
#include "itkOpeningByReconstructionImageFilter.h"

namespace itk
{
/** \class CudaOpeningByReconstructionImageFilter
 * \brief Erosion, then reconstruction by dilation: removes what is bright and smaller than the structuring element, on
 * a CUDA device where there is one.
 *
 * Parameters and results are those of OpeningByReconstructionImageFilter. All steps stay on the device. The erosion
 * takes time in proportion to the pixels of the structuring element. Elements that ITK takes apart into lines that are
 * not parallel to the axes (FlatStructuringElement::Polygon()) are computed on the CPU.
 *
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage, typename TKernel>
class ITK_TEMPLATE_EXPORT CudaOpeningByReconstructionImageFilter
  : public CudaGeodesicImageFilter<OpeningByReconstructionImageFilter<TInputImage, TOutputImage, TKernel>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaOpeningByReconstructionImageFilter);

  using Self = CudaOpeningByReconstructionImageFilter;
  using Superclass = CudaGeodesicImageFilter<OpeningByReconstructionImageFilter<TInputImage, TOutputImage, TKernel>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaOpeningByReconstructionImageFilter";
  }

protected:
  CudaOpeningByReconstructionImageFilter() = default;
  ~CudaOpeningByReconstructionImageFilter() override = default;

  std::string
  GetWhyNoKernel() const override
  {
    const std::string why = Superclass::GetWhyNoKernel();
    return why.empty() && CudaFilters::HasSlantingLines(this->GetKernel())
             ? "the structuring element is made of lines that are not parallel to the axes"
             : why;
  }

  typename Superclass::Recipe
  MakeRecipe() const override
  {
    typename Superclass::Recipe recipe;
    recipe.Markers.front().How = CudaFilters::MarkerRecipe::Kind::Structure;
    recipe.Markers.front().Offsets = CudaFilters::GetOffsets(this->GetKernel());
    if (this->GetPreserveIntensities())
    {
      recipe.Markers.push_back(recipe.Markers.front());
      recipe.Markers.back().How = CudaFilters::MarkerRecipe::Kind::Restore;
    }
    return recipe;
  }
};
} // namespace itk

#endif
