// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "DistanceMap.h"
#include "DistanceMap.cuh"
#include "DistancePasses.cuh"
#include "OffsetRule.cuh"
#include "../Wavefront/Wavefront.h"

namespace itk
{
namespace CudaFilters
{
namespace
{
constexpr unsigned int ThreadsPerBlock = 128;

/** The offset of a site to itself, and none for other pixels. A thread takes a word of sites. */
template <int VDimension>
__global__ void
PlaceSitesKernel(const unsigned int * sites, SlabShape shape, typename OffsetCode<VDimension>::Type * offsets)
{
  using Code = OffsetCode<VDimension>;
  const std::int64_t words = shape.Columns * shape.GetBands();
  for (std::int64_t word = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; word < words;
       word += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
  {
    const unsigned int bits = sites[word];
    const std::int64_t column = word % shape.Columns;
    const auto         first = static_cast<int>(word / shape.Columns) * PixelsPerBand;
    for (int i = 0; i < PixelsPerBand && first + i < shape.Length; ++i)
    {
      offsets[(first + i) * shape.Columns + column] = (bits >> i & 1u) != 0 ? Code::Zero : Code::None;
    }
  }
}

/** The results from offsets. A thread takes adjacent pixels of a line along x. */
template <typename TCost, int VDimension, typename TPixel>
__global__ void
FinishOffsetsKernel(OffsetRule<TCost, VDimension> rule, SlabShape shape, DistanceResult<TPixel> result)
{
  const std::int64_t packs = (shape.Width + PixelsPerLane - 1) / PixelsPerLane;
  const std::int64_t all = packs * shape.Height * shape.Length;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
  {
    const std::int64_t number = i / packs; // of the line
    const int          x = static_cast<int>(i % packs) * PixelsPerLane;
    LineAlongX         line;
    line.Y = static_cast<int>(number % shape.Height);
    line.Slice = static_cast<int>(number / shape.Height);
    line.Length = shape.Width;
    line.FirstWord = line.Slice / PixelsPerBand * shape.Columns + static_cast<std::int64_t>(line.Y) * shape.Width;
    line.FirstPixel = number * shape.Width;
    LaneDistances<TCost> distances;
#pragma unroll
    for (int k = 0; k < PixelsPerLane; ++k)
    {
      const std::int64_t pixel = line.FirstPixel + min(x + k, line.Length - 1);
      distances.Values[k] = rule.GetSquaredDistance(rule.Load(pixel));
    }
    result.StorePixels(line, x, distances);
  }
}

template <int VDimension, bool VIsFull, typename TCost, typename TPixel>
void
RunWavefront(const Execution &              execution,
             const DistanceArithmetic &     arithmetic,
             const DistanceSlab &           slab,
             const unsigned int *           sites,
             const DistanceResult<TPixel> & result,
             const BetweenLaunches &        betweenLaunches)
{
  using Rule = OffsetRule<TCost, VDimension>;
  using Offset = typename Rule::ValueType;
  const SlabShape shape = MakeShape(slab);
  const auto      memory = execution.Allocate(slab.GetNumberOfPixels() * sizeof(Offset));

  Rule rule{ static_cast<Offset *>(memory->GetPointer()), {} };
  for (int axis = 0; axis < VDimension; ++axis)
  {
    rule.Weights[axis] = static_cast<TCost>(arithmetic.Weights[axis]);
  }
  Launch(execution,
         "PlaceSitesKernel",
         PlaceSitesKernel<VDimension>,
         { GridOf(DivideUp(slab.GetNumberOfWords(), ThreadsPerBlock)), dim3(ThreadsPerBlock) },
         sites,
         shape,
         rule.Offsets);
  PropagateInTiles(
    execution, slab.Size, TileRelaxation<Rule, VDimension, VIsFull, TileSweeps>{ rule, {} }, betweenLaunches);
  const std::int64_t packs = DivideUp(shape.Width, PixelsPerLane) * shape.Height * shape.Length;
  Launch(execution,
         "FinishOffsetsKernel",
         FinishOffsetsKernel<TCost, VDimension, TPixel>,
         { GridOf(DivideUp(packs, ThreadsPerBlock)), dim3(ThreadsPerBlock) },
         rule,
         shape,
         result);
}

template <int VDimension>
void
CheckLengths(const DistanceSlab & slab)
{
  constexpr int most = OffsetCode<VDimension>::LongestAxis;
  if (*std::max_element(slab.Size.begin(), slab.Size.end()) > most)
  {
    throw DeviceError(DeviceError::Kind::Unsuited,
                      "the wavefront transform is for images of up to " + std::to_string(most) +
                        " pixels along each axis");
  }
}
} // namespace

template <typename TPixel>
void
ComputeWavefrontDistances(const Execution &             execution,
                          const DistanceMapParameters & parameters,
                          const DistanceArithmetic &    arithmetic,
                          const DistanceSlab &          slab,
                          const SlabObjects &           objects,
                          const std::function<void()> & betweenLaunches,
                          TPixel *                      output)
{
  const DistanceResult<TPixel> result = MakeDistanceResult(parameters, arithmetic, objects, output);
  const bool                   isFull = parameters.Strategy == CudaDistanceStrategyEnum::FullWavefront;
  const auto                   run = [&](auto cost, auto dimension) {
    using Cost = decltype(cost);
    constexpr int axes = decltype(dimension)::value;
    CheckLengths<axes>(slab);
    const auto start = isFull ? RunWavefront<axes, true, Cost, TPixel> : RunWavefront<axes, false, Cost, TPixel>;
    start(execution, arithmetic, slab, objects.Sites, result, betweenLaunches);
  };
  const auto runFor = [&](auto dimension) { arithmetic.IsInteger ? run(int{}, dimension) : run(double{}, dimension); };
  slab.LastAxis == 1 ? runFor(std::integral_constant<int, 2>()) : runFor(std::integral_constant<int, 3>());
}

std::size_t
GetWavefrontScratchBytes(const DistanceSlab & slab)
{
  const auto count = [&slab](auto code) {
    using Code = decltype(code);
    constexpr int dimension = std::is_same<Code, OffsetCode<2>>::value ? 2 : 3;
    const Size3   tileSize = GetTileSize<TileExtent<typename Code::Type, dimension>>();
    return slab.GetNumberOfPixels() * sizeof(typename Code::Type) + TileQueueMemory(slab.Size, tileSize).GetBytes();
  };
  return slab.LastAxis == 1 ? count(OffsetCode<2>()) : count(OffsetCode<3>());
}

#define CUDAFILTERS_INSTANTIATE(TPixel)                                          \
  template void ComputeWavefrontDistances<TPixel>(const Execution &,             \
                                                  const DistanceMapParameters &, \
                                                  const DistanceArithmetic &,    \
                                                  const DistanceSlab &,          \
                                                  const SlabObjects &,           \
                                                  const std::function<void()> &, \
                                                  TPixel *);
CUDAFILTERS_INSTANTIATE(float)
CUDAFILTERS_INSTANTIATE(double)
} // namespace CudaFilters
} // namespace itk
