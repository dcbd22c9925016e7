// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersForEachIndex_cuh
#define itkCudaFiltersForEachIndex_cuh

#include "Warp.cuh"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** Calls function(i) for each i from 0 on, below the count: each in one thread of the grid. */
template <typename TFunction>
__device__ __forceinline__ void
ForEachIndex(std::int64_t count, TFunction function)
{
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
  {
    function(i);
  }
}

/** The same, but each i in all lanes of one warp. */
template <typename TFunction>
__device__ __forceinline__ void
ForEachIndexOfWarps(std::int64_t count, TFunction function)
{
  const std::int64_t warps = static_cast<std::int64_t>(gridDim.x) * (blockDim.x / LanesPerWarp);
  for (std::int64_t i = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / LanesPerWarp; i < count;
       i += warps)
  {
    function(i);
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
