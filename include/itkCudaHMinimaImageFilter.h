// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaHMinimaImageFilter_h
#define itkCudaHMinimaImageFilter_h

#include "itkCudaGeodesicImageFilter.h"
#include "itkHMinimaImageFilter.h"

namespace itk
{
/** \class CudaHMinimaImageFilter
 * \brief Suppresses minima that are less than a height below their surroundings, on a CUDA device where there is one.
 *
 * Parameters and results are those of HMinimaImageFilter. All steps stay on the device.
 *
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaHMinimaImageFilter
  : public CudaGeodesicImageFilter<HMinimaImageFilter<TInputImage, TOutputImage>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaHMinimaImageFilter);

  using Self = CudaHMinimaImageFilter;
  using Superclass = CudaGeodesicImageFilter<HMinimaImageFilter<TInputImage, TOutputImage>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaHMinimaImageFilter";
  }

protected:
  CudaHMinimaImageFilter() = default;
  ~CudaHMinimaImageFilter() override = default;

  typename Superclass::Recipe
  MakeRecipe() const override
  {
    typename Superclass::Recipe recipe;
    recipe.IsErosion = true;
    recipe.Markers.front().How = CudaFilters::MarkerRecipe::Kind::Shift;
    recipe.Markers.front().Shift = static_cast<double>(this->GetHeight());
    return recipe;
  }
};
} // namespace itk

#endif
