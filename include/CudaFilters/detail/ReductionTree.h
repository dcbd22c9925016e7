// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_ReductionTree_h
#define CudaFilters_detail_ReductionTree_h

// The order in which pixels are combined to one value, which is the same on all devices and on the CPU, so that
// rounding errors are the same, too.
//
// The pixels of the region are numbered in the order of memory. Leaves are pieces of LeafLength pixels. Within a leaf,
// pixel i belongs to thread i / LeafPack % LeafThreads. A thread combines its pixels in ascending order: separately for
// each i % LeafPack if values are small, so that sums do not wait for each other. Then the values of the threads of
// each warp, and then those of the warps, are combined in pairs whose distance halves from step to step. The values of
// the leaves are combined by the same rule, until one is left.

#include "CudaFilters/HostDevice.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace itk
{
namespace CudaFilters
{
constexpr int LeafPack = 4;
constexpr int LeafThreads = 256;
constexpr int LeafRounds = 8;
constexpr int LeafLength = LeafPack * LeafThreads * LeafRounds;
constexpr int LeafWarp = 32;
constexpr int LeafWarps = LeafThreads / LeafWarp;

constexpr std::int64_t
GetNumberOfLeaves(std::int64_t pixels)
{
  return (pixels + LeafLength - 1) / LeafLength;
}

/** The number of values per thread. */
template <typename TValue>
constexpr int SumsPerThread = sizeof(TValue) <= 8 ? LeafPack : 1;

/** Combines the values of one thread. */
template <typename TReducer, typename TValue>
CUDAFILTERS_HOST_DEVICE TValue
CombineSums(const TReducer & reducer, const TValue (&sums)[LeafPack])
{
  return reducer.Combine(reducer.Combine(sums[0], sums[1]), reducer.Combine(sums[2], sums[3]));
}
template <typename TReducer, typename TValue>
CUDAFILTERS_HOST_DEVICE TValue
CombineSums(const TReducer &, const TValue (&sums)[1])
{
  return sums[0];
}

/** Combines values[i] with values[i + distance] for all i below the distance, which is halfWidth, half of it, and so on
 * to 1. The result is the first value. */
template <typename TReducer, typename TValue>
CUDAFILTERS_HOST_DEVICE void
CombinePairs(const TReducer & reducer, TValue * values, int halfWidth)
{
  for (int distance = halfWidth; distance > 0; distance /= 2)
  {
    for (int i = 0; i < distance; ++i)
    {
      values[i] = reducer.Combine(values[i], values[i + distance]);
    }
  }
}

/** Reduces a leaf of up to LeafLength pixels on the CPU. get(i): the transformed pixel. */
template <typename TReducer, typename TGet>
typename TReducer::ValueType
ReduceLeafOnHost(const TReducer & reducer, std::int64_t count, TGet get)
{
  using Value = typename TReducer::ValueType;
  constexpr int sumsPerThread = SumsPerThread<Value>;

  std::vector<Value> sums(LeafThreads * sumsPerThread, reducer.GetIdentity());
  for (std::int64_t i = 0; i < count; ++i)
  {
    const std::int64_t place = i % (LeafPack * LeafThreads);
    Value &            sum = sums[sumsPerThread == LeafPack ? place : place / LeafPack];
    sum = reducer.Combine(sum, get(i));
  }
  Value ofWarps[LeafWarps];
  for (int warp = 0; warp < LeafWarps; ++warp)
  {
    Value ofThreads[LeafWarp];
    for (int lane = 0; lane < LeafWarp; ++lane)
    {
      Value ofThread[sumsPerThread];
      std::copy_n(&sums[(warp * LeafWarp + lane) * sumsPerThread], sumsPerThread, ofThread);
      ofThreads[lane] = CombineSums(reducer, ofThread);
    }
    CombinePairs(reducer, ofThreads, LeafWarp / 2);
    ofWarps[warp] = ofThreads[0];
  }
  CombinePairs(reducer, ofWarps, LeafWarps / 2);
  return ofWarps[0];
}

/** Combines the values of all leaves on the CPU. */
template <typename TReducer>
typename TReducer::ValueType
CombineLeavesOnHost(const TReducer & reducer, std::vector<typename TReducer::ValueType> values)
{
  if (values.empty())
  {
    return reducer.GetIdentity();
  }
  while (values.size() > 1)
  {
    const auto leaves = static_cast<std::size_t>(GetNumberOfLeaves(static_cast<std::int64_t>(values.size())));
    for (std::size_t leaf = 0; leaf < leaves; ++leaf)
    {
      const std::size_t first = leaf * LeafLength;
      const auto        count = static_cast<std::int64_t>(std::min<std::size_t>(LeafLength, values.size() - first));
      values[leaf] = ReduceLeafOnHost(reducer, count, [&](std::int64_t i) { return values[first + i]; });
    }
    values.resize(leaves);
  }
  return values.front();
}
} // namespace CudaFilters
} // namespace itk

#endif
