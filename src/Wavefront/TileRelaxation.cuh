// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersTileRelaxation_cuh
#define itkCudaFiltersTileRelaxation_cuh

#include "TileQueue.cuh"

namespace itk
{
namespace CudaFilters
{
/** The extent of a tile: 32 pixels along x, one for each lane, and as many rows as fit into the registers of a lane. */
template <typename TValue, int VDimension>
struct TileExtent
{
  static constexpr int Rows = sizeof(TValue) > 4 ? 16 : 32;
  static constexpr int X = LanesPerWarp;
  static constexpr int Z = VDimension == 2 ? 1 : 4;
  static constexpr int Y = Rows / Z;
};

/** A tile in shared memory, with the pixels around it, which stay as they are. Coordinates count from the first pixel
 * of the tile; -1 is before it. */
template <typename TRule, int VDimension, int VPitch>
class TileStorage
{
public:
  using ValueType = typename TRule::ValueType;
  using LimitType = typename TRule::LimitType;
  using Extent = TileExtent<ValueType, VDimension>;
  /** Whether there are pixels around it along z. */
  static constexpr int ShellZ = VDimension == 3 ? 1 : 0;

  __device__ ValueType &
  Value(int x, int y, int z)
  {
    return m_Values[z + ShellZ][y + 1][x + 1];
  }
  __device__ LimitType &
  Limit(int x, int y, int z)
  {
    return m_Limits[z * Extent::Y + y][x];
  }

private:
  ValueType m_Values[Extent::Z + 2 * ShellZ][Extent::Y + 2][VPitch];
  LimitType m_Limits[Extent::Rows][VPitch];
};

/** Propagation in a tile by sweeps along the axes, there and back: each lane takes lines of the tile into its registers
 * and hands the value from pixel to pixel. (After Karas, Efficient Computation of Morphological Greyscale
 * Reconstruction, 2010, within a tile.) Pixels beyond the edges of a line bring their values as the first of it. */
template <typename TRule, int VDimension, bool VIsFull>
class TileSweeps
{
public:
  /** Odd, so that lanes that take a row each, and lanes that take a column each, use different banks. */
  using Storage = TileStorage<TRule, VDimension, 35>;

  __device__ static bool
  Propagate(const TRule & rule, Storage & tile, unsigned long long & sweeps)
  {
    // A line that has been swept there and back is stable; but where it has neighbours in other lines of the same kind,
    // as fully connected columns do, these are perhaps not.
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

  /** One lane a row. */
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
        limits[x] = tile.Limit(x, y, z);
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
              value = rule.Relax(value, limits[x], tile.Value(beyond, y + dy, z + dz));
            }
          }
        }
        else
        {
          value = rule.Relax(value, limits[x], tile.Value(beyond, y, z));
        }
        changes = changes || value != values[x];
        values[x] = value;
      };
      const auto relax = [&](int x, int from) {
        const ValueType value = rule.Relax(values[x], limits[x], values[from]);
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

  /** A value with those of the lanes before and behind, or, at the ends of the warp, its own. */
  struct Triple
  {
    ValueType Before, Here, Behind;
    __device__ explicit Triple(ValueType here)
      : Before(VIsFull ? __shfl_up_sync(AllLanes, here, 1) : here)
      , Here(here)
      , Behind(VIsFull ? __shfl_down_sync(AllLanes, here, 1) : here)
    {}
    __device__
    Triple(Storage & tile, int x, int y, int z)
      : Before(VIsFull ? tile.Value(x - 1, y, z) : ValueType{})
      , Here(tile.Value(x, y, z))
      , Behind(VIsFull ? tile.Value(x + 1, y, z) : ValueType{})
    {}
  };
  __device__ static ValueType
  RelaxFrom(const TRule & rule, ValueType value, LimitType limit, const Triple & triple)
  {
    return VIsFull ? rule.Relax(value, limit, triple.Before, triple.Here, triple.Behind)
                   : rule.Relax(value, limit, triple.Here);
  }

  /** One lane a column of each slice. */
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
        limits[y] = tile.Limit(x, y, z);
      }
      const auto relax = [&](int y, const Triple & from) {
        const ValueType value = RelaxFrom(rule, values[y], limits[y], from);
        changesHere = changesHere || value != values[y];
        values[y] = value;
      };
      relax(0, Triple(tile, x, -1, z));
#pragma unroll
      for (int y = 1; y < Extent::Y; ++y)
      {
        relax(y, Triple(values[y - 1]));
      }
      relax(Extent::Y - 1, Triple(tile, x, Extent::Y, z));
