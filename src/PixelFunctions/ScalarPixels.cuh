// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersScalarPixels_cuh
#define itkCudaFiltersScalarPixels_cuh

// Pixels whose type is known at run time only. All threads of a kernel take the same branch.

#include "../Device/ToPixel.cuh"
#include "CudaFilters/detail/PixelPack.cuh"
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

/** Reads pixels as TValue, or a constant in their place. A reader of PixelFunctionKernel. */
template <typename TValue>
struct ScalarReader
{
  using ValueType = TValue;

  template <int VWidth>
  struct Pack
  {
    TValue Values[VWidth];
  };

  const void * Pixels;
  std::int64_t First;
  RowStrides   Strides;
  ScalarType   Type;
  TValue       Constant;

  template <int VWidth>
  __device__ void
  Load(TValue (&values)[VWidth], std::int64_t line, std::int64_t slice, std::int64_t place, std::int64_t count) const
  {
    if (this->Pixels == nullptr)
    {
#pragma unroll
      for (int j = 0; j < VWidth; ++j)
      {
        values[j] = this->Constant;
      }
      return;
    }
    const std::int64_t at = this->First + slice * this->Strides.Slice + line * this->Strides.Row + place;
    WithScalar(this->Type, [&](auto pixel) {
      using Pixel = decltype(pixel);
      if constexpr (IsPackable<Pixel, VWidth> && IsReadable<Pixel, TValue>)
      {
        PixelPack<Pixel, VWidth> pack;
        pack.Load(static_cast<const Pixel *>(this->Pixels) + at, count);
#pragma unroll
        for (int j = 0; j < VWidth; ++j)
        {
          values[j] = static_cast<TValue>(pack.Values[j]);
        }
      }
    });
  }
};

/** The bytes of an output pixel, as a result of a functor that only chooses among given ones. */
struct RawPixel
{
  std::uint64_t Bytes;
};

/** Either a number or the bytes of an output pixel. */
template <typename TValue>
struct NumberOrRaw
{
  TValue        Number;
  bool          IsRaw;
  std::uint64_t Raw;
};

template <typename TPixel>
__device__ __forceinline__ TPixel
FromBytes(std::uint64_t bytes)
{
  TPixel pixel;
  std::memcpy(&pixel, &bytes, sizeof(pixel));
  return pixel;
}

template <typename TPixel, typename TValue>
__device__ __forceinline__ TPixel
ToOutput(TValue value)
{
  return ToPixel<TPixel>(value);
}
template <typename TPixel>
__device__ __forceinline__ TPixel
ToOutput(RawPixel raw)
{
  return FromBytes<TPixel>(raw.Bytes);
}
template <typename TPixel, typename TValue>
__device__ __forceinline__ TPixel
ToOutput(const NumberOrRaw<TValue> & result)
{
  return result.IsRaw ? FromBytes<TPixel>(result.Raw) : ToPixel<TPixel>(result.Number);
}

/** Converts results as C++ does, and stores them. A writer of PixelFunctionKernel. */
struct ScalarWriter
{
  void *     Pixels;
  RowStrides Strides;
  ScalarType Type;

  template <int VWidth, typename TResult>
  __device__ void
  Store(const TResult (&results)[VWidth], std::int64_t line, std::int64_t slice, std::int64_t place, std::int64_t count)
    const
  {
    const std::int64_t at = slice * this->Strides.Slice + line * this->Strides.Row + place;
    WithScalar(this->Type, [&](auto pixel) {
      using Pixel = decltype(pixel);
      if constexpr (IsPackable<Pixel, VWidth>)
      {
        PixelPack<Pixel, VWidth> pack;
#pragma unroll
        for (int j = 0; j < VWidth; ++j)
        {
          pack.Values[j] = ToOutput<Pixel>(results[j]);
        }
        pack.Store(static_cast<Pixel *>(this->Pixels) + at, count);
      }
    });
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
