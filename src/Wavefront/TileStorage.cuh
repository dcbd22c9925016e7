// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersTileStorage_cuh
#define itkCudaFiltersTileStorage_cuh

#include "TileQueue.cuh"
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** A neighbour of a pixel: its value, and where it is relative to the pixel. */
template <typename TValue>
struct Neighbour
{
  TValue Value;
  int    X;
  int    Y;
  int    Z;
};

/** The limit of a rule without limits. */
struct NoLimit
{};

/** The extent of a tile: 32 pixels along x, one per lane, and as many rows as one lane can hold in registers. */
template <typename TValue, int VDimension>
struct TileExtent
{
  static constexpr int Rows = sizeof(TValue) > 4 ? 16 : 32;
  static constexpr int X = LanesPerWarp;
  static constexpr int Z = VDimension == 2 ? 1 : 4;
  static constexpr int Y = Rows / Z;
};

/** A tile in shared memory, with a shell of neighbouring pixels, which propagation does not change. Coordinates are
 * relative to the first pixel of the tile; -1 is in the shell. */
template <typename TRule, int VDimension, int VPitch>
class TileStorage
{
public:
  using ValueType = typename TRule::ValueType;
  using LimitType = typename TRule::LimitType;
  using Extent = TileExtent<ValueType, VDimension>;
  /** The width of the shell along z. */
  static constexpr int  ShellZ = VDimension == 3 ? 1 : 0;
  static constexpr bool HasLimits = !std::is_empty<LimitType>::value;
  /** Whether the limits of the shell are stored, too. In 3-D, they would take too much shared memory and reduce the
   * number of resident warps. */
  static constexpr bool HasLimitsAround = HasLimits && VDimension == 2;

  __device__ ValueType &
  Value(int x, int y, int z)
  {
    return m_Values[z + ShellZ][y + 1][x + 1];
  }
  __device__ Neighbour<ValueType>
             GetNeighbour(int x, int y, int z, int dx, int dy, int dz)
  {
    return { this->Value(x + dx, y + dy, z + dz), dx, dy, dz };
  }

  __device__ LimitType
  GetLimit(int x, int y, int z) const
  {
    if constexpr (HasLimits)
    {
      return m_Limits[z * Extent::Y + y + LimitShell][x + LimitShell];
    }
    else
    {
      return {};
    }
  }
  __device__ void
  SetLimit(int x, int y, int z, LimitType limit)
  {
    if constexpr (HasLimits)
    {
      m_Limits[z * Extent::Y + y + LimitShell][x + LimitShell] = limit;
    }
  }

private:
  static constexpr int LimitShell = HasLimitsAround ? 1 : 0;

  ValueType m_Values[Extent::Z + 2 * ShellZ][Extent::Y + 2][VPitch];
  LimitType m_Limits[HasLimits ? Extent::Rows + 2 * LimitShell : 1][HasLimits ? VPitch : 1];
};
} // namespace CudaFilters
} // namespace itk

#endif
