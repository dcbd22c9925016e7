// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Reconstruction.h"
#include "CudaFilters/detail/PixelType.h"
#include "ReconstructionRule.cuh"
#include "../Wavefront/Wavefront.h"

namespace itk
{
namespace CudaFilters
{
namespace
{
template <int VDimension, bool VIsFull, typename TRule>
WavefrontStatistics
Propagate(const Execution &              execution,
          CudaReconstructionStrategyEnum strategy,
          const Size3 &                  size,
          const TRule &                  rule,
          const BetweenLaunches &        betweenLaunches)
{
  switch (strategy)
  {
    case CudaReconstructionStrategyEnum::LineSweeps:
      return PropagateAlongLines<VDimension, VIsFull>(execution, size, rule, betweenLaunches);
    case CudaReconstructionStrategyEnum::TileDiagonals:
      return PropagateInTiles(
        execution, size, TileRelaxation<TRule, VDimension, VIsFull, TileDiagonals>{ rule, {} }, betweenLaunches);
    case CudaReconstructionStrategyEnum::TileSweeps:
    case CudaReconstructionStrategyEnum::Automatic:
      break;
  }
  return PropagateInTiles(
    execution, size, TileRelaxation<TRule, VDimension, VIsFull, TileSweeps>{ rule, {} }, betweenLaunches);
}
} // namespace

template <typename TPixel>
WavefrontStatistics
Reconstruct(Execution &                      execution,
            const ReconstructionParameters & parameters,
            const Size3 &                    size,
            TPixel *                         image,
            const TPixel *                   mask,
            const std::function<void()> &    betweenLaunches)
{
  using Rule = ReconstructionRule<TPixel>;
  using ValueType = typename Rule::ValueType;
  const Rule rule{ image, mask, static_cast<ValueType>(parameters.IsErosion ? -1 : 0) };
  const auto strategy = parameters.Strategy;

  const StageScope stage(execution, "propagation");
  if (parameters.Dimension == 2)
  {
    return parameters.IsFullyConnected ? Propagate<2, true>(execution, strategy, size, rule, betweenLaunches)
                                       : Propagate<2, false>(execution, strategy, size, rule, betweenLaunches);
  }
  return parameters.IsFullyConnected ? Propagate<3, true>(execution, strategy, size, rule, betweenLaunches)
                                     : Propagate<3, false>(execution, strategy, size, rule, betweenLaunches);
}

std::size_t
GetReconstructionScratchBytes(const Size3 & size, unsigned int dimension, std::size_t bytesPerPixel)
{
  const auto bytes = [&size](auto extent) { return TileQueueMemory(size, GetTileSize<decltype(extent)>()).GetBytes(); };
  if (bytesPerPixel == sizeof(double))
  {
    return dimension == 2 ? bytes(TileExtent<long long, 2>()) : bytes(TileExtent<long long, 3>());
  }
  return dimension == 2 ? bytes(TileExtent<int, 2>()) : bytes(TileExtent<int, 3>());
}

#define CUDAFILTERS_INSTANTIATE(TPixel)                                              \
  template WavefrontStatistics Reconstruct<TPixel>(Execution &,                      \
                                                   const ReconstructionParameters &, \
                                                   const Size3 &,                    \
                                                   TPixel *,                         \
                                                   const TPixel *,                   \
                                                   const std::function<void()> &);

CUDAFILTERS_FOR_EACH_PIXEL(CUDAFILTERS_INSTANTIATE)
} // namespace CudaFilters
} // namespace itk
