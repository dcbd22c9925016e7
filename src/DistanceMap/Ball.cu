// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Objects that grow or shrink by a ball: the passes of the distance transform, of which only those pixels are kept that
// are near enough.

#include "DistanceMap.h"
#include "DistancePasses.cuh"
#include "../Device/ToPixel.cuh"
#include <algorithm>
#include <cmath>
#include <limits>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** A result of the pass along x in the place of distances: which pixels are within a distance of a site, and are not
 * sites themselves. */
struct BallResult
{
  const unsigned int * Sites;
  double               Largest; // squared distance; a whole number if distances are integers
  unsigned char *      Changes;

  static constexpr bool IsNearest = false;

  void
  Advance(std::int64_t pixels)
  {
    this->Changes += pixels;
  }

  template <typename TCost, int VWarps>
  __device__ void
  Store(LowerEnvelope<TCost, VWarps, false> & envelope, const LineAlongX & line, const ObjectColumns &) const
  {
    const auto largest = static_cast<TCost>(this->Largest);
    ForEachPixelOfLine(envelope, line, [&](int x, const LaneDistances<TCost> & distances) {
      const unsigned int                      sites = line.GetBits(this->Sites, x);
      PixelPack<unsigned char, PixelsPerLane> changes;
#pragma unroll
      for (int k = 0; k < PixelsPerLane; ++k)
      {
        changes.Values[k] = distances.Values[k] <= largest && (sites >> k & 1u) == 0 ? 1 : 0;
      }
      changes.Store(this->Changes + line.FirstPixel + x, line.Length - x);
    });
  }
};

/** Copies pixels; those that change get a new value. This is not done by the pass itself, which would have to be
 * compiled for all pairs of pixel types. */
template <typename TInput, typename TOutput>
__global__ void
ChangePixelsKernel(const TInput *        input,
                   const unsigned char * changes,
                   std::int64_t          number,
                   TOutput               newValue,
                   TOutput *             output)
{
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < number;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
  {
    output[i] = changes[i] != 0 ? newValue : ToPixel<TOutput>(input[i]);
  }
}
} // namespace

void
FindPixelsInBall(const Execution &          execution,
                 double                     largestSquaredDistance,
                 const DistanceArithmetic & arithmetic,
                 const DistanceSlab &       slab,
                 const SlabObjects &        objects,
                 unsigned char *            changes)
{
  // Less than NoDistance.
  const double mostUnits = arithmetic.IsInteger ? NoDistance<int> - 1 : std::numeric_limits<double>::max();
  const double units = std::min(largestSquaredDistance / (arithmetic.Unit * arithmetic.Unit), mostUnits);

  RunAllPasses(execution,
               arithmetic,
               slab,
               objects,
               BallResult{ objects.Sites, arithmetic.IsInteger ? std::floor(units) : units, changes });
}

template <typename TInput, typename TOutput>
void
ChangePixels(const Execution &     execution,
             std::int64_t          number,
             const TInput *        input,
             const unsigned char * changes,
             double                newValue,
             TOutput *             output)
{
  constexpr unsigned int threads = 256;
  Launch(execution,
         "ChangePixelsKernel",
         ChangePixelsKernel<TInput, TOutput>,
         { GridOf(DivideUp(number, threads)), dim3(threads) },
         input,
         changes,
         number,
         static_cast<TOutput>(newValue),
         output);
}

#define CUDAFILTERS_INSTANTIATE_CHANGES(TInput, TOutput) \
  template void ChangePixels<TInput, TOutput>(           \
    const Execution &, std::int64_t, const TInput *, const unsigned char *, double, TOutput *);
CUDAFILTERS_FOR_EACH_PIXEL_PAIR(CUDAFILTERS_INSTANTIATE_CHANGES)
} // namespace CudaFilters
} // namespace itk
