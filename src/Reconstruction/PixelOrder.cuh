// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersPixelOrder_cuh
#define itkCudaFiltersPixelOrder_cuh

#include "../Device/Launch.h"
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** Pixels as integers in the same order, so that one code serves all types; and in the opposite order for erosion,
 * which is dilation then. Both zeros of floating point are one. NaN has no place in it. */
template <typename TPixel>
class PixelOrder
{
public:
  using ValueType = std::conditional_t<sizeof(TPixel) == 8, long long, int>;
  static constexpr bool IsReal = std::is_floating_point<TPixel>::value;

  /** Below all pixels. */
  static constexpr ValueType Lowest =
    sizeof(TPixel) == 8 ? static_cast<ValueType>(1ull << 63) : static_cast<ValueType>(1u << 31);

  /** flip: 0, or all bits for the opposite order. */
  __device__ static ValueType
  Encode(TPixel pixel, ValueType flip)
  {
    if constexpr (IsReal)
    {
      return ReverseNegative(Copy<ValueType>(pixel + TPixel(0))) ^ flip;
    }
    else
    {
      return static_cast<ValueType>(pixel) ^ flip;
    }
  }
  __device__ static TPixel
  Decode(ValueType value, ValueType flip)
  {
    if constexpr (IsReal)
    {
      return Copy<TPixel>(ReverseNegative(value ^ flip));
    }
    else
    {
      return static_cast<TPixel>(value ^ flip);
    }
  }

  /** The lowest and the highest of all pixels, infinite if there is such a thing, and of the finite ones. */
  __device__ static ValueType
  GetFirst(ValueType flip)
  {
    return flip == 0 ? Encode(GetLeast(), 0) : Encode(GetMost(), flip);
  }
  __device__ static ValueType
  GetLast(ValueType flip)
  {
    return flip == 0 ? Encode(GetMost(), 0) : Encode(GetLeast(), flip);
  }
  __device__ static ValueType
  GetFirstFinite(ValueType flip)
  {
    return IsReal ? GetFirst(flip) + 1 : GetFirst(flip);
  }
  __device__ static ValueType
  GetLastFinite(ValueType flip)
  {
    return IsReal ? GetLast(flip) - 1 : GetLast(flip);
  }

  /** The next lower value, or, of the lowest, itself. */
  __device__ static ValueType
  StepDown(ValueType value, ValueType flip)
  {
    // Next to zero is negative zero, which is no other value.
    const ValueType negativeZero = flip == 0 ? ValueType(-1) : ValueType(0);
    const ValueType lower = value - 1;
    return value == GetFirst(flip) ? value : IsReal && lower == negativeZero ? lower - 1 : lower;
  }

private:
  __device__ static TPixel
  GetMost()
  {
    if constexpr (IsReal)
    {
      return Copy<TPixel>(sizeof(TPixel) == 8 ? static_cast<ValueType>(0x7ff0000000000000ll)
                                              : static_cast<ValueType>(0x7f800000));
    }
    else
    {
      return static_cast<TPixel>(std::is_signed<TPixel>::value ? (1 << (8 * sizeof(TPixel) - 1)) - 1 : -1);
    }
  }
  __device__ static TPixel
  GetLeast()
  {
    if constexpr (IsReal)
    {
      return -GetMost();
    }
    else
    {
      return static_cast<TPixel>(std::is_signed<TPixel>::value ? -(1 << (8 * sizeof(TPixel) - 1)) : 0);
    }
  }
  template <typename TTo, typename TFrom>
  __device__ static TTo
  Copy(TFrom from)
  {
    static_assert(sizeof(TTo) == sizeof(TFrom), "Bits are copied.");
    TTo to;
    memcpy(&to, &from, sizeof(to));
    return to;
  }
  /** Of two negative numbers, the one with the larger bits is the smaller. */
  __device__ static ValueType
  ReverseNegative(ValueType value)
  {
    return value < 0 ? value ^ ~Lowest : value;
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
