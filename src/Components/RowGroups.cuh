// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersRowGroups_cuh
#define itkCudaFiltersRowGroups_cuh

// Binary images as rows of bits, and groups of rows whose pixels are connected wherever their columns touch.
//
// A word holds 32 pixels of a row, the first one in the lowest bit; each row begins with a new word. If diagonal
// neighbours are connected, two rows (in volumes, two by two) form a group: in the union of its words, pixels in
// adjacent columns are connected, whatever rows they are in. Otherwise, each row is a group. So a run of adjacent
// columns in a group's word is connected, and is a node of the forest.
//
// The label of a node tells its first pixel in the order of the image, and less labels mean earlier pixels. Runs are at
// least one column apart, so that half the column suffices: there are 16 labels per word of a row. Since the root of a
// tree is its least label, objects can be numbered by their first pixels.

#include "LabelForest.cuh"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
constexpr int PixelsPerWord = 32;
constexpr int LabelsPerWord = 16;

/** The label of a node by its first pixel: the word in the image, and the column in the word. */
template <typename TLabel>
__device__ __forceinline__ TLabel
MakeLabel(std::int64_t word, int column)
{
  return static_cast<TLabel>(word * LabelsPerWord + column / 2 + 1);
}

/** Adjacent columns of a word: the first one, and all of them as bits. */
struct ColumnRun
{
  int           First;
  std::uint32_t Columns;
};

/** The run that contains a column. */
__device__ __forceinline__ ColumnRun
GetRun(std::uint32_t bits, int column)
{
  const std::uint32_t before = ~bits & ((1u << column) - 1u);
  const std::uint32_t after = ~bits & (0xffffffffu << column);
  const int           first = 32 - __clz(static_cast<int>(before));
  const std::uint32_t end = after & (0u - after); // 0 if the run reaches the end of the word
  return { first, end - (1u << first) };
}

/** The pixels that are connected, and how kernels divide images: a thread takes a word of a group, a block a tile. */
template <unsigned int VDimension, bool VIsFull>
struct Connectivity
{
  static constexpr unsigned int Dimension = VDimension;
  static constexpr bool         IsFull = VIsFull;
  static constexpr int          RowsAlongY = VIsFull ? 2 : 1;
  static constexpr int          RowsAlongZ = VIsFull && VDimension == 3 ? 2 : 1;
  static constexpr int          Rows = RowsAlongY * RowsAlongZ;

  static constexpr int TileX = 4;
  static constexpr int TileY = VDimension == 3 ? 8 : 64;
  static constexpr int TileZ = VDimension == 3 ? 8 : 1;
  static constexpr int Threads = TileX * TileY * TileZ;
};

/** One word of a group: those of its rows, y before z. */
template <typename TConnectivity>
struct GroupWord
{
  std::uint32_t Rows[TConnectivity::Rows];

  __device__ std::uint32_t
             GetUnion() const
  {
    return this->GetFace<0, 0>();
  }

  /** The union of the rows at the side of a neighbour that is one group before (-1) or behind (1) along an axis. */
  template <int VY, int VZ>
  __device__ std::uint32_t
             GetFace() const
  {
    std::uint32_t face = 0;
#pragma unroll
    for (int row = 0; row < TConnectivity::Rows; ++row)
    {
      const int  y = row % TConnectivity::RowsAlongY;
      const int  z = row / TConnectivity::RowsAlongY;
      const bool isThere = (VY == 0 || y == (VY < 0 ? 0 : TConnectivity::RowsAlongY - 1)) &&
                           (VZ == 0 || z == (VZ < 0 ? 0 : TConnectivity::RowsAlongZ - 1));
      face |= isThere ? this->Rows[row] : 0u;
    }
    return face;
  }

  /** The first pixel of a run, in the order of the image. */
  struct Pixel
  {
    int Row;
    int Column;
  };
  __device__ Pixel
  GetFirstPixel(const ColumnRun & run) const
  {
    Pixel first{ 0, 0 };
#pragma unroll
    for (int row = TConnectivity::Rows - 1; row >= 0; --row)
    {
      const std::uint32_t bits = this->Rows[row] & run.Columns;
      first = bits != 0 ? Pixel{ row, __ffs(static_cast<int>(bits)) - 1 } : first;
    }
    return first;
  }
};

/** The position of a group's word: in words along x, in groups along y and z. */
struct GroupIndex
{
  int X;
  int Y;
  int Z;
};

/** A binary image, as kernels see it. */
template <typename TConnectivity>
struct GroupedImage
{
  const std::uint32_t * Words;
  int                   Height;
  int                   Depth;
  int                   WordsPerRow;
  int                   GroupsAlongY;
  int                   GroupsAlongZ;
  int                   TilesAlongX;
  int                   TilesAlongY;
  std::int64_t          Tiles;

  __device__ bool
  Contains(const GroupIndex & index) const
  {
    return index.X >= 0 && index.X < this->WordsPerRow && index.Y >= 0 && index.Y < this->GroupsAlongY &&
           index.Z >= 0 && index.Z < this->GroupsAlongZ;
  }

