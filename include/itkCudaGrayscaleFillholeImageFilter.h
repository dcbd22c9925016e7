// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGrayscaleFillholeImageFilter_h
#define itkCudaGrayscaleFillholeImageFilter_h

#include "itkCudaGeodesicImageFilter.h"
#include "itkGrayscaleFillholeImageFilter.h"

namespace itk
{
/** \class CudaGrayscaleFillholeImageFilter
 * \brief Fills dark holes that do not reach the edge of the image, on a CUDA device where there is one.
 *
 * Parameters and results are those of GrayscaleFillholeImageFilter. All steps stay on the device.
 *
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaGrayscaleFillholeImageFilter
  : public CudaGeodesicImageFilter<GrayscaleFillholeImageFilter<TInputImage, TOutputImage>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaGrayscaleFillholeImageFilter);

  using Self = CudaGrayscaleFillholeImageFilter;
  using Superclass = CudaGeodesicImageFilter<GrayscaleFillholeImageFilter<TInputImage, TOutputImage>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaGrayscaleFillholeImageFilter";
  }

protected:
  CudaGrayscaleFillholeImageFilter() = default;
  ~CudaGrayscaleFillholeImageFilter() override = default;

  typename Superclass::Recipe
  MakeRecipe() const override
  {
    typename Superclass::Recipe recipe;
    recipe.IsErosion = true;
    recipe.Markers.front().How = CudaFilters::MarkerRecipe::Kind::Border;
    return recipe;
  }
};
} // namespace itk

#endif
