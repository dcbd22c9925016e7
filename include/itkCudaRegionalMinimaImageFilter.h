// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaRegionalMinimaImageFilter_h
#define itkCudaRegionalMinimaImageFilter_h

#include "itkCudaGeodesicImageFilter.h"
#include "itkRegionalMinimaImageFilter.h"

namespace itk
{
/** \class CudaRegionalMinimaImageFilter
 * \brief Finds the regional minima of an image: flat zones with none but higher pixels around them, on a CUDA device
 * where there is one.
 *
 * Parameters and results are those of RegionalMinimaImageFilter. On the device, the image is reconstructed from
 * itself, each pixel one step higher; minima are where that step is not made up for.
 *
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaRegionalMinimaImageFilter
  : public CudaGeodesicImageFilter<RegionalMinimaImageFilter<TInputImage, TOutputImage>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaRegionalMinimaImageFilter);

  using Self = CudaRegionalMinimaImageFilter;
  using Superclass = CudaGeodesicImageFilter<RegionalMinimaImageFilter<TInputImage, TOutputImage>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaRegionalMinimaImageFilter";
  }

protected:
  CudaRegionalMinimaImageFilter() = default;
  ~CudaRegionalMinimaImageFilter() override = default;

  typename Superclass::Recipe
  MakeRecipe() const override
  {
    typename Superclass::Recipe recipe;
    recipe.IsErosion = true;
    recipe.Markers.front().How = CudaFilters::MarkerRecipe::Kind::Step;
    recipe.Finish.How = CudaFilters::ReconstructionFinish::Kind::Extrema;
    recipe.Finish.Foreground = static_cast<double>(this->GetForegroundValue());
    recipe.Finish.Background = static_cast<double>(this->GetBackgroundValue());
    recipe.FlatValue = this->GetFlatIsMinima() ? recipe.Finish.Foreground : recipe.Finish.Background;
    return recipe;
  }
};
} // namespace itk

#endif
