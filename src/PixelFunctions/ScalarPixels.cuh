// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersScalarPixels_cuh
#define itkCudaFiltersScalarPixels_cuh

// Pixels whose type is known at run time only. All threads of a kernel take the same branch.

#include "../Device/ToPixel.cuh"
#include "CudaFilters/detail/PixelPacks.cuh"
#include "CudaFilters/detail/PixelRows.h"
#include "CudaFilters/detail/ScalarType.h"
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** Whether a kernel that treats VWidth pixels at a time reads and writes pixels of a type: wide kernels serve small
 * types only. */
template <typename TPixel, int VWidth>
constexpr bool IsPackable = VWidth <= 4 || VWidth * sizeof(TPixel) <= 16;

/** Whether a kernel that computes with TValue reads pixels of a type. Computing with int or unsigned int, it does not
 * read what does not fit. */
template <typename TPixel, typename TValue>
constexpr bool IsReadable = std::is_floating_point<TValue>::value
                              ? sizeof(TValue) == sizeof(double) || !std::is_same<TPixel, double>::value
                              : std::is_integral<TPixel>::value &&
                                  (std::is_unsigned<TValue>::value || !std::is_same<TPixel, std::uint32_t>::value);

/** Reads pixels as TValue, or a constant in their place. A reader of PixelPacksKernel. */
template <typename TValue>
struct ScalarReader
{
  using ValueType = TValue;

  const void * Pixels;
  RowStrides   Strides;
  ScalarType   Type;
  TValue       Constant;

  template <int VWidth>
  bool
  IsAligned() const
  {
    bool isAligned = true;
    WithScalar(this->Type, [&](auto pixel) {
      isAligned = CudaFilters::IsAligned<PixelPack<decltype(pixel), VWidth>>(this->Pixels);
    });
    return isAligned;
  }

  template <int VPacks, int VWidth>
  __device__ void
  LoadPacks(TValue (&values)[VPacks][VWidth], std::int64_t first, std::int64_t packs) const
  {
    if (this->Pixels == nullptr)
    {
#pragma unroll
      for (int i = 0; i < VPacks; ++i)
      {
#pragma unroll
        for (int j = 0; j < VWidth; ++j)
        {
          values[i][j] = this->Constant;
        }
      }
      return;
    }
    WithScalar(this->Type, [&](auto pixel) {
      using Pixel = decltype(pixel);
      if constexpr (IsPackable<Pixel, VWidth> && IsReadable<Pixel, TValue>)
      {
        CudaFilters::LoadPacks(static_cast<const Pixel *>(this->Pixels), values, first, packs);
      }
    });
  }

  __device__ TValue
  LoadPixel(std::int64_t x, std::int64_t y, std::int64_t z) const
  {
    TValue value = this->Constant;
    if (this->Pixels != nullptr)
    {
      WithScalar(this->Type, [&](auto pixel) {
        using Pixel = decltype(pixel);
        if constexpr (IsReadable<Pixel, TValue>)
        {
          value = static_cast<TValue>(static_cast<const Pixel *>(this->Pixels)[this->Strides.GetOffset(x, y, z)]);
        }
      });
    }
    return value;
  }
};

/** The result of a functor that only chooses among output pixels that are known: GetBits(Choice) has their bytes. */
struct ChosenPixel
{
  int Choice;
};

/** The result of a functor that computes a number or, if Choice is not 0, chooses an output pixel. */
template <typename TValue>
struct NumberOrChoice
{
  TValue Number;
  int    Choice;
};

/** The result of a functor that computes a number, to be clamped to a range after it has become an output pixel:
 * LowerBits and UpperBits of the functor are its limits. */
struct NumberToClamp
{
  double Number;
};

template <typename TPixel>
__device__ __forceinline__ TPixel
FromBytes(std::uint64_t bytes)
{
  TPixel pixel;
  std::memcpy(&pixel, &bytes, sizeof(pixel));
  return pixel;
}

template <typename TPixel, typename TFunctor, typename TValue>
__device__ __forceinline__ TPixel
ToOutput(const TFunctor &, TValue value)
{
  return ToPixel<TPixel>(value);
}
template <typename TPixel, typename TFunctor>
__device__ __forceinline__ TPixel
ToOutput(const TFunctor & functor, ChosenPixel result)
{
  return FromBytes<TPixel>(functor.GetBits(result.Choice));
}
template <typename TPixel, typename TFunctor, typename TValue>
__device__ __forceinline__ TPixel
ToOutput(const TFunctor & functor, const NumberOrChoice<TValue> & result)
{
  return result.Choice != 0 ? FromBytes<TPixel>(functor.GetBits(result.Choice)) : ToPixel<TPixel>(result.Number);
}

template <typename TPixel, typename TFunctor>
__device__ __forceinline__ TPixel
ToOutput(const TFunctor & functor, NumberToClamp result)
{
  const auto pixel = ToPixel<TPixel>(result.Number);
  const auto lower = FromBytes<TPixel>(functor.LowerBits);
  const auto upper = FromBytes<TPixel>(functor.UpperBits);
  return pixel > upper ? upper : (pixel < lower ? lower : pixel);
}

/** Converts results as C++ does, and stores them. A writer of PixelPacksKernel. */
struct ScalarWriter
{
  static constexpr bool CanStorePacks = true;

  void *     Pixels;
  RowStrides Strides;
  ScalarType Type;

  template <int VWidth>
  bool
  IsAligned() const
  {
    return ScalarReader<double>{ this->Pixels, {}, this->Type, 0.0 }.IsAligned<VWidth>();
  }

  template <int VPacks, int VWidth, typename TFunctor, typename TGet>
  __device__ void
  StorePacks(const TFunctor & functor, std::int64_t first, std::int64_t packs, TGet get) const
  {
    WithScalar(this->Type, [&](auto pixel) {
      using Pixel = decltype(pixel);
      if constexpr (IsPackable<Pixel, VWidth>)
      {
        CudaFilters::StorePacks<VPacks, VWidth>(static_cast<Pixel *>(this->Pixels), first, packs, [&](int i, int j) {
          return ToOutput<Pixel>(functor, get(i, j));
        });
      }
    });
  }

  template <typename TFunctor, typename TResult>
  __device__ void
  StorePixel(const TFunctor & functor, const TResult & result, std::int64_t x, std::int64_t y, std::int64_t z) const
  {
    WithScalar(this->Type, [&](auto pixel) {
      using Pixel = decltype(pixel);
      static_cast<Pixel *>(this->Pixels)[this->Strides.GetOffset(x, y, z)] = ToOutput<Pixel>(functor, result);
    });
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
