// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersTileRelaxation_cuh
#define itkCudaFiltersTileRelaxation_cuh

#include "TileStorage.cuh"

namespace itk
{
namespace CudaFilters
{
/** Visits tiles of an image: loads a tile into shared memory, propagates values in it until it is stable, stores it,
 * and determines which neighbouring pixels can change as a result. During a visit, no other worker writes to the tile.
 * A worker that changes a neighbouring tile requests another visit of this one.
 *
 * TRule defines what is propagated:
 * - ValueType, the value of a pixel; LimitType, its limit, which does not change, or NoLimit
 * - Load(pixel), LoadLimit(pixel), Store(pixel, value): access a pixel of the image by its linear index
 * - GetValueBeyond(), GetLimitBeyond(): for pixels outside the image; such a value changes no pixel, and with this
 *   limit it stays as it is
 * - DependsOnPlace: whether Relax() depends on where the neighbours are
 * - Relax(value, limit, neighbours...): the new value of a pixel, given some neighbours, each of type Neighbour
 *
 * A value may change several times, but only in one direction, so that a pixel that could not change before can change
 * only because of a neighbour that has changed. */
template <typename TRule, int VDimension, bool VIsFull, template <typename, int, bool> class TPropagation>
class TileRelaxation
{
public:
  using Propagation = TPropagation<TRule, VDimension, VIsFull>;
  using Storage = typename Propagation::Storage;
  using Extent = typename Storage::Extent;
  using ValueType = typename TRule::ValueType;
  using LimitType = typename TRule::LimitType;
  static constexpr int ThreadsPerBlock = 64;
  static constexpr int LeastBlocks = Propagation::LeastBlocks;

  TRule        Rule;
  std::int64_t Size[3];

  /** isBusy: whether tiles wait in the queue. Then it is worth spending time here to avoid requests of unnecessary
   * visits. */
  __device__ unsigned int
  Visit(const TileQueue & queue, std::uint32_t number, Storage & tile, bool isBusy, unsigned long long & sweeps) const
  {
    const Place place(*this, queue, number);
    this->LoadTile<Storage::HasLimitsAround>(place, tile);
    __syncwarp();
    // Visits for all earlier changes have been requested already, first by ChooseTilesKernel. Only changes made here
    // can require further visits.
    if (!Propagation::Propagate(this->Rule, tile, sweeps))
    {
      return 0u;
    }
    this->StoreTile(place, tile);
    return this->FindTilesToVisit(place, tile, isBusy);
  }

  /** Whether relaxation with its neighbours would change a pixel of the tile. */
  __device__ bool
  IsToVisit(const TileQueue & queue, std::uint32_t number, Storage & tile) const
  {
    this->LoadTile<false>(Place(*this, queue, number), tile);
    __syncwarp();
    constexpr int together = 4;
    bool          isToVisit = false;
#pragma unroll 1
    for (int first = 0; first < Extent::Rows && !isToVisit; first += together)
    {
      bool changes = false;
#pragma unroll
      for (int i = 0; i < together; ++i)
      {
        const int       x = GetLaneOfWarp();
        const int       y = (first + i) % Extent::Y;
        const int       z = (first + i) / Extent::Y;
        const ValueType former = tile.Value(x, y, z);
        changes = changes || former != this->RelaxOnce(tile, x, y, z);
      }
      isToVisit = __any_sync(AllLanes, changes) != 0;
    }
    __syncwarp();
    return isToVisit;
  }

private:
  /** The position of a tile in the image. */
  struct Place
  {
    std::int64_t First; // linear index of its first pixel
    std::int64_t Row;   // stride between rows
    std::int64_t Slice; // stride between slices
    int          Begin[3];
    int          End[3];  // end of the image in tile coordinates, limited to just beyond the tile
    bool         IsClear; // whether the tile and its shell are inside the image

    __device__
    Place(const TileRelaxation & relaxation, const TileQueue & queue, std::uint32_t number)
    {
      const std::uint32_t row = number / queue.Tiles[0];
      const std::int64_t  start[3] = { static_cast<std::int64_t>(number % queue.Tiles[0]) * Extent::X,
                                       static_cast<std::int64_t>(row % queue.Tiles[1]) * Extent::Y,
                                       static_cast<std::int64_t>(row / queue.Tiles[1]) * Extent::Z };
#pragma unroll
      for (int axis = 0; axis < 3; ++axis)
      {
        const std::int64_t rest = relaxation.Size[axis] - start[axis];
        Begin[axis] = start[axis] == 0 ? 0 : -1;
        End[axis] = rest > LanesPerWarp + 1 ? LanesPerWarp + 1 : static_cast<int>(rest);
      }
      const auto isClear = [this](int axis, int extent) { return Begin[axis] < 0 && End[axis] > extent; };
      IsClear = isClear(0, Extent::X) && isClear(1, Extent::Y) && (VDimension == 2 || isClear(2, Extent::Z));
      Row = relaxation.Size[0];
      Slice = relaxation.Size[0] * relaxation.Size[1];
      First = start[0] + start[1] * Row + start[2] * Slice;
    }
    __device__ bool
    IsInside(int x, int y, int z) const
    {
      return x >= Begin[0] && x < End[0] && y >= Begin[1] && y < End[1] &&
             (VDimension == 2 || (z >= Begin[2] && z < End[2]));
    }
    __device__ std::int64_t
               GetPixel(int x, int y, int z) const
    {
      return First + x + y * Row + (VDimension == 2 ? 0 : z * Slice);
    }
    /** The pixel, or the nearest one inside the image: an unconditional load is faster than a branch. */
    __device__ std::int64_t
               GetNearestPixel(int x, int y, int z) const
    {
      const auto clamp = [this](int i, int axis) {
        return i < Begin[axis] ? Begin[axis] : i < End[axis] ? i : End[axis] - 1;
      };
      return this->GetPixel(clamp(x, 0), clamp(y, 1), VDimension == 2 ? 0 : clamp(z, 2));
    }
  };

