// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersWriteNumbers_cuh
#define itkCudaFiltersWriteNumbers_cuh

// The kernel that writes the numbers of objects as pixels.

#include "../Device/Launch.h"
#include "CudaFilters/detail/PixelPack.cuh"
#include "ComponentNumbers.cuh"

namespace itk
{
namespace CudaFilters
{
constexpr int WriteThreads = 256;

/** Writes the number of each object into its pixels, and the value of the background into all others. Each thread finds
 * the numbers of one group's word; then the threads of a block write the pixels of their groups together. */
template <typename TConnectivity, typename TLabel, typename TOutput>
__global__ void
__launch_bounds__(WriteThreads) WriteNumbersKernel(GroupedImage<TConnectivity> image,
                                                   int                         width,
                                                   LabelForest<TLabel>         forest,
                                                   TOutput                     background,
                                                   TOutput *                   output)
{
  using C = TConnectivity;
  constexpr int packWidth = PackWidth<TOutput>;
  constexpr int packsPerWord = PixelsPerWord / packWidth;
  constexpr int manyRuns = 6;
  CUDAFILTERS_SHARED(TLabel, numbers, [WriteThreads][PaddedLabelsPerWord]); // first the labels of runs
  CUDAFILTERS_SHARED(std::uint32_t, words, [C::Rows][WriteThreads]);
  CUDAFILTERS_SHARED(std::uint32_t, starts, [WriteThreads]); // of runs
  CUDAFILTERS_SHARED(std::int64_t, offsets, [WriteThreads]); // of the first pixel
  CUDAFILTERS_SHARED(int, columnsLeft, [WriteThreads]);
  CUDAFILTERS_SHARED(int, rowsThere, [WriteThreads]); // as bits

  const auto         thread = static_cast<int>(threadIdx.x);
  const std::int64_t groups = image.GetNumberOfGroupWords();
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * WriteThreads; first < groups;
       first += static_cast<std::int64_t>(gridDim.x) * WriteThreads)
  {
    int runs = 0;
    rowsThere[thread] = 0;
    columnsLeft[thread] = 0;
    if (first + thread < groups)
    {
      const GroupIndex    index = image.GetIndex(first + thread);
      const GroupWord<C>  group = image.Load(index);
      const std::uint32_t columns = group.GetUnion();
      const int           y = index.Y * C::RowsAlongY;
      const int           z = index.Z * C::RowsAlongZ;
      offsets[thread] =
        (static_cast<std::int64_t>(z) * image.Height + y) * width + static_cast<std::int64_t>(index.X) * PixelsPerWord;
      columnsLeft[thread] = width - index.X * PixelsPerWord;
      starts[thread] = GetStarts(columns);
#pragma unroll
      for (int row = 0; row < C::Rows; ++row)
      {
        words[row][thread] = group.Rows[row];
        rowsThere[thread] |= image.GetWordNumber(index, row) >= 0 ? 1 << row : 0;
      }
      ForEachRun(columns, [&](int firstColumn, std::uint32_t columnsOfRun) {
        numbers[thread][runs] = image.template GetLabel<TLabel>(index, group, ColumnRun{ firstColumn, columnsOfRun });
        ++runs;
      });
    }
    const auto replaceByNumber = [&](TLabel & label) { label = FindNumber(forest, label) & ~IsNumber<TLabel>; };
    if (__any_sync(AllLanes, runs > manyRuns ? 1 : 0) != 0)
    {
      __syncwarp();
      ForEachSlotOfWarp([&](int lane, int run) {
        if (run < __shfl_sync(AllLanes, runs, lane))
        {
          replaceByNumber(numbers[thread - GetLaneOfWarp() + lane][run]);
        }
      });
    }
    else
    {
      for (int run = 0; run < runs; ++run)
      {
        replaceByNumber(numbers[thread][run]);
      }
    }
    __syncthreads();
#pragma unroll
    for (int row = 0; row < C::Rows; ++row)
    {
      const std::int64_t rowOffset =
        (static_cast<std::int64_t>(row / C::RowsAlongY) * image.Height + row % C::RowsAlongY) * width;
      for (int pack = thread; pack < WriteThreads * packsPerWord; pack += WriteThreads)
      {
        const int word = pack / packsPerWord;
        const int column = pack % packsPerWord * packWidth;
        const int left = columnsLeft[word] - column;
        if ((rowsThere[word] >> row & 1) == 0 || left <= 0)
        {
          continue;
        }
        const std::uint32_t           bits = words[row][word] >> column;
        const std::uint32_t           startsFromHere = starts[word] >> column;
        int                           run = __popc(starts[word] & ((1u << column) - 1u)) - 1;
        PixelPack<TOutput, packWidth> pixels;
#pragma unroll
        for (int i = 0; i < packWidth; ++i)
        {
          run += static_cast<int>(startsFromHere >> i & 1u);
          pixels.Values[i] = (bits >> i & 1u) != 0 ? static_cast<TOutput>(numbers[word][run]) : background;
        }
        pixels.Store(output + offsets[word] + rowOffset + column, left);
      }
    }
    __syncthreads(); // before the next groups
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
