// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersTileSweeps_cuh
#define itkCudaFiltersTileSweeps_cuh

#include "TileStorage.cuh"

namespace itk
{
namespace CudaFilters
{
/** Propagation in a tile by forward and backward sweeps along the axes. Along x and y, each lane holds a line in
 * registers and passes the value from pixel to pixel. (After Karas, Efficient Computation of Morphological Greyscale
 * Reconstruction, 2010, within a tile.) Each sweep of a line starts with the shell pixels before its first pixel. */
template <typename TRule, int VDimension, bool VIsFull>
class TileSweeps
{
public:
  /** As in TileDiagonals. */
  static constexpr int LeastBlocks = 0;

  /** An odd pitch, so that lanes use different banks, whether they access one row each or one column each. */
  using Storage = TileStorage<TRule, VDimension, 35>;

  __device__ static bool
  Propagate(const TRule & rule, Storage & tile, unsigned long long & sweeps)
  {
    // quiet counts the successive axes along which the tile is stable. After its two sweeps a line is stable along its
    // axis. But with full connectivity, lines along y and z also have neighbours in parallel lines, so that a change
    // there requires another sweep along the same axis.
    bool hasChanged = false;
    int  quiet = 0;
    for (int axis = 0; quiet < VDimension; axis = axis + 1 == VDimension ? 0 : axis + 1)
    {
      const bool changes = axis == 0 ? SweepX(rule, tile) : axis == 1 ? SweepY(rule, tile) : SweepZ(rule, tile);
      const bool anyChanges = __any_sync(AllLanes, changes) != 0;
      __syncwarp();
      hasChanged = hasChanged || anyChanges;
      quiet = !anyChanges ? quiet + 1 : (VIsFull && axis != 0) ? 0 : 1;
      sweeps += 2;
    }
    return hasChanged;
  }

private:
  using ValueType = typename TRule::ValueType;
  using LimitType = typename TRule::LimitType;
  using Extent = typename Storage::Extent;
  using From = Neighbour<ValueType>;

  /** Each lane sweeps one row. */
  __device__ static bool
  SweepX(const TRule & rule, Storage & tile)
  {
    const int row = GetLaneOfWarp();
    bool      changes = false;
    if (row < Extent::Rows)
    {
      const int y = row % Extent::Y;
      const int z = row / Extent::Y;
      ValueType values[Extent::X];
      LimitType limits[Extent::X];
#pragma unroll
      for (int x = 0; x < Extent::X; ++x)
      {
        values[x] = tile.Value(x, y, z);
        limits[x] = tile.GetLimit(x, y, z);
      }
      const auto relaxFromBeyond = [&](int x, int beyond) {
        ValueType value = values[x];
        if (VIsFull)
        {
#pragma unroll
          for (int dz = -Storage::ShellZ; dz <= Storage::ShellZ; ++dz)
          {
#pragma unroll
            for (int dy = -1; dy <= 1; ++dy)
            {
              value = rule.Relax(value, limits[x], tile.GetNeighbour(x, y, z, beyond - x, dy, dz));
            }
          }
        }
        else
        {
          value = rule.Relax(value, limits[x], tile.GetNeighbour(x, y, z, beyond - x, 0, 0));
        }
        changes = changes || value != values[x];
        values[x] = value;
      };
      const auto relax = [&](int x, int from) {
        const ValueType value = rule.Relax(values[x], limits[x], From{ values[from], from - x, 0, 0 });
        changes = changes || value != values[x];
        values[x] = value;
      };
      relaxFromBeyond(0, -1);
#pragma unroll
      for (int x = 1; x < Extent::X; ++x)
      {
        relax(x, x - 1);
      }
      relaxFromBeyond(Extent::X - 1, Extent::X);
#pragma unroll
      for (int x = Extent::X - 2; x >= 0; --x)
      {
        relax(x, x + 1);
      }
      if (changes)
      {
#pragma unroll
        for (int x = 0; x < Extent::X; ++x)
        {
          tile.Value(x, y, z) = values[x];
        }
      }
    }
    return changes;
  }