  /** The value of a pixel of the tile after relaxation with its neighbours. */
  __device__ ValueType
  RelaxOnce(Storage & tile, int x, int y, int z) const
  {
    const LimitType limit = tile.GetLimit(x, y, z);
    ValueType       value = tile.Value(x, y, z);
    if (VIsFull)
    {
#pragma unroll
      for (int dz = -Storage::ShellZ; dz <= Storage::ShellZ; ++dz)
      {
#pragma unroll
        for (int dy = -1; dy <= 1; ++dy)
        {
          value = this->Rule.Relax(value,
                                   limit,
                                   tile.GetNeighbour(x, y, z, -1, dy, dz),
                                   tile.GetNeighbour(x, y, z, 0, dy, dz),
                                   tile.GetNeighbour(x, y, z, 1, dy, dz));
        }
      }
    }
    else
    {
      value = this->Rule.Relax(value,
                               limit,
                               tile.GetNeighbour(x, y, z, -1, 0, 0),
                               tile.GetNeighbour(x, y, z, 1, 0, 0),
                               tile.GetNeighbour(x, y, z, 0, -1, 0),
                               tile.GetNeighbour(x, y, z, 0, 1, 0));
      if (VDimension == 3)
      {
        value =
          this->Rule.Relax(value, limit, tile.GetNeighbour(x, y, z, 0, 0, -1), tile.GetNeighbour(x, y, z, 0, 0, 1));
      }
    }
    return value;
  }

  template <bool VIsClear>
  __device__ ValueType
  Load(const Place & place, int x, int y, int z) const
  {
    if (VIsClear)
    {
      return this->Rule.Load(place.GetPixel(x, y, z));
    }
    const ValueType value = this->Rule.Load(place.GetNearestPixel(x, y, z));
    return place.IsInside(x, y, z) ? value : this->Rule.GetValueBeyond();
  }

  template <bool VIsClear>
  __device__ LimitType
  LoadLimit(const Place & place, int x, int y, int z) const
  {
    if (VIsClear)
    {
      return this->Rule.LoadLimit(place.GetPixel(x, y, z));
    }
    const LimitType limit = this->Rule.LoadLimit(place.GetNearestPixel(x, y, z));
    return place.IsInside(x, y, z) ? limit : this->Rule.GetLimitBeyond();
  }

  /** Calls a function with the coordinates of each pixel of the shell: the pixels outside the tile that are neighbours
   * of a pixel in it. The lanes share the pixels. */
  template <typename TFunction>
  __device__ static void
  ForShell(TFunction function)
  {
    const int lane = GetLaneOfWarp();
    if (lane < Extent::Rows)
    {
      function(-1, lane % Extent::Y, lane / Extent::Y);
      function(Extent::X, lane % Extent::Y, lane / Extent::Y);
    }
#pragma unroll
    for (int z = 0; z < Extent::Z; ++z)
    {
      function(lane, -1, z);
      function(lane, Extent::Y, z);
    }
    if (VDimension == 3)
    {
#pragma unroll
      for (int y = 0; y < Extent::Y; ++y)
      {
        function(lane, y, -1);
        function(lane, y, Extent::Z);
      }
    }
    if (VIsFull)
    {
      // The edges and corners of the shell.
      if (VDimension == 2)
      {
        if (lane < 4)
        {
          function(lane % 2 == 0 ? -1 : Extent::X, lane / 2 == 0 ? -1 : Extent::Y, 0);
        }
      }
      else
      {
#pragma unroll
        for (int corner = 0; corner < 4; ++corner)
        {
          function(lane, corner % 2 == 0 ? -1 : Extent::Y, corner / 2 == 0 ? -1 : Extent::Z);
          const int x = corner % 2 == 0 ? -1 : Extent::X;
          if (lane < Extent::Y + 2)
          {
            function(x, lane - 1, corner / 2 == 0 ? -1 : Extent::Z);
          }
          if (lane < Extent::Z)
          {
            function(x, corner / 2 == 0 ? -1 : Extent::Y, lane);
          }
        }
      }
    }
  }

