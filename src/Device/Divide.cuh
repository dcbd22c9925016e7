// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersDivide_cuh
#define itkCudaFiltersDivide_cuh

#include "Launch.h"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** The quotient of numbers that are not negative. A division of 64 bits is slow, and seldom necessary. */
__device__ __forceinline__ std::int64_t
                           Divide(std::int64_t number, int divisor)
{
  return number <= 0xffffffff ? static_cast<std::uint32_t>(number) / static_cast<std::uint32_t>(divisor)
                              : number / divisor;
}
} // namespace CudaFilters
} // namespace itk

#endif
