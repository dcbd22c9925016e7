// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersReplaceLabels_cuh
#define itkCudaFiltersReplaceLabels_cuh

#include "../Device/ForEachIndex.cuh"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** Labels as unsigned integers, in ascending order, and those that take their place. */
struct LabelList
{
  const std::uint64_t * Labels;
  const std::uint64_t * NewLabels;
  std::int64_t          Count;

  /** The label's place; it must be in the list. */
  __device__ std::int64_t
             Find(std::uint64_t label) const
  {
    std::int64_t first = 0;
    std::int64_t last = this->Count - 1;
    // Mostly, there are no gaps.
    const auto distance = static_cast<std::int64_t>(label - this->Labels[0]);
    if (distance <= last && this->Labels[distance] == label)
    {
      return distance;
    }
    while (first < last)
    {
      const std::int64_t middle = (first + last) / 2;
      if (this->Labels[middle] < label)
      {
        first = middle + 1;
      }
      else
      {
        last = middle;
      }
    }
    return first;
  }
};

/** Replaces labels; 0 stays. */
template <typename TLabel, typename TOutput>
__global__ void
ReplaceLabelsKernel(const TLabel * labels, std::int64_t count, LabelList list, TOutput * output)
{
  TLabel  last = 0;
  TOutput lastNew = 0;
  ForEachIndex(count, [&](std::int64_t i) {
    const TLabel label = labels[i];
    if (label != last)
    {
      last = label;
      lastNew = label == 0 ? TOutput{ 0 } : static_cast<TOutput>(list.NewLabels[list.Find(label)]);
    }
    output[i] = lastNew;
  });
}
} // namespace CudaFilters
} // namespace itk

#endif
