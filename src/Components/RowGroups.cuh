// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersRowGroups_cuh
#define itkCudaFiltersRowGroups_cuh

// Binary images as rows of bits, and groups of rows whose pixels are connected wherever their columns touch.
//
// If diagonal neighbours are connected, two rows (in volumes, two by two) form a group: in the union of its words,
// pixels in adjacent columns are connected, whatever rows they are in. Otherwise, each row is a group. So a run of
// adjacent columns in a group's word is connected, and is a node of the forest.
//
// The label of a node tells its first pixel in the order of the image, and less labels mean earlier pixels. Runs are at
// least one column apart, so that half the column suffices: there are 16 labels per word of a row. Since the root of a
// tree is its least label, objects can be numbered by their first pixels.

#include "../Device/Divide.cuh"
#include "../Device/Warp.cuh"
#include "LabelForest.cuh"
#include "RowBits.h"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
constexpr int LabelsPerWord = 16;
/** One more, so that in shared memory the labels of adjacent words are in different banks. */
constexpr int PaddedLabelsPerWord = LabelsPerWord + 1;

/** The first columns of the runs in a word. */
__device__ __forceinline__ std::uint32_t
                           GetStarts(std::uint32_t columns)
{
  return columns & ~(columns << 1);
}

/** The label of a node by its first pixel: the word in the image, and the column in the word. */
template <typename TLabel>
__device__ __forceinline__ TLabel
MakeLabel(std::int64_t word, int column)
{
  return static_cast<TLabel>(word * LabelsPerWord + column / 2 + 1);
}

/** Calls function(lane, slot) for all labels of the words that the lanes of a warp have: the word of that lane, and the
 * label in it, from 0 on. Adjacent lanes take adjacent labels. All lanes must call it. */
