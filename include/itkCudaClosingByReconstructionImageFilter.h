// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaClosingByReconstructionImageFilter_h
#define itkCudaClosingByReconstructionImageFilter_h

#include "itkCudaGeodesicImageFilter.h"
#include "itkCudaStructuringElement.h"
#include "itkClosingByReconstructionImageFilter.h"

namespace itk
{
/** \class CudaClosingByReconstructionImageFilter
 * \brief Dilation, then reconstruction by erosion: removes what is dark and smaller than the structuring element, on a
 * CUDA device where there is one.
 *
 * Parameters and results are those of ClosingByReconstructionImageFilter. All steps stay on the device. The dilation
 * takes time in proportion to the pixels of the structuring element. Elements that ITK takes apart into lines that are
 * not parallel to the axes (FlatStructuringElement::Polygon()) are computed on the CPU.
 *
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage, typename TKernel>
class ITK_TEMPLATE_EXPORT CudaClosingByReconstructionImageFilter
  : public CudaGeodesicImageFilter<ClosingByReconstructionImageFilter<TInputImage, TOutputImage, TKernel>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaClosingByReconstructionImageFilter);

  using Self = CudaClosingByReconstructionImageFilter;
  using Superclass = CudaGeodesicImageFilter<ClosingByReconstructionImageFilter<TInputImage, TOutputImage, TKernel>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaClosingByReconstructionImageFilter";
  }

protected:
  CudaClosingByReconstructionImageFilter() = default;
  ~CudaClosingByReconstructionImageFilter() override = default;

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
    recipe.IsErosion = true;
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
