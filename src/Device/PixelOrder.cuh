// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersPixelOrder_cuh
#define itkCudaFiltersPixelOrder_cuh

#include "Launch.h"
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** Maps pixels to integers that have the same order, so that one implementation serves all pixel types; or the reverse
 * order, which turns erosion into dilation. Both floating-point zeros map to the same integer. NaN is not supported. */
template <typename TPixel>
class PixelOrder
{
public:
  using ValueType = std::conditional_t<sizeof(TPixel) == 8, long long, int>;
  static constexpr bool IsReal = std::is_floating_point<TPixel>::value;

  /** Less than the value of every pixel. */
  static constexpr ValueType Lowest =
    sizeof(TPixel) == 8 ? static_cast<ValueType>(1ull << 63) : static_cast<ValueType>(1u << 31);

  /** flip: 0, or all bits set for the reverse order. */
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

  /** The lowest and the highest value of all pixels, infinities included, and of the finite pixels. */
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

  /** The next lower value, or the lowest value itself. */
  __device__ static ValueType
  StepDown(ValueType value, ValueType flip)
  {
    // The value below that of zero belongs to negative zero, which Encode() never returns: skip it.
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
  /** Maps the bits of a negative number to the correct order: of two negative numbers, the one with greater bits is
   * lower. */
  __device__ static ValueType
  ReverseNegative(ValueType value)
  {
    return value < 0 ? value ^ ~Lowest : value;
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
