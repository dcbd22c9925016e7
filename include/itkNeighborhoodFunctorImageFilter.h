// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkNeighborhoodFunctorImageFilter_h
#define itkNeighborhoodFunctorImageFilter_h

#include "CudaFilters/detail/HostFunctor.h"
#include "itkBoxImageFilter.h"

namespace itk
{
/** \class NeighborhoodFunctorImageFilter
 * \brief Computes each pixel by a functor of one's own from the pixels around it, on the CPU.
 *
 * The functor's operator() is a template, and gets an object neighbours: neighbours(x, y), or neighbours(x, y, z), is
 * the pixel at that offset, which must not exceed the radius (SetRadius()). Outside the image, it is the nearest pixel
 * of the image, as by ZeroFluxNeumannBoundaryCondition.
 *
 * \sa CudaNeighborhoodFunctorImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage, typename TFunction>
class ITK_TEMPLATE_EXPORT NeighborhoodFunctorImageFilter : public BoxImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(NeighborhoodFunctorImageFilter);

  using Self = NeighborhoodFunctorImageFilter;
  using Superclass = BoxImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "NeighborhoodFunctorImageFilter";
  }

  using FunctorType = TFunction;
  using OutputRegionType = typename TOutputImage::RegionType;

  static_assert(TInputImage::ImageDimension == TOutputImage::ImageDimension, "The dimensions must be the same.");
  static_assert(TInputImage::ImageDimension == 2 || TInputImage::ImageDimension == 3, "Offsets have 2 or 3 numbers.");

  /** Set/Get the functor. Its operator == tells whether a new one changes anything. */
  /**@{*/
  void
  SetFunctor(const TFunction & functor)
  {
    if (!(m_Functor == functor))
    {
      m_Functor = functor;
      this->Modified();
    }
  }
  itkGetConstReferenceMacro(Functor, TFunction);
  /**@}*/

protected:
  NeighborhoodFunctorImageFilter() { this->DynamicMultiThreadingOn(); }
  ~NeighborhoodFunctorImageFilter() override = default;

  void
  DynamicThreadedGenerateData(const OutputRegionType & region) override;

private:
  TFunction m_Functor{};
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkNeighborhoodFunctorImageFilter.hxx"
#endif

#endif
