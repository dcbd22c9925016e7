// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFunctorBaseImageFilter_h
#define itkCudaFunctorBaseImageFilter_h

#include "CudaFilters/PixelFunction.h"
#include "CudaFilters/detail/HostFunctor.h"
#include "CudaFilters/detail/PixelInputs.h"
#include "itkCudaAcceleratedImageFilter.h"
#include <cstddef>
#include <string>
#include <utility>

namespace itk
{
/** \class CudaFunctorBaseImageFilter
 * \brief Base class of the filters that call a functor for each pixel, on a CUDA device or on the CPU.
 *
 * \sa CudaUnaryFunctorImageFilter, CudaBinaryFunctorImageFilter, CudaTernaryFunctorImageFilter
 * \ingroup CudaFilters
 */
template <typename TParent, typename TFunctor, typename... TInputImages>
class ITK_TEMPLATE_EXPORT CudaFunctorBaseImageFilter : public CudaAcceleratedImageFilter<TParent>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaFunctorBaseImageFilter);

  using Self = CudaFunctorBaseImageFilter;
  using Superclass = CudaAcceleratedImageFilter<TParent>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaFunctorBaseImageFilter";
  }

  using typename Superclass::OutputImageType;
  using FunctorType = TFunctor;
  using OutputRegionType = typename OutputImageType::RegionType;

  /** As in the superclass, for the functor itself. Call Modified() after a change by reference. */
  /**@{*/
  TFunctor &
  GetFunctor()
  {
    return Unwrap(Superclass::GetFunctor());
  }
  const TFunctor &
  GetFunctor() const
  {
    return const_cast<Self *>(this)->GetFunctor(); // not all superclasses have this method for const filters
  }
  void
  SetFunctor(const TFunctor & functor)
  {
    if (!(this->GetFunctor() == functor))
    {
      this->GetFunctor() = functor;
      this->Modified();
    }
  }
  /**@}*/

protected:
  CudaFunctorBaseImageFilter() = default;
  ~CudaFunctorBaseImageFilter() override = default;

  // GetUnsupportedReason() tells of the types.
  bool
  SupportsPixelTypes() const override
  {
    return true;
  }

  std::string
  GetUnsupportedReason() const override
  {
    return HasKernels ? "" : CudaFilters::NoFunctorKernels;
  }

  void
  CollectImages(CudaFilters::ImageList & images) override
  {
    CudaFilters::CollectPixelImages<OutputImageType, TInputImages...>(*this, images);
  }

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    if constexpr (HasKernels)
    {
      return this->MakeOperation(std::index_sequence_for<TInputImages...>());
    }
    else
    {
      return nullptr;
    }
  }

  void
  GenerateDataOnCPU() override;

private:
  template <typename TImage>
  using PixelOfImage = CudaFilters::FunctorPixel<typename TImage::PixelType>;

  static constexpr bool TakesPosition = CudaFilters::TakesPosition<TFunctor, PixelOfImage<TInputImages>...>;
  static_assert(!TakesPosition || OutputImageType::ImageDimension <= 3, "Positions have up to three coordinates.");

  static constexpr bool HasKernels = CudaFilters::HasFunctorKernels<OutputImageType, TInputImages...>;

  static TFunctor &
  Unwrap(TFunctor & functor)
  {
    return functor;
  }
  template <typename... TPixels>
  static TFunctor &
  Unwrap(CudaFilters::HostFunctor<TFunctor, TPixels...> & functor)
  {
    return functor.Functor;
  }
  template <std::size_t... VInputs>
  CudaFilters::OperationPointer
  MakeOperation(std::index_sequence<VInputs...>)
  {
    using Maker =
      CudaFilters::PixelOperationMaker<TFunctor, PixelOfImage<OutputImageType>, PixelOfImage<TInputImages>...>;
    const DataObject * const output = this->ProcessObject::GetOutput(0); // GetOutput() would download its pixels
    return Maker::Make(
      this->GetFunctor(),
      CudaFilters::GetRegion3(static_cast<const OutputImageType *>(output)->GetLargestPossibleRegion()),
      this->MakeSource(CudaFilters::GetPixelSource<typename TInputImages::PixelType>(*this, VInputs))...);
  }

  template <typename TPixel>
  static CudaFilters::PixelSource<CudaFilters::FunctorPixel<TPixel>>
  MakeSource(const CudaFilters::PixelSource<TPixel> & source)
  {
    return { source.IsConstant, CudaFilters::ToFunctorPixel(source.Constant) };
  }

  /** Computes a region on the CPU, for functors that take the position. */
  template <std::size_t... VInputs>
  void
  GenerateRegion(const OutputRegionType & region, std::index_sequence<VInputs...>);
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaFunctorBaseImageFilter.hxx"
#endif

#endif