  /** A value and those of the previous and the next lane, or of the adjacent pixels of a row; Y and Z tell where this
   * row is. The first and the last lane use their own value in place of the missing lane or, if the place matters,
   * none: SweepX() covers the shell pixels there. */
  struct Triple
  {
    ValueType Before, Here, Behind;
    int       Y, Z;
    __device__
    Triple(const TRule & rule, ValueType here, int y)
      : Before(VIsFull ? __shfl_up_sync(AllLanes, here, 1) : here)
      , Here(here)
      , Behind(VIsFull ? __shfl_down_sync(AllLanes, here, 1) : here)
      , Y(y)
      , Z(0)
    {
      if constexpr (TRule::DependsOnPlace)
      {
        Before = GetLaneOfWarp() == 0 ? rule.GetValueBeyond() : Before;
        Behind = GetLaneOfWarp() == LanesPerWarp - 1 ? rule.GetValueBeyond() : Behind;
      }
    }
    __device__
    Triple(Storage & tile, int x, int y, int z, int dy, int dz)
      : Before(VIsFull ? tile.Value(x - 1, y + dy, z + dz) : ValueType{})
      , Here(tile.Value(x, y + dy, z + dz))
      , Behind(VIsFull ? tile.Value(x + 1, y + dy, z + dz) : ValueType{})
      , Y(dy)
      , Z(dz)
    {}
  };
  __device__ static ValueType
  RelaxFrom(const TRule & rule, ValueType value, LimitType limit, const Triple & triple)
  {
    const From here{ triple.Here, 0, triple.Y, triple.Z };
    return VIsFull ? rule.Relax(value,
                                limit,
                                From{ triple.Before, -1, triple.Y, triple.Z },
                                here,
                                From{ triple.Behind, 1, triple.Y, triple.Z })
                   : rule.Relax(value, limit, here);
  }

  /** Each lane sweeps one column of each slice. */
  __device__ static bool
  SweepY(const TRule & rule, Storage & tile)
  {
    const int x = GetLaneOfWarp();
    bool      changes = false;
#pragma unroll
    for (int z = 0; z < Extent::Z; ++z)
    {
      ValueType values[Extent::Y];
      LimitType limits[Extent::Y];
      bool      changesHere = false;
#pragma unroll
      for (int y = 0; y < Extent::Y; ++y)
      {
        values[y] = tile.Value(x, y, z);
        limits[y] = tile.GetLimit(x, y, z);
      }
      const auto relax = [&](int y, const Triple & from) {
        const ValueType value = RelaxFrom(rule, values[y], limits[y], from);
        changesHere = changesHere || value != values[y];
        values[y] = value;
      };
      relax(0, Triple(tile, x, 0, z, -1, 0));
#pragma unroll
      for (int y = 1; y < Extent::Y; ++y)
      {
        relax(y, Triple(rule, values[y - 1], -1));
      }
      relax(Extent::Y - 1, Triple(tile, x, Extent::Y - 1, z, 1, 0));
#pragma unroll
      for (int y = Extent::Y - 2; y >= 0; --y)
      {
        relax(y, Triple(rule, values[y + 1], 1));
      }
      if (changesHere)
      {
#pragma unroll
        for (int y = 0; y < Extent::Y; ++y)
        {
          tile.Value(x, y, z) = values[y];
        }
      }
      changes = changes || changesHere;
    }
    return changes;
  }

  /** Each lane sweeps all lines along z at one x, slice by slice, forward and backward, in shared memory. */
  __device__ static bool
  SweepZ(const TRule & rule, Storage & tile)
  {
    const int x = GetLaneOfWarp();
    bool      changes = false;
    if (VDimension == 3)
    {
#pragma unroll
      for (int step = 0; step < 2 * Extent::Z; ++step)
      {
        const int z = step < Extent::Z ? step : 2 * Extent::Z - 1 - step;
        const int dz = step < Extent::Z ? -1 : 1;
#pragma unroll
        for (int y = 0; y < Extent::Y; ++y)
        {
          const ValueType former = tile.Value(x, y, z);
          const LimitType limit = tile.GetLimit(x, y, z);
          ValueType       value = former;
          if (VIsFull)
          {
#pragma unroll
            for (int dy = -1; dy <= 1; ++dy)
            {
              value = RelaxFrom(rule, value, limit, Triple(tile, x, y, z, dy, dz));
            }
          }
          else
          {
            value = rule.Relax(value, limit, tile.GetNeighbour(x, y, z, 0, 0, dz));
          }
          if (value != former)
          {
            changes = true;
            tile.Value(x, y, z) = value;
          }
        }
        if (VIsFull)
        {
          __syncwarp();
        }
      }
    }
    return changes;
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
