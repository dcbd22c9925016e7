// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersTileDiagonals_cuh
#define itkCudaFiltersTileDiagonals_cuh

#include "TileStorage.cuh"

namespace itk
{
namespace CudaFilters
{
/** Propagation in a tile by diagonal wavefronts from its first pixel to its last, and back. Each lane processes one
 * row, and follows the row before with a delay. One pass propagates a value along all axes at the same time. */
template <typename TRule, int VDimension, bool VIsFull>
class TileDiagonals
{
  /** The delay, in steps, of a row behind the previous row, and of a slice behind the previous slice: large enough for
   * all neighbours on which a pixel depends in this pass to be done. */
  static constexpr int StepsBehindRow = VIsFull ? 2 : 1;
  static constexpr int StepsBehindSlice = VIsFull ? 4 : 1;

public:
  /** The blocks that a multiprocessor is to execute at a time; 0 leaves the choice to the compiler. 8 of them leave 128
   * registers for a thread. */
  static constexpr int LeastBlocks = VDimension == 2 && VIsFull ? 8 : 0;

  /** With this pitch, lanes on successive rows of a slice access elements 33 apart in each step (the pitch minus
   * StepsBehindRow), and so use different banks. */
  using Storage = TileStorage<TRule, VDimension, VIsFull ? 35 : 34>;

  __device__ static bool
  Propagate(const TRule & rule, Storage & tile, unsigned long long & sweeps)
  {
    bool hasChanged = false;
    bool isStable = false;
    for (int pass = 0; !isStable; ++pass)
    {
      const bool changes = __any_sync(AllLanes, pass % 2 == 0 ? Sweep<1>(rule, tile) : Sweep<-1>(rule, tile)) != 0;
      // The previous pass, in the opposite direction, covered the other neighbours: no change means that the tile is
      // stable.
      isStable = pass > 0 && !changes;
      hasChanged = hasChanged || changes;
      ++sweeps;
    }
    return hasChanged;
  }

private:
  using ValueType = typename TRule::ValueType;
  using Extent = typename Storage::Extent;

  template <int VDirection>
  __device__ static bool
  Sweep(const TRule & rule, Storage & tile)
  {
    constexpr int steps = Extent::X + StepsBehindRow * (Extent::Y - 1) + StepsBehindSlice * (Extent::Z - 1);
    const int     row = GetLaneOfWarp();
    const int     fromStart[2] = { row % Extent::Y, row / Extent::Y };
    const int     y = VDirection > 0 ? fromStart[0] : Extent::Y - 1 - fromStart[0];
    const int     z = VDirection > 0 ? fromStart[1] : Extent::Z - 1 - fromStart[1];
    const int     delay = StepsBehindRow * fromStart[0] + StepsBehindSlice * fromStart[1];
    bool          changes = false;
    for (int step = 0; step < steps; ++step)
    {
      const int column = step - delay;
      if (row < Extent::Rows && column >= 0 && column < Extent::X)
      {
        const int       x = VDirection > 0 ? column : Extent::X - 1 - column;
        const ValueType former = tile.Value(x, y, z);
        const auto      limit = tile.GetLimit(x, y, z);
        ValueType       value = rule.Relax(former, limit, tile.GetNeighbour(x, y, z, -VDirection, 0, 0));
        if (VIsFull)
        {
#pragma unroll
          for (int dx = -1; dx <= 1; ++dx)
          {
            value = rule.Relax(value, limit, tile.GetNeighbour(x, y, z, dx, -VDirection, 0));
            if (VDimension == 3)
            {
#pragma unroll
              for (int dy = -1; dy <= 1; ++dy)
              {
                value = rule.Relax(value, limit, tile.GetNeighbour(x, y, z, dx, dy, -VDirection));
              }
            }
          }
        }
        else
        {
          value = rule.Relax(value, limit, tile.GetNeighbour(x, y, z, 0, -VDirection, 0));
          if (VDimension == 3)
          {
            value = rule.Relax(value, limit, tile.GetNeighbour(x, y, z, 0, 0, -VDirection));
          }
        }
        if (value != former)
        {
          changes = true;
          tile.Value(x, y, z) = value;
        }
      }
      __syncwarp();
    }
    return changes;
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
