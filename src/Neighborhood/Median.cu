// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "NeighborhoodOperation.cuh"
#include "../Device/PixelDispatch.h"
#include "CudaFilters/detail/MedianOperation.h"
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** Three numbers in ascending order. */
template <typename TValue>
struct Sorted
{
  TValue Least;
  TValue Middle;
  TValue Greatest;
};

template <typename TValue>
__device__ __forceinline__ TValue
Lesser(TValue a, TValue b)
{
  return b < a ? b : a;
}
template <typename TValue>
__device__ __forceinline__ TValue
Greater(TValue a, TValue b)
{
  return a < b ? b : a;
}

template <typename TValue>
__device__ __forceinline__ Sorted<TValue>
                           Sort(TValue a, TValue b, TValue c)
{
  const TValue low = Lesser(a, b);
  const TValue high = Greater(a, b);
  const TValue rest = Greater(low, c);
  return { Lesser(low, c), Lesser(rest, high), Greater(rest, high) };
}

template <typename TValue>
__device__ __forceinline__ TValue
FindMiddle(TValue a, TValue b, TValue c)
{
  return Greater(Lesser(a, b), Lesser(Greater(a, b), c));
}

/** The median of 3 x 3 pixels: of the greatest of the least, the middle of the middle, and the least of the greatest
 * pixels of the three rows. Each sorted row serves three pixels, one below the other, of a thread. */
template <typename TPixel>
struct MedianOfNine
{
  using Value = std::conditional_t<std::is_integral<TPixel>::value, int, TPixel>;

  template <typename TNeighbours>
  __device__ Value
  operator()(const TNeighbours & neighbours) const
  {
    const auto sortRow = [&](int y) { return Sort<Value>(neighbours(-1, y), neighbours(0, y), neighbours(1, y)); };
    const Sorted<Value> above = sortRow(-1);
    const Sorted<Value> here = sortRow(0);
    const Sorted<Value> below = sortRow(1);
    return FindMiddle(Greater(Greater(above.Least, here.Least), below.Least),
                      FindMiddle(above.Middle, here.Middle, below.Middle),
                      Lesser(Lesser(above.Greatest, here.Greatest), below.Greatest));
  }
};

/** Integers in the order of the pixels. */
template <typename TPixel>
struct MedianKey
{
  using Type = std::conditional_t<sizeof(TPixel) == 8, std::uint64_t, std::uint32_t>;

  static constexpr int Bits = 8 * sizeof(TPixel);

  __device__ static Type
  Get(TPixel pixel)
  {
    constexpr Type sign = Type{ 1 } << (Bits - 1);
    if constexpr (std::is_integral<TPixel>::value)
    {
      return static_cast<Type>(static_cast<std::make_unsigned_t<TPixel>>(pixel)) ^
             (std::is_signed<TPixel>::value ? sign : 0);
    }
    else
    {
      Type bits;
      std::memcpy(&bits, &pixel, sizeof(bits));
      return (bits & sign) != 0 ? ~bits : bits | sign;
    }
  }

  __device__ static TPixel
  ToPixel(Type key)
  {
    constexpr Type sign = Type{ 1 } << (Bits - 1);
    if constexpr (std::is_integral<TPixel>::value)
    {
      return static_cast<TPixel>(key ^ (std::is_signed<TPixel>::value ? sign : 0));
    }
    else
    {
      const Type bits = (key & sign) != 0 ? key ^ sign : ~key;
      TPixel     pixel;
      std::memcpy(&pixel, &bits, sizeof(pixel));
      return pixel;
    }
  }
};

/** The median of any box, bit by bit: it is the greatest number below which no more than half of the pixels are. */
template <typename TPixel>
struct MedianOfBox
{
  int Radius[3];

  template <typename TNeighbours>
  __device__ TPixel
  operator()(const TNeighbours & neighbours) const
  {
    using Key = MedianKey<TPixel>;

    const int          half = (2 * this->Radius[0] + 1) * (2 * this->Radius[1] + 1) * (2 * this->Radius[2] + 1) / 2;
    typename Key::Type median = 0;
#pragma unroll 1
    for (int bit = Key::Bits - 1; bit >= 0; --bit)
    {
      const typename Key::Type candidate = median | (typename Key::Type{ 1 } << bit);
      int                      below = 0;
#pragma unroll 1
      for (int z = -this->Radius[2]; z <= this->Radius[2]; ++z)
      {
#pragma unroll 1
        for (int y = -this->Radius[1]; y <= this->Radius[1]; ++y)
        {
#pragma unroll 1
          for (int x = -this->Radius[0]; x <= this->Radius[0]; ++x)
          {
            below += Key::Get(neighbours(x, y, z)) < candidate;
          }
        }
      }
      median = below <= half ? candidate : median;
    }
    return Key::ToPixel(median);
  }
};
} // namespace

OperationPointer
MakeMedianOperation(const Size3 & radius, PixelType input, ScalarType output)
{
  return WithPixel(input, [&](auto pixel) {
    using Pixel = decltype(pixel);
    return radius[0] == 1 && radius[1] == 1 && radius[2] == 0
             ? MakeNeighborhoodOperation<Pixel>("median", radius, MedianOfNine<Pixel>{}, output)
             : MakeNeighborhoodOperation<Pixel>(
                 "median",
                 radius,
                 MedianOfBox<Pixel>{
                   { static_cast<int>(radius[0]), static_cast<int>(radius[1]), static_cast<int>(radius[2]) } },
                 output);
  });
}
} // namespace CudaFilters
} // namespace itk
