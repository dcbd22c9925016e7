// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersWarp_cuh
#define itkCudaFiltersWarp_cuh

// What the lanes of a warp do together. All lanes must call the functions.

#include "Launch.h"
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
constexpr unsigned int AllLanes = 0xffffffffu;
constexpr int          LanesPerWarp = 32;

__device__ __forceinline__ int
GetLaneOfWarp()
{
  return static_cast<int>(threadIdx.x % LanesPerWarp);
}

/** The sum of the values of this lane and those before it. */
__device__ __forceinline__ int
AddLanesUpToThis(int value)
{
#pragma unroll
  for (int lanes = 1; lanes < LanesPerWarp; lanes *= 2)
  {
    const int before = __shfl_up_sync(AllLanes, value, lanes);
    value += GetLaneOfWarp() >= lanes ? before : 0;
  }
  return value;
}

/** A value, and the number of the object that has it. */
template <typename TValue>
struct IndexedValue
{
  TValue Value;
  int    Index;

  /** Whether this one has the lesser value or, of equal values, the lesser index. */
  __device__ bool
  IsBefore(const IndexedValue & other) const
  {
    // Without branches.
    return (this->Value < other.Value) | ((this->Value == other.Value) & (this->Index < other.Index));
  }
};

/** The first of the values of VLanes adjacent lanes in the order of IndexedValue::IsBefore(). */
template <int VLanes = LanesPerWarp, typename TValue>
__device__ __forceinline__ IndexedValue<TValue>
                           FindFirstOfLanes(IndexedValue<TValue> first)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  if constexpr (VLanes == LanesPerWarp && std::is_same<TValue, int>::value)
  {
    const int value = __reduce_min_sync(AllLanes, first.Value);
    const int index = __reduce_min_sync(AllLanes, first.Value == value ? first.Index : 0x7fffffff);
    return { value, index };
  }
#endif
#pragma unroll
  for (int distance = VLanes / 2; distance > 0; distance /= 2)
  {
    const IndexedValue<TValue> other{ __shfl_xor_sync(AllLanes, first.Value, distance),
                                      __shfl_xor_sync(AllLanes, first.Index, distance) };
    first = other.IsBefore(first) ? other : first;
  }
  return first;
}
} // namespace CudaFilters
} // namespace itk

#endif