#pragma unroll
      for (int y = Extent::Y - 2; y >= 0; --y)
      {
        relax(y, Triple(values[y + 1]));
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

  /** One lane a row of columns; slice after slice, there and back. */
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
        const int from = step < Extent::Z ? z - 1 : z + 1;
#pragma unroll
        for (int y = 0; y < Extent::Y; ++y)
        {
          const ValueType former = tile.Value(x, y, z);
          const LimitType limit = tile.Limit(x, y, z);
          ValueType       value = former;
          if (VIsFull)
          {
#pragma unroll
            for (int dy = -1; dy <= 1; ++dy)
            {
              value = RelaxFrom(rule, value, limit, Triple(tile, x, y + dy, from));
            }
          }
          else
          {
            value = rule.Relax(value, limit, tile.Value(x, y, from));
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

/** Propagation in a tile by wavefronts from its first pixel to its last, and back, each row a step behind the one
 * before it: a value can go in two directions in one pass. */
template <typename TRule, int VDimension, bool VIsFull>
class TileDiagonals
{
  /** How many steps a row is behind the one before it, and a slice behind the one before. */
  static constexpr int StepsBehindRow = VIsFull ? 2 : 1;
  static constexpr int StepsBehindSlice = VIsFull ? 4 : 1;

public:
  /** The lanes use different banks: they are a row and StepsBehindRow pixels apart. */
  using Storage = TileStorage<TRule, VDimension, VIsFull ? 35 : 34>;

  __device__ static bool
  Propagate(const TRule & rule, Storage & tile, unsigned long long & sweeps)
  {
    bool hasChanged = false;
    bool isStable = false;
    for (int pass = 0; !isStable; ++pass)
    {
      const bool changes = __any_sync(AllLanes, pass % 2 == 0 ? Sweep<1>(rule, tile) : Sweep<-1>(rule, tile)) != 0;
      // What one pass leaves unchanged after the other is stable.
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
        const auto      limit = tile.Limit(x, y, z);
        ValueType       value = rule.Relax(former, limit, tile.Value(x - VDirection, y, z));
        if (VIsFull)
        {
#pragma unroll
          for (int dx = -1; dx <= 1; ++dx)
          {
            value = rule.Relax(value, limit, tile.Value(x + dx, y - VDirection, z));
            if (VDimension == 3)
            {
#pragma unroll
              for (int dy = -1; dy <= 1; ++dy)
              {
                value = rule.Relax(value, limit, tile.Value(x + dx, y + dy, z - VDirection));
              }
            }
          }
        }
        else
        {
          value = rule.Relax(value, limit, tile.Value(x, y - VDirection, z));
          if (VDimension == 3)
          {
            value = rule.Relax(value, limit, tile.Value(x, y, z - VDirection));
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

/** Visits tiles of an image: takes one into shared memory, propagates in it until it is stable, writes it back, and
 * looks which of the pixels around it could now change. Nobody else writes into the tile meanwhile; those who write
 * into the tiles around have this one visited again.
 *
 * TRule is what is propagated:
 * - ValueType, what a pixel has; LimitType, what stays as it is and limits it
 * - Load(pixel), LoadLimit(pixel), Store(pixel, value): a pixel of the image by its number
 * - GetValueBeyond(), GetLimitBeyond(): of pixels outside the image; nothing comes from them, and nothing changes them
 * - Relax(value, limit, neighbours...): the value of a pixel after it has seen its neighbours' */
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

  TRule        Rule;
  std::int64_t Size[3];

  __device__ unsigned int
  Visit(const TileQueue & queue, std::uint32_t number, Storage & tile, unsigned long long & sweeps) const
  {
    const Place place(*this, queue, number);
    this->LoadTile(place, tile);
    __syncwarp();
    // Pixels around that could change before had their tiles chosen at first: only what changes here is new to them.
    if (!Propagation::Propagate(this->Rule, tile, sweeps))
    {
      return 0u;
    }
    this->StoreTile(place, tile);
    __threadfence();
    return this->FindTilesToVisit(place, tile);
  }

  /** Whether a pixel of a tile would change if it saw its neighbours. */
  __device__ bool
  IsToVisit(const TileQueue & queue, std::uint32_t number, Storage & tile) const
  {
    this->LoadTile(Place(*this, queue, number), tile);
    __syncwarp();
    const int x = GetLaneOfWarp();
    bool      changes = false;
#pragma unroll 4
    for (int row = 0; row < Extent::Rows; ++row)
    {
      const int       y = row % Extent::Y;
      const int       z = row / Extent::Y;
      const ValueType former = tile.Value(x, y, z);
      const LimitType limit = tile.Limit(x, y, z);
      ValueType       value = former;
#pragma unroll
      for (int dz = -Storage::ShellZ; dz <= Storage::ShellZ; ++dz)
      {
#pragma unroll
        for (int dy = -1; dy <= 1; ++dy)
        {
#pragma unroll
          for (int dx = -1; dx <= 1; ++dx)
          {
            if (VIsFull || dx * dx + dy * dy + dz * dz == 1)
            {
              value = this->Rule.Relax(value, limit, tile.Value(x + dx, y + dy, z + dz));
            }
          }
        }
      }
      changes = changes || value != former;
    }
    __syncwarp();
    return __any_sync(AllLanes, changes) != 0;
  }

private:
  /** Where a tile is. */
  struct Place
  {
    std::int64_t First;   // the number of its first pixel
    std::int64_t Stride;  // between slices
    std::int64_t Stride1; // between rows
    int          Begin[3];
    int          End[3]; // of the image, in coordinates of the tile, as far as they are near

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
      Stride1 = relaxation.Size[0];
      Stride = relaxation.Size[0] * relaxation.Size[1];
      First = start[0] + start[1] * Stride1 + start[2] * Stride;
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
      return First + x + y * Stride1 + (VDimension == 2 ? 0 : z * Stride);
    }
    /** The pixel, or, if it is outside the image, another near it: to load something is faster than to decide. */
    __device__ std::int64_t
               GetNearestPixel(int x, int y, int z) const
    {
      const auto clamp = [this](int i, int axis) {
        return i < Begin[axis] ? Begin[axis] : i < End[axis] ? i : End[axis] - 1;
      };
      return this->GetPixel(clamp(x, 0), clamp(y, 1), VDimension == 2 ? 0 : clamp(z, 2));
    }
  };

  __device__ ValueType
  Load(const Place & place, int x, int y, int z) const
  {
    const ValueType value = this->Rule.Load(place.GetNearestPixel(x, y, z));
    return place.IsInside(x, y, z) ? value : this->Rule.GetValueBeyond();
  }

  __device__ LimitType
  LoadLimit(const Place & place, int x, int y, int z) const
  {
    const LimitType limit = this->Rule.LoadLimit(place.GetNearestPixel(x, y, z));
    return place.IsInside(x, y, z) ? limit : this->Rule.GetLimitBeyond();
  }

  /** Calls a function with the coordinates of the pixels around the tile that a pixel in it has for neighbours, spread
   * over the lanes. */
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
      // What is at two or three faces.
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

  __device__ void
  LoadTile(const Place & place, Storage & tile) const
  {
    // All loads are under way before the first result is used.
    const int x = GetLaneOfWarp();
    ValueType values[Extent::Rows];
    LimitType limits[Extent::Rows];
#pragma unroll
    for (int row = 0; row < Extent::Rows; ++row)
    {
      values[row] = this->Load(place, x, row % Extent::Y, row / Extent::Y);
      limits[row] = this->LoadLimit(place, x, row % Extent::Y, row / Extent::Y);
    }
    ForShell([&](int sx, int sy, int sz) { tile.Value(sx, sy, sz) = this->Load(place, sx, sy, sz); });
#pragma unroll
    for (int row = 0; row < Extent::Rows; ++row)
    {
      tile.Value(x, row % Extent::Y, row / Extent::Y) = values[row];
      tile.Limit(x, row % Extent::Y, row / Extent::Y) = limits[row];
    }
  }

  __device__ void
  StoreTile(const Place & place, Storage & tile) const
  {
    const int x = GetLaneOfWarp();
#pragma unroll
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

  /** Of the tiles around, those with a pixel that would change if it saw this tile. */
  __device__ unsigned int
  FindTilesToVisit(const Place & place, Storage & tile) const
  {
    unsigned int around = 0;
    ForShell([&](int x, int y, int z) {
      const ValueType former = this->Load(place, x, y, z);
      const LimitType limit = this->LoadLimit(place, x, y, z);
      ValueType       value = former;
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
                value = this->Rule.Relax(value, limit, tile.Value(nx, ny, nz));
              }
            }
          }
        }
      }
      else
      {
        const auto clamp = [](int i, int extent) { return i < 0 ? 0 : i < extent ? i : extent - 1; };
        value =
          this->Rule.Relax(value, limit, tile.Value(clamp(x, Extent::X), clamp(y, Extent::Y), clamp(z, Extent::Z)));
      }
      if (value != former)
      {
        const auto side = [](int i, int extent) { return i < 0 ? 0 : i < extent ? 1 : 2; };
        around |= 1u << (side(x, Extent::X) + 3 * side(y, Extent::Y) + 9 * side(z, Extent::Z));
      }
    });
    // What any of the lanes found.
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
