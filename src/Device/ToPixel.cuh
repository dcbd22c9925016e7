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
/** A number as a pixel: integers are cut off towards zero, and those too large for the type, but not for an int, wrap
 * around, as with the compilers of x86 processors. */
template <typename TPixel, typename TReal>
__device__ inline TPixel
ToPixel(TReal value)
{
  if constexpr (std::is_integral<TPixel>::value)
  {
    return static_cast<TPixel>(static_cast<int>(value));
  }
  else
  {
    return static_cast<TPixel>(value);
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
