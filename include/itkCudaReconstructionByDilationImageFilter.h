// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaReconstructionByDilationImageFilter_h
#define itkCudaReconstructionByDilationImageFilter_h

#include "itkCudaGeodesicImageFilter.h"
#include "itkReconstructionByDilationImageFilter.h"

namespace itk
{
/** \class CudaReconstructionByDilationImageFilter
 * \brief Morphological reconstruction by dilation, on a CUDA device where there is one.
 *
 * Parameters, inputs (marker and mask), exceptions and results are those of ReconstructionByDilationImageFilter.
 * UseInternalCopy has no meaning on the device. Where pixels of type float or double differ by a few units in the
 * last place only, ITK's filter may leave them apart; this one tells all values from each other.
 * The device goes over the image in small tiles, of which only those are visited where something can change; Strategy
 * offers other ways for comparison.
 *
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaReconstructionByDilationImageFilter
  : public CudaGeodesicImageFilter<ReconstructionByDilationImageFilter<TInputImage, TOutputImage>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaReconstructionByDilationImageFilter);

  using Self = CudaReconstructionByDilationImageFilter;
  using Superclass = CudaGeodesicImageFilter<ReconstructionByDilationImageFilter<TInputImage, TOutputImage>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaReconstructionByDilationImageFilter";
  }

protected:
  CudaReconstructionByDilationImageFilter() = default;
  ~CudaReconstructionByDilationImageFilter() override = default;

  const typename Superclass::InputImageType &
  GetMaskOnDevice() const override
  {
    return *this->GetMaskImage();
  }

  typename Superclass::Recipe
  MakeRecipe() const override
  {
    typename Superclass::Recipe recipe;
    return recipe;
  }
};
} // namespace itk

#endif
