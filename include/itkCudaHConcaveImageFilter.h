// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaHConcaveImageFilter_h
#define itkCudaHConcaveImageFilter_h

#include "itkCudaGeodesicImageFilter.h"
#include "itkHConcaveImageFilter.h"

namespace itk
{
/** \class CudaHConcaveImageFilter
 * \brief What HMinimaImageFilter takes from an image: its minima that are less than a height below their surroundings,
 * on a CUDA device where there is one.
 *
 * Parameters and results are those of HConcaveImageFilter. All steps stay on the device.
 *
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaHConcaveImageFilter
  : public CudaGeodesicImageFilter<HConcaveImageFilter<TInputImage, TOutputImage>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaHConcaveImageFilter);

  using Self = CudaHConcaveImageFilter;
  using Superclass = CudaGeodesicImageFilter<HConcaveImageFilter<TInputImage, TOutputImage>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaHConcaveImageFilter";
  }

protected:
  CudaHConcaveImageFilter() = default;
  ~CudaHConcaveImageFilter() override = default;

  typename Superclass::Recipe
  MakeRecipe() const override
  {
    typename Superclass::Recipe recipe;
    recipe.IsErosion = true;
    recipe.Markers.front().How = CudaFilters::MarkerRecipe::Kind::Shift;
    recipe.Markers.front().Shift = static_cast<double>(this->GetHeight());
    recipe.Finish.How = CudaFilters::ReconstructionFinish::Kind::Difference;
    return recipe;
  }
};
} // namespace itk

#endif
