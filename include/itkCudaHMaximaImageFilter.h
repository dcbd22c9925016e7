// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaHMaximaImageFilter_h
#define itkCudaHMaximaImageFilter_h

#include "itkCudaGeodesicImageFilter.h"
#include "itkHMaximaImageFilter.h"

namespace itk
{
/** \class CudaHMaximaImageFilter
 * \brief Suppresses maxima that are less than a height above their surroundings, on a CUDA device where there is one.
 *
 * Parameters and results are those of HMaximaImageFilter. All steps stay on the device.
 *
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaHMaximaImageFilter
  : public CudaGeodesicImageFilter<HMaximaImageFilter<TInputImage, TOutputImage>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaHMaximaImageFilter);

  using Self = CudaHMaximaImageFilter;
  using Superclass = CudaGeodesicImageFilter<HMaximaImageFilter<TInputImage, TOutputImage>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaHMaximaImageFilter";
  }

protected:
  CudaHMaximaImageFilter() = default;
  ~CudaHMaximaImageFilter() override = default;

  typename Superclass::Recipe
  MakeRecipe() const override
  {
    typename Superclass::Recipe recipe;
    recipe.Markers.front().How = CudaFilters::MarkerRecipe::Kind::Shift;
    recipe.Markers.front().Shift = -static_cast<double>(this->GetHeight());
    return recipe;
  }
};
} // namespace itk

#endif
