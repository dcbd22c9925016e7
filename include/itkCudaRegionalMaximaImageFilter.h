// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaRegionalMaximaImageFilter_h
#define itkCudaRegionalMaximaImageFilter_h

#include "itkCudaGeodesicImageFilter.h"
#include "itkRegionalMaximaImageFilter.h"

namespace itk
{
/** \class CudaRegionalMaximaImageFilter
 * \brief Finds the regional maxima of an image: flat zones with none but lower pixels around them, on a CUDA device
 * where there is one.
 *
 * Parameters and results are those of RegionalMaximaImageFilter. On the device, the image is reconstructed from
 * itself, each pixel one step lower; maxima are where that step is not made up for.
 *
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaRegionalMaximaImageFilter
  : public CudaGeodesicImageFilter<RegionalMaximaImageFilter<TInputImage, TOutputImage>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaRegionalMaximaImageFilter);

  using Self = CudaRegionalMaximaImageFilter;
  using Superclass = CudaGeodesicImageFilter<RegionalMaximaImageFilter<TInputImage, TOutputImage>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaRegionalMaximaImageFilter";
  }

protected:
  CudaRegionalMaximaImageFilter() = default;
  ~CudaRegionalMaximaImageFilter() override = default;

  typename Superclass::Recipe
  MakeRecipe() const override
  {
    typename Superclass::Recipe recipe;
    recipe.Markers.front().How = CudaFilters::MarkerRecipe::Kind::Step;
    recipe.Finish.How = CudaFilters::ReconstructionFinish::Kind::Extrema;
    recipe.Finish.Foreground = static_cast<double>(this->GetForegroundValue());
    recipe.Finish.Background = static_cast<double>(this->GetBackgroundValue());
    recipe.FlatValue = this->GetFlatIsMaxima() ? recipe.Finish.Foreground : recipe.Finish.Background;
    return recipe;
  }
};
} // namespace itk

#endif