  /** The number of a word in the image, or -1 if the row is outside: the last groups may have fewer rows. */
  __device__ std::int64_t
             GetWordNumber(const GroupIndex & index, int row) const
  {
    const int y = index.Y * TConnectivity::RowsAlongY + row % TConnectivity::RowsAlongY;
    const int z = index.Z * TConnectivity::RowsAlongZ + row / TConnectivity::RowsAlongY;
    return y < this->Height && z < this->Depth
             ? (static_cast<std::int64_t>(z) * this->Height + y) * this->WordsPerRow + index.X
             : -1;
  }

  __device__ GroupWord<TConnectivity>
             Load(const GroupIndex & index) const
  {
    GroupWord<TConnectivity> group;
#pragma unroll
    for (int row = 0; row < TConnectivity::Rows; ++row)
    {
      const std::int64_t number = this->GetWordNumber(index, row);
      group.Rows[row] = number >= 0 ? __ldg(this->Words + number) : 0u;
    }
    return group;
  }

  /** The label of a node. */
  template <typename TLabel>
  __device__ TLabel
  GetLabel(const GroupIndex & index, const GroupWord<TConnectivity> & group, const ColumnRun & run) const
  {
    const auto first = group.GetFirstPixel(run);
    return MakeLabel<TLabel>(this->GetWordNumber(index, first.Row), first.Column);
  }
};

/** Joins the runs of a group's word with those that touch them in the groups before. access: Has(x, y, z) tells whether
 * a neighbour is to be considered, Get(x, y, z) returns its word, and Join(run, x, y, z, neighbour, its run) joins two
 * nodes. */
template <typename TConnectivity, typename TAccess>
class NeighbourJoiner
{
public:
  using Group = GroupWord<TConnectivity>;

  __device__
  NeighbourJoiner(const Group & here, const TAccess & access)
    : m_Here(here)
    , m_Union(here.GetUnion())
    , m_Access(access)
  {}

  __device__ void
  JoinAll() const
  {
    if (m_Union == 0)
    {
      return;
    }
    if ((m_Union & 1u) != 0 && m_Access.Has(-1, 0, 0))
    {
      this->template JoinLast<0, 0>();
    }
    this->template JoinFace<-1, 0>();
    if constexpr (TConnectivity::Dimension == 3)
    {
      this->template JoinFace<0, -1>();
      if constexpr (TConnectivity::IsFull)
      {
        this->template JoinFace<-1, -1>();
        this->template JoinFace<1, -1>();
      }
    }
  }

private:
  /** Joins with the group at an offset, and across the ends of the word with those beside it. */
  template <int VY, int VZ>
  __device__ void
  JoinFace() const
  {
    const std::uint32_t face = m_Here.template GetFace<VY, VZ>();
    if (face == 0)
    {
      return;
    }
    std::uint32_t opposite = 0;
    if (m_Access.Has(0, VY, VZ))
    {
      const Group         there = m_Access.Get(0, VY, VZ);
      const std::uint32_t thereUnion = there.GetUnion();
      opposite = there.template GetFace<-VY, -VZ>();
      ForEachRun(opposite != 0 ? m_Union : 0u, [&](int first, std::uint32_t columns) {
        const std::uint32_t part = face & columns;
        std::uint32_t       touched = opposite & (TConnectivity::IsFull ? part | part << 1 | part >> 1 : part);
        while (touched != 0)
        {
          const ColumnRun other = GetRun(thereUnion, __ffs(static_cast<int>(touched)) - 1);
          m_Access.Join(ColumnRun{ first, columns }, 0, VY, VZ, there, other);
          touched &= ~other.Columns;
        }
      });
    }
    if constexpr (TConnectivity::IsFull)
    {
      // Where the column itself touches, its run in the other group is joined with the word beside it.
      if ((face & ~opposite & 1u) != 0 && m_Access.Has(-1, VY, VZ))
      {
        this->template JoinLast<VY, VZ>();
      }
      if ((face & ~opposite) >> 31 != 0 && m_Access.Has(1, VY, VZ))
      {
        const Group there = m_Access.Get(1, VY, VZ);
        if ((there.template GetFace<-VY, -VZ>() & 1u) != 0)
        {
          m_Access.Join(GetRun(m_Union, 31), 1, VY, VZ, there, GetRun(there.GetUnion(), 0));
        }
      }
    }
  }

  /** Joins the first column with the last one of the word before. */
  template <int VY, int VZ>
  __device__ void
  JoinLast() const
  {
    const Group there = m_Access.Get(-1, VY, VZ);
    if (there.template GetFace<-VY, -VZ>() >> 31 != 0)
    {
      m_Access.Join(GetRun(m_Union, 0), -1, VY, VZ, there, GetRun(there.GetUnion(), 31));
    }
  }

  const Group &   m_Here;
  std::uint32_t   m_Union;
  const TAccess & m_Access;
};
} // namespace CudaFilters
} // namespace itk

#endif
