// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaHConvexImageFilter_h
#define itkCudaHConvexImageFilter_h

#include "itkCudaGeodesicImageFilter.h"
#include "itkHConvexImageFilter.h"

namespace itk
{
/** \class CudaHConvexImageFilter
 * \brief What HMaximaImageFilter takes from an image: its maxima that are less than a height above their surroundings,
 * on a CUDA device where there is one.
 *
 * Parameters and results are those of HConvexImageFilter. All steps stay on the device.
 *
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaHConvexImageFilter
  : public CudaGeodesicImageFilter<HConvexImageFilter<TInputImage, TOutputImage>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaHConvexImageFilter);

  using Self = CudaHConvexImageFilter;
  using Superclass = CudaGeodesicImageFilter<HConvexImageFilter<TInputImage, TOutputImage>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaHConvexImageFilter";
  }

protected:
  CudaHConvexImageFilter() = default;
  ~CudaHConvexImageFilter() override = default;

  typename Superclass::Recipe
  MakeRecipe() const override
  {
    typename Superclass::Recipe recipe;
    recipe.Markers.front().How = CudaFilters::MarkerRecipe::Kind::Shift;
    recipe.Markers.front().Shift = -static_cast<double>(this->GetHeight());
    recipe.Finish.How = CudaFilters::ReconstructionFinish::Kind::Difference;
    return recipe;
  }
};
} // namespace itk

#endif