template <typename TFunction>
__device__ __forceinline__ void
ForEachSlotOfWarp(TFunction function)
{
  for (int lane = GetLaneOfWarp() / LabelsPerWord; lane < LanesPerWarp; lane += LanesPerWarp / LabelsPerWord)
  {
    function(lane, GetLaneOfWarp() % LabelsPerWord);
  }
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

  static constexpr int TileX = VDimension == 3 ? 4 : 16;
  static constexpr int TileY = VDimension == 3 ? 8 : 16;
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

  __host__ __device__ std::int64_t
                      GetNumberOfGroupWords() const
  {
    return static_cast<std::int64_t>(this->WordsPerRow) * this->GroupsAlongY * this->GroupsAlongZ;
  }

  /** The index of the word of a group by its number, from 0 on. */
  __device__ GroupIndex
  GetIndex(std::int64_t number) const
  {
    const std::int64_t row = Divide(number, this->WordsPerRow);
    const std::int64_t z = Divide(row, this->GroupsAlongY);
    return { static_cast<int>(number - row * this->WordsPerRow),
             static_cast<int>(row - z * this->GroupsAlongY),
             static_cast<int>(z) };
  }

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

/** The columns in which a group's word and that of a neighbour have pixels beside each other. */
template <int VY, int VZ, typename TConnectivity>
__device__ __forceinline__ std::uint32_t
GetContact(const GroupWord<TConnectivity> & group, const GroupWord<TConnectivity> & neighbour)
{
  return group.template GetFace<VY, VZ>() & neighbour.template GetFace<-VY, -VZ>();
}

/** Joins the runs of a group's word with those that touch them in the groups before.
 *
 * Joins are left out where they follow from others. If four pixels form a square, joining three sides connects all four
 * corners. So a side is implied if the parallel side nearer to the start of the image is joined or implied, and the two
 * other sides are joined or implied without it. A diagonal is implied if two sides connect its ends. Reasons must not
 * be circular:
 * - Within a tile (VIsTile), no side along y is implied. Sides along x or z are, by squares with sides along y; and
 * sides along z by squares with sides along x that cross the end of a word.
 * - Across the border of tiles, the two other sides must lie within one tile each, whose pixels are connected already.
 *
 * access: Get(x, y, z) returns the word of a neighbour, or one without pixels if it is unknown; Joins(x, y, z) tells
 * whether to join with it; IsInTile(x, y, z) whether it is in the same tile; Join(run, x, y, z, neighbour, its run)
 * joins two nodes. Within a tile, runs are linked already, see FindLink(). */
template <typename TConnectivity, typename TAccess, bool VIsTile>
class NeighbourJoiner
{
public:
  using Group = GroupWord<TConnectivity>;

  __device__
  NeighbourJoiner(const Group & here, const TAccess & access)
    : m_Here(here)
    , m_Union(here.GetUnion())
    , m_Access(access)
    , m_Above(access.Get(0, -1, 0))
    , m_Left(access.Get(-1, 0, 0))
    , m_Front(TConnectivity::Dimension == 3 ? access.Get(0, 0, -1) : Group{})
    , m_WithAbove(GetContact<-1, 0>(here, m_Above))
    , m_WithFront(GetContact<0, -1>(here, m_Front))
    , m_Continues((m_Union & 1u) != 0 && m_Left.GetUnion() >> 31 != 0)
  {}

  /** A neighbour's run. */
  struct Link
  {
    int X;
    int Y;
    int Z;
    int First; // column; or -1 if there is none
  };

  /** The run that a run of this word is to be linked to at first: above, or in the word before, or in front. JoinAll()
   * and IsLinked() keep to this order. */
  __device__ Link
  FindLink(const ColumnRun & run) const
  {
    const std::uint32_t above = m_WithAbove & run.Columns;
    const std::uint32_t front = m_WithFront & run.Columns;
    if (above != 0)
    {
      return { 0, -1, 0, GetRun(m_Above.GetUnion(), __ffs(static_cast<int>(above)) - 1).First };
    }
    if (this->Continues(run))
    {
      return { -1, 0, 0, GetRun(m_Left.GetUnion(), 31).First };
    }
    if (front != 0)
    {
      return { 0, 0, -1, GetRun(m_Front.GetUnion(), __ffs(static_cast<int>(front)) - 1).First };
    }
    return { 0, 0, 0, -1 };
  }

  __device__ void
  JoinAll() const
  {
    const bool                  hasAbove = m_Access.IsInTile(0, -1, 0);
    const bool                  hasLeft = m_Continues && m_Access.IsInTile(-1, 0, 0);
    [[maybe_unused]] const bool hasFront = m_Access.IsInTile(0, 0, -1);

    Group         frontAbove{};
    std::uint32_t aboveWithFrontAbove = 0;
    std::uint32_t frontWithFrontAbove = 0;
    if constexpr (TConnectivity::Dimension == 3)
    {
      frontAbove = m_Access.Get(0, -1, -1);
      aboveWithFrontAbove = GetContact<0, -1>(m_Above, frontAbove);
      frontWithFrontAbove = GetContact<-1, 0>(m_Front, frontAbove);
    }
    const std::uint32_t squares = m_WithAbove & m_WithFront & aboveWithFrontAbove & frontWithFrontAbove;

    if (m_Continues && m_Access.Joins(-1, 0, 0))
    {
      const ColumnRun run = GetRun(m_Union, 0);
      bool            isImplied = VIsTile && (m_WithAbove & run.Columns) == 0; // linked
      isImplied |= hasAbove && (m_WithAbove & 1u) != 0 && this->template HasContactLeft<-1, 0>();
      if constexpr (!VIsTile)
      {
        isImplied |= hasFront && (m_WithFront & 1u) != 0 && this->template HasContactLeft<0, -1>();
      }
      if (!isImplied)
      {
        m_Access.Join(run, -1, 0, 0, m_Left, GetRun(m_Left.GetUnion(), 31));
      }
    }
    std::uint32_t implied = 0;
    if constexpr (!VIsTile)
    {
      implied = hasFront ? squares : 0u;
      implied |= hasLeft && (m_WithAbove & 1u) != 0 && this->template HasContactLeft<-1, 0>() ? 1u : 0u;
    }
    this->template JoinFace<-1, 0>(m_Above, m_WithAbove, implied);
    if constexpr (TConnectivity::Dimension == 3)
    {
      implied = hasAbove ? squares : 0u;
      implied |= hasLeft && (m_WithFront & ~implied & 1u) != 0 && this->template HasContactLeft<0, -1>() ? 1u : 0u;
      this->template JoinFace<0, -1>(m_Front, m_WithFront, implied);
      if constexpr (TConnectivity::IsFull)
      {
        this->template JoinFace<-1, -1>(frontAbove,
                                        GetContact<-1, -1>(m_Here, frontAbove),
                                        (m_WithAbove & aboveWithFrontAbove) | (m_WithFront & frontWithFrontAbove));
        const Group frontBelow = m_Access.Get(0, 1, -1);
        this->template JoinFace<1, -1>(
          frontBelow, GetContact<1, -1>(m_Here, frontBelow), m_WithFront & GetContact<1, 0>(m_Front, frontBelow));
      }
    }
  }

private:
  /** Whether a run goes on in the word before. */
  __device__ bool
  Continues(const ColumnRun & run) const
  {
    return m_Continues && run.First == 0;
  }

  /** Whether the last column of the word before has contact with its neighbour. */
  template <int VY, int VZ>
  __device__ bool
  HasContactLeft() const
  {
    return GetContact<VY, VZ>(m_Left, m_Access.Get(-1, VY, VZ)) >> 31 != 0;
  }

  /** Whether a run was linked to another one, in the group at an offset. */
  template <int VY, int VZ>
  __device__ bool
  IsLinked(const ColumnRun & run, const ColumnRun & other) const
  {
    const auto isFirst = [&](std::uint32_t contact) { return (contact & (0u - contact) & other.Columns) != 0; };
    if constexpr (!VIsTile || (VY != 0 && VZ != 0))
    {
      return false;
    }
    else if constexpr (VZ == 0)
    {
      return isFirst(m_WithAbove & run.Columns);
    }
    else
    {
      return (m_WithAbove & run.Columns) == 0 && !this->Continues(run) && isFirst(m_WithFront & run.Columns);
    }
  }

  /** Joins with the group at an offset, and across the ends of the word with those beside it. contact: the columns with
   * pixels in both. implied: columns whose runs in both groups are joined in another way. */
  template <int VY, int VZ>
  __device__ void
  JoinFace(const Group & there, std::uint32_t contact, std::uint32_t implied) const
  {
    const std::uint32_t thereUnion = there.GetUnion();
    const bool          joins = m_Access.Joins(0, VY, VZ);
    std::uint32_t       rest = joins ? contact & ~implied : 0u;
    while (rest != 0)
    {
      const int           column = __ffs(static_cast<int>(rest)) - 1;
      const ColumnRun     run = GetRun(m_Union, column);
      const ColumnRun     other = GetRun(thereUnion, column);
      const std::uint32_t both = run.Columns & other.Columns;
      if ((both & implied) == 0 && !this->template IsLinked<VY, VZ>(run, other))
      {
        m_Access.Join(run, 0, VY, VZ, there, other);
      }
      rest &= ~both;
    }
    if constexpr (TConnectivity::IsFull)
    {
      const std::uint32_t face = m_Here.template GetFace<VY, VZ>();
      const std::uint32_t opposite = there.template GetFace<-VY, -VZ>();
      // Pixels in adjacent columns, where neither column has pixels on both sides: in a column here, and in the one
      // before there; or the other way round.
      const std::uint32_t free = joins ? ~contact & ~(contact << 1) : 0u;
      const std::uint32_t falling = face & opposite << 1 & free;
      rest = falling | (face << 1 & opposite & free);
      while (rest != 0)
      {
        const int       column = __ffs(static_cast<int>(rest)) - 1;
        const bool      isFalling = (falling >> column & 1u) != 0;
        const ColumnRun run = GetRun(m_Union, isFalling ? column : column - 1);
        const ColumnRun other = GetRun(thereUnion, isFalling ? column - 1 : column);
        if ((run.Columns & other.Columns & contact) == 0)
        {
          m_Access.Join(run, 0, VY, VZ, there, other);
        }
        rest &= rest - 1;
      }
      // Where the column itself has contact, its run there is joined with the word beside it.
      if ((face & ~opposite & 1u) != 0 && m_Access.Joins(-1, VY, VZ))
      {
        this->template JoinBeside<VY, VZ, -1>();
      }
      if ((face & ~opposite) >> 31 != 0 && m_Access.Joins(1, VY, VZ))
      {
        this->template JoinBeside<VY, VZ, 1>();
      }
    }
  }

  /** Joins the first or last column with the next one in the word before (-1) or behind (1), in the group at an offset.
   */
  template <int VY, int VZ, int VX>
  __device__ void
  JoinBeside() const
  {
    constexpr int column = VX < 0 ? 0 : 31;
    const Group   there = m_Access.Get(VX, VY, VZ);
    const bool    touches = (there.template GetFace<-VY, -VZ>() >> (31 - column) & 1u) != 0;
    // The word beside this one may have contact with both.
    if (touches && (GetContact<VY, VZ>(m_Access.Get(VX, 0, 0), there) >> (31 - column) & 1u) == 0)
    {
      m_Access.Join(GetRun(m_Union, column), VX, VY, VZ, there, GetRun(there.GetUnion(), 31 - column));
    }
  }

  const Group &   m_Here;
  std::uint32_t   m_Union;
  const TAccess & m_Access;
  Group           m_Above; // at y - 1
  Group           m_Left;  // at x - 1
  Group           m_Front; // at z - 1
  std::uint32_t   m_WithAbove;
  std::uint32_t   m_WithFront;
  bool            m_Continues; // from the word before
};
} // namespace CudaFilters
} // namespace itk

#endif
