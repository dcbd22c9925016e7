// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Statistics of distances: the passes of the distance transform, whose results are summed up at once. All sums are
// formed in an order that depends on the image and its tiles alone, so that they are the same in each run.

#include "DistanceMap.h"
#include "DistancePasses.cuh"
#include "../Device/Copy.h"
#include <array>
#include <cmath>
#include <limits>

namespace itk
{
namespace CudaFilters
{
namespace
{
constexpr unsigned int SummingThreads = 256;
constexpr unsigned int SummingBlocks = 64;

/** As operator+= on the host. */
__device__ inline void
Add(DistanceStatistics & sum, const DistanceStatistics & other)
{
  sum.Sum += other.Sum;
  sum.Largest = other.Largest > sum.Largest ? other.Largest : sum.Largest;
  sum.Number += other.Number;
}

/** A result of the pass along x in the place of distances: the statistics of the pixels of each warp that has taken a
 * part of a line. */
struct StatisticsResult
{
  const unsigned int * Inside;
  const unsigned int * Pixels; // that count
  double               Unit;
  double               NoDistanceAtAll; // what ITK's filter takes in an image without objects
  int                  Width;
  DistanceStatistics * Warps;

  static constexpr bool IsNearest = false;

  void
  Advance(std::int64_t pixels)
  {
    this->Warps += pixels / this->Width * GetWarpsAlongX(this->Width);
  }

  template <typename TCost, int VWarps>
  __device__ void
  Store(LowerEnvelope<TCost, VWarps, false> & envelope, const LineAlongX & line, const ObjectColumns &) const
  {
    DistanceStatistics sum;
    ForEachPixelOfLine(envelope, line, [&](int x, const LaneDistances<TCost> & distances) {
      const unsigned int pixels = line.GetBits(this->Pixels, x);
      const unsigned int outside = pixels & ~line.GetBits(this->Inside, x);
      sum.Number += __popc(pixels);
#pragma unroll
      for (int k = 0; k < PixelsPerLane; ++k)
      {
        if ((outside >> k & 1u) != 0)
        {
          const TCost  squared = distances.Values[k];
          const double distance =
            squared == NoDistance<TCost> ? this->NoDistanceAtAll : this->Unit * sqrt(static_cast<double>(squared));
          sum.Sum += distance;
          sum.Largest = max(sum.Largest, distance);
        }
      }
    });
    __syncwarp();
#pragma unroll
    for (int lanes = 1; lanes < LanesPerWarp; lanes *= 2)
    {
      Add(sum,
          { __shfl_xor_sync(AllLanes, sum.Sum, lanes),
            __shfl_xor_sync(AllLanes, sum.Largest, lanes),
            __shfl_xor_sync(AllLanes, sum.Number, lanes) });
    }
    if (GetLaneOfWarp() == 0)
    {
      this->Warps[line.FirstPixel / this->Width * VWarps + WarpTeam<VWarps>::GetWarp()] = sum;
    }
  }
};

/** Sums up so many statistics, in one number for each block. */
__global__ void
__launch_bounds__(SummingThreads)
  AddStatisticsKernel(const DistanceStatistics * from, std::int64_t number, DistanceStatistics * to)
{
  CUDAFILTERS_SHARED(DistanceStatistics, sums, [SummingThreads]);
  DistanceStatistics sum;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * SummingThreads + threadIdx.x; i < number;
       i += static_cast<std::int64_t>(gridDim.x) * SummingThreads)
  {
    Add(sum, from[i]);
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned int step = SummingThreads / 2; step > 0; step /= 2)
  {
    if (threadIdx.x < step)
    {
      Add(sums[threadIdx.x], sums[threadIdx.x + step]);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0)
  {
    to[blockIdx.x] = sums[0];
  }
}

/** The number of warps that take lines along x, each of them one line, or a part. */
std::int64_t
CountWarpsOfLines(const DistanceSlab & slab)
{
  return slab.GetNumberOfInnerPixels() / slab.Size[0] * GetWarpsAlongX(static_cast<int>(slab.Size[0]));
}
} // namespace

DistanceStatistics
ComputeStatistics(const Execution &          execution,
                  const DistanceArithmetic & arithmetic,
                  const DistanceSlab &       slab,
                  const SlabObjects &        objects,
                  const unsigned int *       pixels)
{
  const std::int64_t warps = CountWarpsOfLines(slab);
  const auto         ofWarps = execution.Allocate(warps * sizeof(DistanceStatistics));
  StatisticsResult   result{ objects.Objects,
                           pixels,
                           arithmetic.Unit,
                           std::sqrt(std::numeric_limits<double>::max()),
                           static_cast<int>(slab.Size[0]),
                           static_cast<DistanceStatistics *>(ofWarps->GetPointer()) };
  RunAllPasses(execution, arithmetic, slab, objects, result);

  std::array<DistanceStatistics, SummingBlocks> ofBlocks;
  const auto                                    onDevice = execution.Allocate(sizeof(ofBlocks));
  Launch(execution,
         "AddStatisticsKernel",
         AddStatisticsKernel,
         { dim3(SummingBlocks), dim3(SummingThreads) },
         static_cast<const DistanceStatistics *>(ofWarps->GetPointer()),
         warps,
         static_cast<DistanceStatistics *>(onDevice->GetPointer()));
  CopyToHost(ofBlocks.data(), onDevice->GetPointer(), sizeof(ofBlocks), *execution.GetStream());
  DistanceStatistics sum;
  for (const DistanceStatistics & other : ofBlocks)
  {
    sum += other;
  }
  return sum;
}

std::size_t
GetStatisticsBytes(const DistanceSlab & slab)
{
  return (CountWarpsOfLines(slab) + SummingBlocks) * sizeof(DistanceStatistics);
}
} // namespace CudaFilters
} // namespace itk