  template <bool VLimitsAround>
  __device__ void
  LoadTile(const Place & place, Storage & tile) const
  {
    // Most tiles do not touch the border of the image. Only these need to be fast.
    if (place.IsClear)
    {
      this->LoadRowsAndShell<VLimitsAround, true>(place, tile);
    }
    else
    {
      this->LoadRowsAndShell<VLimitsAround, false>(place, tile);
    }
  }

  template <bool VLimitsAround, bool VIsClear>
  __device__ void
  LoadRowsAndShell(const Place & place, Storage & tile) const
  {
    const auto loadShell = [&](int x, int y, int z) {
      tile.Value(x, y, z) = this->Load<VIsClear>(place, x, y, z);
      if (VLimitsAround)
      {
        tile.SetLimit(x, y, z, this->LoadLimit<VIsClear>(place, x, y, z));
      }
    };
    // The number of loads in flight before the first result is used.
    constexpr int together = VIsClear ? Extent::Rows : 4;
    const int     x = GetLaneOfWarp();
#pragma unroll 1
    for (int first = 0; first < Extent::Rows; first += together)
    {
      ValueType values[together];
      LimitType limits[together];
#pragma unroll
      for (int i = 0; i < together; ++i)
      {
        const int row = first + i;
        values[i] = this->Load<VIsClear>(place, x, row % Extent::Y, row / Extent::Y);
        limits[i] = this->LoadLimit<VIsClear>(place, x, row % Extent::Y, row / Extent::Y);
      }
      if (VIsClear)
      {
        ForShell(loadShell);
      }
#pragma unroll
      for (int i = 0; i < together; ++i)
      {
        const int row = first + i;
        tile.Value(x, row % Extent::Y, row / Extent::Y) = values[i];
        tile.SetLimit(x, row % Extent::Y, row / Extent::Y, limits[i]);
      }
    }
    if (!VIsClear)
    {
      ForShell(loadShell);
    }
  }

  __device__ void
  StoreTile(const Place & place, Storage & tile) const
  {
    const int x = GetLaneOfWarp();
    if (place.IsClear)
    {
#pragma unroll
      for (int row = 0; row < Extent::Rows; ++row)
      {
        const int y = row % Extent::Y;
        const int z = row / Extent::Y;
        this->Rule.Store(place.GetPixel(x, y, z), tile.Value(x, y, z));
      }
    }
    else
    {
#pragma unroll 1
      for (int row = 0; row < Extent::Rows; ++row)
      {
        const int y = row % Extent::Y;
        const int z = row / Extent::Y;
        if (place.IsInside(x, y, z))
        {
          this->Rule.Store(place.GetPixel(x, y, z), tile.Value(x, y, z));
        }
      }
    }
  }

  /** Returns the neighbouring tiles, one bit each, with a pixel that this tile's new values would change. The shell
   * holds pixels from the start of the visit. Other workers may have changed them since, but a value changes in
   * one direction only: a pixel that can change now could also change then, so no tile is missed. With looksAgain, a
   * tile is returned only if the current pixels can change, too. */
  __device__ unsigned int
  FindTilesToVisit(const Place & place, Storage & tile, bool looksAgain) const
  {
    unsigned int around = 0;
    ForShell([&](int x, int y, int z) {
      const LimitType limit =
        Storage::HasLimitsAround ? tile.GetLimit(x, y, z) : this->LoadLimit<false>(place, x, y, z);
      const auto changes = [&](ValueType former) {
        ValueType value = former;
        if (VIsFull)
        {
#pragma unroll
          for (int dz = -Storage::ShellZ; dz <= Storage::ShellZ; ++dz)
          {
#pragma unroll
            for (int dy = -1; dy <= 1; ++dy)
            {
#pragma unroll
              for (int dx = -1; dx <= 1; ++dx)
              {
                const int nx = x + dx;
                const int ny = y + dy;
                const int nz = z + dz;
                if (nx >= 0 && nx < Extent::X && ny >= 0 && ny < Extent::Y && nz >= 0 && nz < Extent::Z)
                {
                  value = this->Rule.Relax(value, limit, tile.GetNeighbour(x, y, z, dx, dy, dz));
                }
              }
            }
          }
        }
        else
        {
          // The step into the tile.
          const auto step = [](int i, int extent) { return i < 0 ? 1 : i < extent ? 0 : -1; };
          value = this->Rule.Relax(
            value, limit, tile.GetNeighbour(x, y, z, step(x, Extent::X), step(y, Extent::Y), step(z, Extent::Z)));
        }
        return value != former;
      };
      if (changes(tile.Value(x, y, z)) && (!looksAgain || changes(this->Load<false>(place, x, y, z))))
      {
        const auto side = [](int i, int extent) { return i < 0 ? 0 : i < extent ? 1 : 2; };
        around |= 1u << (side(x, Extent::X) + 3 * side(y, Extent::Y) + 9 * side(z, Extent::Z));
      }
    });
    // Combine the results of all lanes.
#pragma unroll
    for (int distance = 1; distance < LanesPerWarp; distance *= 2)
    {
      around |= __shfl_xor_sync(AllLanes, around, distance);
    }
    return around;
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
