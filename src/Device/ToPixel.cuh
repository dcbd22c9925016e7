// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersToPixel_cuh
#define itkCudaFiltersToPixel_cuh

#include "Launch.h"
#include <cstdint>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** Converts a number to a pixel: truncated towards zero. C++ leaves the result open for a number outside the range of
 * the type. This function does what compilers do in most loops: on x86, a number in the range of int (long, for
 * unsigned int) wraps around, and any other number, NaN included, becomes 0, or the lowest int; on ARM, numbers outside
 * the range of int become its limits, and negative numbers become 0 in unsigned types. ITK's CPU filters may differ on
 * ARM, since compilers choose other instructions when they vectorize a loop. */
template <typename TPixel, typename TReal>
__device__ inline TPixel
ToPixel(TReal value)
{
  if constexpr (std::is_integral<TPixel>::value && std::is_floating_point<TReal>::value)
  {
#if defined(__aarch64__)
    using Integer = std::conditional_t<std::is_unsigned<TPixel>::value, unsigned int, int>;
    return static_cast<TPixel>(static_cast<Integer>(value));
#else
    // x86 converts other numbers to the lowest int or long, whose last bytes are 0.
    constexpr bool isUnsignedInt = std::is_unsigned<TPixel>::value && sizeof(TPixel) == sizeof(int);
    using Integer = std::conditional_t<isUnsignedInt, std::int64_t, int>;
    constexpr TReal   limit = isUnsignedInt ? 9223372036854775808.0 : 2147483648.0;
    constexpr Integer other = isUnsignedInt ? 0 : -2147483647 - 1;
    return static_cast<TPixel>(value >= -limit && value < limit ? static_cast<Integer>(value) : other);
#endif
  }
  else
  {
    return static_cast<TPixel>(value);
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
