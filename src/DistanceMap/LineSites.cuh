// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersLineSites_cuh
#define itkCudaFiltersLineSites_cuh

// Lines of squared distances: how they are weighted, how they are divided among warps, and what a site is.

#include "../Device/Launch.h"
#include "CudaFilters/detail/PixelPack.cuh"
#include "../Device/Warp.cuh"
#include <cstdint>
#include <limits>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** The squared distance of a pixel that has none yet. It is greater than all others; of type int, it is at least twice
 * as great as those before a pass. */
template <typename TCost>
constexpr TCost NoDistance = 0x7fffffff;
template <>
constexpr double NoDistance<double> = std::numeric_limits<double>::infinity();

/** The weight of a line, which is the squared spacing, and how the squared distance of pixel x to a site is split: into
 * what depends on the site, which is its value, and the rest. The winner has the least value. */
template <typename TCost>
struct LineWeight;

/** A site of type int keeps h + w p^2. Its value needs one multiplication: h + w p^2 - 2 w x p. */
template <>
struct LineWeight<int>
{
  int Weight;

  __device__ int
  GetCost(int distance, int position) const
  {
    return ToInt(static_cast<unsigned int>(distance) + static_cast<unsigned int>(this->GetRest(position)));
  }
  __device__ int
  GetDistance(int cost, int position) const
  {
    return ToInt(static_cast<unsigned int>(cost) - static_cast<unsigned int>(this->GetRest(position)));
  }
  /** What the values at pixel x need: -2 w x. */
  __device__ int
  GetQuery(int x) const
  {
    return Multiply(-2, Multiply(this->Weight, x));
  }
  __device__ int
  GetValue(int query, int cost, int position) const
  {
    return ToInt(static_cast<unsigned int>(cost) + static_cast<unsigned int>(Multiply(query, position)));
  }
  __device__ int
  GetRest(int x) const
  {
    return Multiply(this->Weight, Multiply(x, x));
  }
  /** The squared distance from the value and the rest. */
  __device__ int
  Add(int value, int rest) const
  {
    return ToInt(static_cast<unsigned int>(value) + static_cast<unsigned int>(rest));
  }

  /** Whether a pixel is above the chord between two others, each of them so many pixels away; one of them may have no
   * distance. */
  __device__ bool
  IsAboveMiddle(int distance, int before, int after, int pixels) const
  {
    const unsigned int middle = (static_cast<unsigned int>(before) + static_cast<unsigned int>(after)) / 2;
    return distance - this->Weight * pixels * pixels > static_cast<int>(middle);
  }

  /** Whether a pixel is above the chord between one at so many pixels before, and one at so many pixels after it. */
  __device__ bool
  IsAboveChord(int distance, int before, int after, int pixelsBefore, int pixelsAfter) const
  {
    using Product = std::int64_t;
    const int     pixels = pixelsBefore + pixelsAfter;
    const Product chord = static_cast<Product>(before) * pixelsAfter + static_cast<Product>(after) * pixelsBefore;
    return static_cast<Product>(distance) * pixels >
           chord + static_cast<Product>(this->Weight * pixelsBefore) * (pixelsAfter * pixels);
  }

private:
  __device__ static int
  ToInt(unsigned int number)
  {
    return static_cast<int>(number);
  }
  __device__ static int
  Multiply(int a, int b)
  {
    return ToInt(static_cast<unsigned int>(a) * static_cast<unsigned int>(b));
  }
};

/** A site of type double keeps h, since small distances far from the origin would lose precision otherwise. */
template <>
struct LineWeight<double>
{
  double Weight;

  __device__ double
  GetCost(double distance, double) const
  {
    return distance;
  }
  __device__ double
  GetDistance(double cost, double) const
  {
    return cost;
  }
  __device__ double
  GetQuery(int x) const
  {
    return x;
  }
  __device__ double
  GetValue(double query, double cost, double position) const
  {
    return cost + this->Weight * (query - position) * (query - position);
  }
  __device__ double
  GetRest(int) const
  {
    return 0.0;
  }
  __device__ double
  Add(double value, double) const
  {
    return value;
  }
  __device__ bool
  IsAboveMiddle(double distance, double before, double after, int pixels) const
  {
    return 2.0 * distance > before + after + 2.0 * this->Weight * pixels * pixels;
  }
  __device__ bool
  IsAboveChord(double distance, double before, double after, double pixelsBefore, double pixelsAfter) const
  {
    const double pixels = pixelsBefore + pixelsAfter;
    return distance * pixels >
           before * pixelsAfter + after * pixelsBefore + this->Weight * pixelsBefore * pixelsAfter * pixels;
  }
};

/** A pixel that may be the nearest one to other pixels of its line. The position has the type of the numbers that it is
 * multiplied with. */
template <typename TCost>
struct alignas(2 * sizeof(TCost)) LineSite
{
  TCost Cost;
  TCost Position;
};

/** How lines are divided. */
constexpr int PixelsPerLane = 4;
constexpr int PixelsPerSegment = 16;
constexpr int PixelsPerChunk = PixelsPerLane * LanesPerWarp;
constexpr int PixelsPerPortion = PixelsPerSegment * LanesPerWarp;

/** The squared distances of adjacent pixels. */
template <typename TCost>
using LaneDistances = PixelPack<TCost, PixelsPerLane>;

/** The number of portions of a line. */
__host__ __device__ constexpr int
CountPortions(int length)
{
  return (length + PixelsPerPortion - 1) / PixelsPerPortion;
}

/** Distances of pixels that have none. */
template <typename TCost>
__device__ LaneDistances<TCost>
           GetNoDistances()
{
  LaneDistances<TCost> none;
#pragma unroll
  for (int k = 0; k < PixelsPerLane; ++k)
  {
    none.Values[k] = NoDistance<TCost>;
  }
  return none;
}

/** Some adjacent warps of a block, which take a line together. */
template <int VWarps>
class WarpTeam
{
public:
  static constexpr int Threads = VWarps * LanesPerWarp;

  /** number: that of the team in the block. */
  __device__ explicit WarpTeam(int number)
    : m_Barrier(number + 1) // 0 is that of __syncthreads()
  {}

  __device__ void
  Synchronize() const
  {
    if constexpr (VWarps == 1)
    {
      __syncwarp();
    }
    else
    {
      __barrier_sync_count(m_Barrier, Threads);
    }
  }

  /** The number of the thread, and of its warp, in the team. */
  __device__ static int
  GetThread()
  {
    return static_cast<int>(threadIdx.x) % Threads;
  }
  __device__ static int
  GetWarp()
  {
    return GetThread() / LanesPerWarp;
  }

private:
  unsigned int m_Barrier;
};
} // namespace CudaFilters
} // namespace itk

#endif
