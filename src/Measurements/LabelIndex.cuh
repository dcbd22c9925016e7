// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersLabelIndex_cuh
#define itkCudaFiltersLabelIndex_cuh

// Which labels an image has, and where a table has the object of a label: at the label itself or, if that would be a
// table with many gaps, at the number of labels before it.

#include "../Device/ForEachIndex.cuh"
#include "../Device/SharedValue.cuh"
#include "../Device/Warp.cuh"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
constexpr int LabelsPerMark = 32;
constexpr int MarksPerSum = 32;

struct LabelIndex
{
  const std::uint32_t * Marks = nullptr;  // a bit for each label; nullptr: the place of a label is the label itself
  const std::uint64_t * Before = nullptr; // how many labels there are before so many words of marks

  __device__ std::uint64_t
             GetPlace(std::uint64_t label) const
  {
    if (this->Marks == nullptr)
    {
      return label;
    }
    const std::uint64_t word = label / LabelsPerMark;
    std::uint64_t       place = this->Before[word / MarksPerSum];
    for (std::uint64_t i = word / MarksPerSum * MarksPerSum; i < word; ++i)
    {
      place += static_cast<std::uint64_t>(__popc(this->Marks[i]));
    }
    const std::uint32_t before = this->Marks[word] & ((1u << static_cast<int>(label % LabelsPerMark)) - 1u);
    return place + static_cast<std::uint64_t>(__popc(before));
  }
};

/** Finds the greatest label but the background. */
template <typename TLabel>
__global__ void
FindGreatestLabelKernel(const TLabel * labels, std::int64_t count, TLabel background, unsigned long long * greatest)
{
  unsigned long long mine = 0;
  ForEachIndex(count, [&](std::int64_t i) {
    const TLabel label = labels[i];
    mine = label != background && label > mine ? label : mine;
  });
#pragma unroll
  for (int lanes = 1; lanes < LanesPerWarp; lanes *= 2)
  {
    const unsigned long long other = __shfl_xor_sync(AllLanes, mine, lanes);
    mine = other > mine ? other : mine;
  }
  if (GetLaneOfWarp() == 0 && mine > LoadSharedValue(greatest))
  {
    atomicMax(greatest, mine);
  }
}

/** Marks the labels that occur, but for the background. */
template <typename TLabel>
__global__ void
MarkLabelsKernel(const TLabel * labels, std::int64_t count, TLabel background, std::uint32_t * marks)
{
  TLabel last = background;
  ForEachIndex(count, [&](std::int64_t i) {
    const TLabel label = labels[i];
    if (label != last && label != background)
    {
      std::uint32_t * const word = marks + label / LabelsPerMark;
      const std::uint32_t   mark = 1u << static_cast<int>(label % LabelsPerMark);
      if ((LoadSharedValue(word) & mark) == 0)
      {
        atomicOr(word, mark);
      }
    }
    last = label;
  });
}

/** Counts the marks in each MarksPerSum words. */
__global__ void
CountMarkedLabelsKernel(const std::uint32_t * marks, std::int64_t sums, std::uint64_t * counts)
{
  ForEachIndex(sums, [&](std::int64_t i) {
    int count = 0;
    for (int word = 0; word < MarksPerSum; ++word)
    {
      count += __popc(marks[i * MarksPerSum + word]);
    }
    counts[i] = static_cast<std::uint64_t>(count);
  });
}

/** Lists the labels that are marked. before: how many there are before each MarksPerSum words. */
__global__ void
ListLabelsKernel(const std::uint32_t * marks, const std::uint64_t * before, std::int64_t sums, std::uint64_t * list)
{
  ForEachIndex(sums, [&](std::int64_t i) {
    std::uint64_t place = before[i];
    for (int word = 0; word < MarksPerSum; ++word)
    {
      for (std::uint32_t bits = marks[i * MarksPerSum + word]; bits != 0; bits &= bits - 1)
      {
        list[place] = static_cast<std::uint64_t>(i * MarksPerSum + word) * LabelsPerMark +
                      static_cast<std::uint64_t>(__ffs(static_cast<int>(bits)) - 1);
        ++place;
      }
    }
  });
}
} // namespace CudaFilters
} // namespace itk

#endif
