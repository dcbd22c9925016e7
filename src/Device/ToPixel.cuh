// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersToPixel_cuh
#define itkCudaFiltersToPixel_cuh

#include "Launch.h"
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** Converts a number to a pixel: truncated towards zero. C++ leaves the result open for a number outside the range of
 * the type. This function does what compilers do in most loops: on x86, a number in the range of int wraps around; on
 * ARM, negative numbers become 0 in unsigned types. ITK's CPU filters may differ, since compilers choose other
 * instructions when they vectorize a loop. */
template <typename TPixel, typename TReal>
__device__ inline TPixel
ToPixel(TReal value)
{
  if constexpr (std::is_integral<TPixel>::value)
  {
#if defined(__aarch64__)
    using Integer = std::conditional_t<std::is_unsigned<TPixel>::value, unsigned int, int>;
#else
    using Integer = int;
#endif
    return static_cast<TPixel>(static_cast<Integer>(value));
  }
  else
  {
    return static_cast<TPixel>(value);
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
