// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_PixelFunction_cuh
#define CudaFilters_PixelFunction_cuh

// For CUDA sources only: operations from functors. Documentation/PixelFunctions.md shows its use.

#include "CudaFilters/PixelFunction.h"
#include "CudaFilters/detail/PixelFunctionKernel.cuh"
#include "CudaFilters/detail/PixelPacks.cuh"
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

/** Compiles a functor for an output and one to three inputs: CUDAFILTERS_INSTANTIATE_PIXEL_FUNCTION(Functor,
 * OutputPixel, InputPixel, ...). In the place of itk::RGBPixel, itk::Vector and the like stands PixelArray. To be used
 * outside all namespaces. If the linker does not find PixelOperationMaker<...>::Make, such a line is missing. */
#define CUDAFILTERS_INSTANTIATE_PIXEL_FUNCTION(...) template struct itk::CudaFilters::PixelOperationMaker<__VA_ARGS__>

namespace itk
{
namespace CudaFilters
{
/** Reads pixels from memory, or a constant in their place. */
template <typename TPixel>
struct PixelReader
{
  using ValueType = TPixel;

  static constexpr bool IsPackable = HasPackableSize<TPixel>;

  const TPixel * Pixels;
  RowStrides     Strides;
  TPixel         Constant;

  template <int VWidth>
  bool
  IsAligned() const
  {
    if constexpr (IsPackable)
    {
      return CudaFilters::IsAligned<PixelPack<TPixel, VWidth>>(this->Pixels);
    }
    else
    {
      return true;
    }
  }

  template <int VPacks, int VWidth>
  __device__ void
  LoadPacks(TPixel (&values)[VPacks][VWidth], std::int64_t first, std::int64_t packs) const
  {
    if (this->Pixels != nullptr)
    {
      if constexpr (IsPackable)
      {
        CudaFilters::LoadPacks(this->Pixels, values, first, packs);
      }
      else
      {
        static_assert(VWidth == 1, "Pixels of other sizes than powers of two are loaded one by one.");
        ForEachPack<VPacks>(first, packs, [&](int i, std::int64_t place) { values[i][0] = this->Pixels[place]; });
      }
      return;
    }
#pragma unroll
    for (int i = 0; i < VPacks; ++i)
    {
#pragma unroll
      for (int j = 0; j < VWidth; ++j)
      {
        values[i][j] = this->Constant;
      }
    }
  }

  __device__ TPixel
  LoadPixel(std::int64_t x, std::int64_t y, std::int64_t z) const
  {
    return this->Pixels == nullptr ? this->Constant : this->Pixels[this->Strides.GetOffset(x, y, z)];
  }
};

template <typename TPixel>
struct PixelWriter
{
  static constexpr bool CanStorePacks = HasPackableSize<TPixel> && sizeof(TPixel) <= 4;

  TPixel *   Pixels;
  RowStrides Strides;

  template <int VWidth>
  bool
  IsAligned() const
  {
    return CudaFilters::IsAligned<PixelPack<TPixel, VWidth>>(this->Pixels);
  }

  template <int VPacks, int VWidth, typename TFunctor, typename TGet>
  __device__ void
  StorePacks(const TFunctor &, std::int64_t first, std::int64_t packs, TGet get) const
  {
    CudaFilters::StorePacks<VPacks, VWidth>(
      this->Pixels, first, packs, [&](int i, int j) { return static_cast<TPixel>(get(i, j)); });
  }

  template <typename TFunctor, typename TResult>
  __device__ void
  StorePixel(const TFunctor &, const TResult & result, std::int64_t x, std::int64_t y, std::int64_t z) const
  {
    this->Pixels[this->Strides.GetOffset(x, y, z)] = static_cast<TPixel>(result);
  }
};

/** The number of pixels per thread: as many as 16 bytes of the largest kind hold, if all kinds can be loaded as
 * packs, else one. */
template <typename... TPixels>
constexpr int
GetPixelFunctionWidth()
{
  constexpr std::size_t most = 16;
  std::size_t           largest = 1;
  for (const std::size_t size : { sizeof(TPixels)... })
  {
    largest = size > largest ? size : largest;
  }
  return (HasPackableSize<TPixels> && ...) && largest <= most ? static_cast<int>(most / largest) : 1;
}

template <typename TFunctor, typename TOutput, typename... TInputs>
class PixelFunctorOperation : public LocalOperation
{
public:
  PixelFunctorOperation(const TFunctor & functor, const Region3 & image, const PixelSource<TInputs> &... sources)
    : m_Functor(functor)
    , m_Image(image)
    , m_Sources(sources...)
  {}

  void
  RunRegion(Execution & execution, const RegionOnDevice & region) const override
  {
    this->Run(execution, region, std::index_sequence_for<TInputs...>());
  }

private:
  template <std::size_t... VInputs>
  void
  Run(Execution & execution, const RegionOnDevice & region, std::index_sequence<VInputs...>) const
  {
    const StageScope           stage(execution, "pixel function");
    const PixelWriter<TOutput> writer{ region.GetOutput<TOutput>(), MakeRowStrides(region.OutputRegion) };
    // Constants are not counted among the images. Braces keep the order of the calls.
    unsigned int                              images = 0;
    const std::tuple<PixelReader<TInputs>...> readers{ MakeReader(region, std::get<VInputs>(m_Sources), images)... };
    RunPixelFunctor<GetPixelFunctionWidth<TOutput, TInputs...>()>(
      execution, MakePixelRows(region), region.OutputRegion, m_Image, m_Functor, writer, std::get<VInputs>(readers)...);
  }

  template <typename TInput>
  static PixelReader<TInput>
  MakeReader(const RegionOnDevice & region, const PixelSource<TInput> & source, unsigned int & images)
  {
    if (source.IsConstant)
    {
      return { nullptr, {}, source.Constant };
    }
    const unsigned int i = images++;
    const Region3 &    pixels = region.InputRegions[i];
    return { region.GetInput<TInput>(i) + GetFirstPixel(pixels, region.OutputRegion), MakeRowStrides(pixels), {} };
  }

  TFunctor                            m_Functor;
  Region3                             m_Image;
  std::tuple<PixelSource<TInputs>...> m_Sources;
};

template <typename TFunctor, typename TOutput, typename... TInputs>
OperationPointer
PixelOperationMaker<TFunctor, TOutput, TInputs...>::Make(const TFunctor & functor,
                                                         const Region3 &  image,
                                                         const PixelSource<TInputs> &... sources)
{
  static_assert(std::is_trivially_copyable<TFunctor>::value, "A functor is copied to the device by its bytes.");
  static_assert(std::is_invocable<const TFunctor &, const TInputs &...>::value || TakesPosition<TFunctor, TInputs...>,
                "A functor has a const operator() for pixels of these types, or for them and a PixelPosition.");
  return std::make_unique<PixelFunctorOperation<TFunctor, TOutput, TInputs...>>(functor, image, sources...);
}
} // namespace CudaFilters
} // namespace itk

#endif
