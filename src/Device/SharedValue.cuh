// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersSharedValue_cuh
#define itkCudaFiltersSharedValue_cuh

// Loads of values that other threads may change at the same time.

#include "Launch.h"

/** On the emulated device, which has its own definition, other threads may run here. */
#ifndef CUDAFILTERS_MAY_YIELD
#  define CUDAFILTERS_MAY_YIELD()
#endif

namespace itk
{
namespace CudaFilters
{
template <typename TValue>
__device__ __forceinline__ TValue
LoadSharedValue(const TValue * address)
{
  CUDAFILTERS_MAY_YIELD();
  return *static_cast<const volatile TValue *>(address);
}
} // namespace CudaFilters
} // namespace itk

#endif
