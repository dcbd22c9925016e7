// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersComponentTiles_cuh
#define itkCudaFiltersComponentTiles_cuh

// The kernels that find connected pixels: first within tiles, in shared memory, then across their borders. A tile is
// what one block labels; the tiles of ComponentOperation are parts of an image that exceeds the memory. (After M.
// Oliveira and R. Lotufo, A Study on Connected Components Labeling Algorithms Using GPUs, 2010; the groups of rows take
// the place of the blocks of 2 x 2 pixels of S. Allegretti, F. Bolelli and C. Grana, Optimized Block-Based Algorithms
// to Label Connected Components on GPUs, 2020.)

#include "../Device/ForEachIndex.cuh"
#include "RowGroups.cuh"

namespace itk
{
namespace CudaFilters
{
/** A tile in shared memory. Nodes have labels that are local to the tile. */
template <typename TConnectivity>
struct TileAccess
{
  using Group = GroupWord<TConnectivity>;

  static constexpr int MostPairs = 5 * TConnectivity::Threads; // so that 8 blocks fit into a multiprocessor
  static_assert(TConnectivity::Threads * PaddedLabelsPerWord < 65536, "two nodes must fit into 32 bits");

  const std::uint32_t (*Words)[TConnectivity::Threads]; // of each row of the groups
  LabelForest<std::uint32_t> Forest;
  std::uint32_t *            Pairs; // of nodes that are to be joined
  int *                      NumberOfPairs;
  int                        Thread;
  int                        X; // position of the thread's group in the tile
  int                        Y;
  int                        Z;

  __device__ bool
  IsInTile(int x, int y, int z) const
  {
    return this->X + x >= 0 && this->X + x < TConnectivity::TileX && this->Y + y >= 0 &&
           this->Y + y < TConnectivity::TileY && this->Z + z >= 0;
  }

  __device__ bool
  Joins(int x, int y, int z) const
  {
    return this->IsInTile(x, y, z);
  }

  __device__ Group
  Get(int x, int y, int z) const
  {
    const bool isInTile = this->IsInTile(x, y, z);
    Group      group;
#pragma unroll
    for (int row = 0; row < TConnectivity::Rows; ++row)
    {
      group.Rows[row] = isInTile ? this->Words[row][this->GetThread(x, y, z)] : 0u;
    }
    return group;
  }

  /** Appends the pair to a list, if there is room: few threads of a warp reach each call, whereas JoinPairs() shares
   * the list among all threads. */
  __device__ void
  Join(const ColumnRun & run, int x, int y, int z, const Group &, const ColumnRun & other) const
  {
    const std::uint32_t node = GetNode(this->Thread, run.First);
    const std::uint32_t neighbour = GetNode(this->GetThread(x, y, z), other.First);
    const int           place = atomicAdd(this->NumberOfPairs, 1);
    if (place < MostPairs)
    {
      this->Pairs[place] = node << 16 | neighbour;
    }
    else
    {
      this->Forest.Join(node, neighbour);
    }
  }

  __device__ void
  JoinPairs() const
  {
    const int count = min(*this->NumberOfPairs, MostPairs);
    for (int i = this->Thread; i < count; i += TConnectivity::Threads)
    {
      this->Forest.Join(this->Pairs[i] >> 16, this->Pairs[i] & 0xffffu);
    }
  }

  __device__ static std::uint32_t
  GetNode(int thread, int firstColumn)
  {
    return static_cast<std::uint32_t>(thread * PaddedLabelsPerWord + firstColumn / 2 + 1);
  }

  __device__ int
  GetThread(int x, int y, int z) const
  {
    return this->Thread + x + (y + z * TConnectivity::TileY) * TConnectivity::TileX;
  }
};

/** Stores the roots of a thread's nodes, if groups are single rows: nodes are in the order of the image then. */
template <typename TConnectivity, typename TLabel>
__device__ __forceinline__ void
StoreRows(const GroupedImage<TConnectivity> & image,
          const GroupIndex &                  index,
          std::uint32_t                       columns,
          const TileAccess<TConnectivity> &   access,
          const LabelForest<TLabel> &         forest,
          std::uint32_t &                     rootsHere)
{
  using C = TConnectivity;
  constexpr int manyRuns = 6;

  const GroupIndex tile{ index.X - access.X, index.Y - access.Y, index.Z - access.Z };
  const auto       getLabel = [&](std::uint32_t node) {
    const auto       thread = static_cast<int>(node - 1) / PaddedLabelsPerWord;
    const auto       slot = static_cast<int>(node - 1) % PaddedLabelsPerWord;
    const GroupIndex there{ tile.X + thread % C::TileX,
                            tile.Y + thread / C::TileX % C::TileY,
                            tile.Z + thread / (C::TileX * C::TileY) };
    return MakeLabel<TLabel>(image.GetWordNumber(there, 0), 2 * slot);
  };
  const std::uint32_t starts = GetStarts(columns);
  const bool          isDense = __any_sync(AllLanes, __popc(starts) > manyRuns ? 1 : 0) != 0;
  ForEachBit(starts, [&](int first) {
    const std::uint32_t node = access.GetNode(access.Thread, first);
    const std::uint32_t root = access.Forest.Find(node);
    access.Forest.Shorten(node, root);
    rootsHere |= root == node ? 1u << first : 0u;
    if (!isDense)
    {
      forest.Set(MakeLabel<TLabel>(image.GetWordNumber(index, 0), first), getLabel(root));
    }
  });
  if (isDense)
  {
    // Adjacent lanes store adjacent labels.
    __syncwarp();
    ForEachSlotOfWarp([&](int lane, int slot) {
      const std::uint32_t startsThere = __shfl_sync(AllLanes, starts, lane);
      if ((startsThere >> (2 * slot) & 3u) != 0)
      {
        const std::uint32_t node = access.GetNode(access.Thread - GetLaneOfWarp() + lane, 2 * slot);
        forest.Set(getLabel(node), getLabel(access.Forest.GetParent(node)));
      }
    });
  }
}

/** The same if groups have several rows. */
template <typename TConnectivity, typename TLabel>
__device__ __forceinline__ void
StoreGroups(const GroupedImage<TConnectivity> & image,
            const GroupIndex &                  index,
            const GroupWord<TConnectivity> &    here,
            const TileAccess<TConnectivity> &   access,
            const LabelForest<TLabel> &         forest,
            std::uint32_t (&rootsHere)[TConnectivity::Rows])
{
  using C = TConnectivity;
  constexpr std::uint32_t isPlace = 0x80000000u;

  const GroupIndex                   tile{ index.X - access.X, index.Y - access.Y, index.Z - access.Z };
  const LabelForest<std::uint32_t> & local = access.Forest;
  const auto                         forEachNode = [&](auto function) {
    ForEachRun(here.GetUnion(), [&](int first, std::uint32_t run) {
      function(access.GetNode(access.Thread, first), here.GetFirstPixel({ first, run }));
    });
  };
  // The place of a node's first pixel in the tile, by which tiles know their nodes' order in the image.
  const auto getPlace = [&](const typename GroupWord<C>::Pixel & pixel) {
    const int y = access.Y * C::RowsAlongY + pixel.Row % C::RowsAlongY;
    const int z = access.Z * C::RowsAlongZ + pixel.Row / C::RowsAlongY;
    const int word = (z * C::TileY * C::RowsAlongY + y) * C::TileX + access.X;
    return static_cast<std::uint32_t>(word * LabelsPerWord + pixel.Column / 2);
  };
  // A root need not have the first pixel of its object. So each root now stores, instead of its label, the least place
  // among its nodes, with the highest bit set.
  forEachNode([&](std::uint32_t node, const auto &) { local.Shorten(node, local.Find(node)); });
  __syncthreads();
  forEachNode([&](std::uint32_t node, const auto & pixel) {
    if (local.GetParent(node) == node)
    {
      local.Set(node, isPlace | getPlace(pixel));
    }
  });
  __syncthreads();
  forEachNode([&](std::uint32_t node, const auto & pixel) {
    const std::uint32_t parent = local.GetParent(node);
    if ((parent & isPlace) == 0)
    {
      local.Lower(parent, isPlace | getPlace(pixel));
    }
  });
  __syncthreads();
  forEachNode([&](std::uint32_t node, const auto & pixel) {
    const std::uint32_t parent = local.GetParent(node);
    const std::uint32_t place = ((parent & isPlace) != 0 ? parent : local.GetParent(parent)) & ~isPlace;
    const auto          word = static_cast<int>(place) / LabelsPerWord;
    const int           y = tile.Y * C::RowsAlongY + word / C::TileX % (C::TileY * C::RowsAlongY);
    const int           z = tile.Z * C::RowsAlongZ + word / (C::TileX * C::TileY * C::RowsAlongY);
    const std::int64_t  row = static_cast<std::int64_t>(z) * image.Height + y;
    forest.Set(MakeLabel<TLabel>(image.GetWordNumber(index, pixel.Row), pixel.Column),
               MakeLabel<TLabel>(row * image.WordsPerRow + tile.X + word % C::TileX,
                                 2 * (static_cast<int>(place) % LabelsPerWord)));
    const bool isFirst = getPlace(pixel) == place;
#pragma unroll
    for (int i = 0; i < C::Rows; ++i)
    {
      rootsHere[i] |= isFirst && i == pixel.Row ? 1u << pixel.Column : 0u;
    }
  });
}

/** Finds the connected pixels of each tile. For each node, stores the label of the first one that is connected to it
 * within the tile, and in roots the first pixels of these, one bit per pixel. One block per tile, one thread per word
 * of a group. */
template <typename TConnectivity, typename TLabel>
__global__ void
__launch_bounds__(TConnectivity::Threads)
  LabelTilesKernel(GroupedImage<TConnectivity> image, LabelForest<TLabel> forest, std::uint32_t * roots)
{
  using C = TConnectivity;
  CUDAFILTERS_SHARED(std::uint32_t, words, [C::Rows][C::Threads]);
  CUDAFILTERS_SHARED(std::uint32_t, nodes, [C::Threads * PaddedLabelsPerWord]);
  CUDAFILTERS_SHARED(std::uint32_t, pairs, [TileAccess<C>::MostPairs]);
  CUDAFILTERS_SHARED(int, numberOfPairs, [1]);

  const auto                       thread = static_cast<int>(threadIdx.x);
  const LabelForest<std::uint32_t> local(&nodes[0]);
  const TileAccess<C>              access{ words,
                              local,
                              pairs,
                              numberOfPairs,
                              thread,
                              thread % C::TileX,
                              thread / C::TileX % C::TileY,
                              thread / (C::TileX * C::TileY) };
  for (std::int64_t tile = blockIdx.x; tile < image.Tiles; tile += gridDim.x)
  {
    const auto       tileX = static_cast<int>(tile % image.TilesAlongX);
    const auto       tileY = static_cast<int>(tile / image.TilesAlongX % image.TilesAlongY);
    const auto       tileZ = static_cast<int>(tile / image.TilesAlongX / image.TilesAlongY);
    const GroupIndex index{ tileX * C::TileX + access.X, tileY * C::TileY + access.Y, tileZ * C::TileZ + access.Z };
    GroupWord<C>     here{};
    if (image.Contains(index))
    {
      here = image.Load(index);
    }
#pragma unroll
    for (int row = 0; row < C::Rows; ++row)
    {
      words[row][thread] = here.Rows[row];
    }
    if (thread == 0)
    {
      numberOfPairs[0] = 0;
    }
    __syncthreads();
    const std::uint32_t                           columns = here.GetUnion();
    const NeighbourJoiner<C, TileAccess<C>, true> joiner(here, access);
    ForEachRun(columns, [&](int first, std::uint32_t run) {
      const std::uint32_t node = access.GetNode(thread, first);
      const auto          link = joiner.FindLink({ first, run });
      local.Set(node, link.First >= 0 ? access.GetNode(access.GetThread(link.X, link.Y, link.Z), link.First) : node);
    });
    __syncthreads();
    joiner.JoinAll();
    __syncthreads();
    access.JoinPairs();
    __syncthreads();

    std::uint32_t rootsHere[C::Rows] = {};
    if constexpr (C::Rows > 1)
    {
      StoreGroups(image, index, here, access, forest, rootsHere);
    }
    else
    {
      StoreRows(image, index, columns, access, forest, rootsHere[0]);
    }
#pragma unroll
    for (int row = 0; row < C::Rows; ++row)
    {
      const std::int64_t number = image.Contains(index) ? image.GetWordNumber(index, row) : -1;
      if (number >= 0)
      {
        roots[number] = rootsHere[row];
      }
    }
    __syncthreads(); // before the next tile
  }
}

/** A group and its neighbours in other tiles. VAxis: the last axis along which those lie in another tile. */
template <typename TConnectivity, typename TLabel, unsigned int VAxis>
struct BorderAccess
{
  using Group = GroupWord<TConnectivity>;

  const GroupedImage<TConnectivity> & Image;
  LabelForest<TLabel>                 Forest;
  GroupIndex                          Index;
  const Group &                       Here;

  __device__ bool
  IsInTile(int x, int y, int z) const
  {
    const GroupIndex there = this->GetIndex(x, y, z);
    return !this->IsOutside<0>(there) && !this->IsOutside<1>(there) && !this->IsOutside<2>(there);
  }

  __device__ bool
  Joins(int x, int y, int z) const
  {
    const GroupIndex there = this->GetIndex(x, y, z);
    return this->IsOutside<VAxis>(there) && (VAxis >= 2 || !this->IsOutside<2>(there)) &&
           (VAxis >= 1 || !this->IsOutside<1>(there)) && this->Image.Contains(there);
  }

  __device__ Group
  Get(int x, int y, int z) const
  {
    const GroupIndex there = this->GetIndex(x, y, z);
    return this->Image.Contains(there) ? this->Image.Load(there) : Group{};
  }

  __device__ void
  Join(const ColumnRun & run, int x, int y, int z, const Group & there, const ColumnRun & other) const
  {
    this->Forest.Join(this->Image.template GetLabel<TLabel>(this->Index, this->Here, run),
                      this->Image.template GetLabel<TLabel>(this->GetIndex(x, y, z), there, other));
  }

private:
  __device__ GroupIndex
  GetIndex(int x, int y, int z) const
  {
    return { this->Index.X + x, this->Index.Y + y, this->Index.Z + z };
  }

  /** Whether a neighbour is in another tile along an axis. Indices may be -1. */
  template <unsigned int VAlong>
  __device__ bool
  IsOutside(const GroupIndex & there) const
  {
    using C = TConnectivity;
    return VAlong == 0   ? (there.X + C::TileX) / C::TileX != this->Index.X / C::TileX + 1
           : VAlong == 1 ? (there.Y + C::TileY) / C::TileY != this->Index.Y / C::TileY + 1
                         : (there.Z + C::TileZ) / C::TileZ != this->Index.Z / C::TileZ + 1;
  }
};

/** The groups at the borders of tiles along an axis: those behind each border and, if they may touch diagonally, those
 * before it. */
template <typename TConnectivity, unsigned int VAxis>
struct BorderGroups
{
  using C = TConnectivity;

  /** How many sides of a border have groups that join with the other side: both, where a diagonal neighbour across the
   * border comes before a group that is itself before the border, along x and, in volumes, along y. */
  static constexpr int Sides = C::IsFull && (VAxis == 0 || (VAxis == 1 && C::Dimension == 3)) ? 2 : 1;

  const GroupedImage<TConnectivity> & Image;

  __host__ __device__ std::int64_t
                      GetNumber() const
  {
    return static_cast<std::int64_t>(this->GetBorders()) * Sides * this->GetWidth() * this->GetHeight();
  }

  __device__ GroupIndex
  GetIndex(std::int64_t number) const
  {
    const std::int64_t row = Divide(number, this->GetWidth());
    const auto         u = static_cast<int>(number - row * this->GetWidth());
    const std::int64_t plane = Divide(row, this->GetHeight());
    const auto         v = static_cast<int>(row - plane * this->GetHeight());
    const int          border = static_cast<int>(plane) / Sides;
    const int          side = static_cast<int>(plane) % Sides;
    const int          tile = VAxis == 0 ? C::TileX : VAxis == 1 ? C::TileY : C::TileZ;
    const int          position = (border + 1) * tile - side;
    return VAxis == 0   ? GroupIndex{ position, u, v }
           : VAxis == 1 ? GroupIndex{ u, position, v }
                        : GroupIndex{ u, v, position };
  }

private:
  __host__ __device__ int
  GetBorders() const
  {
    return VAxis == 0   ? (this->Image.WordsPerRow - 1) / C::TileX
           : VAxis == 1 ? (this->Image.GroupsAlongY - 1) / C::TileY
                        : (this->Image.GroupsAlongZ - 1) / C::TileZ;
  }
  __host__ __device__ int
  GetWidth() const
  {
    return VAxis == 0 ? this->Image.GroupsAlongY : this->Image.WordsPerRow;
  }
  __host__ __device__ int
  GetHeight() const
  {
    return VAxis == 2 ? this->Image.GroupsAlongY : this->Image.GroupsAlongZ;
  }
};

/** Joins what touches across the borders of tiles along an axis. One thread per word of a group. */
template <typename TConnectivity, typename TLabel, unsigned int VAxis>
__global__ void
JoinTilesKernel(GroupedImage<TConnectivity> image, LabelForest<TLabel> forest)
{
  const BorderGroups<TConnectivity, VAxis> groups{ image };
  ForEachIndex(groups.GetNumber(), [&](std::int64_t i) {
    const GroupIndex               index = groups.GetIndex(i);
    const GroupWord<TConnectivity> here = image.Load(index);
    if (here.GetUnion() != 0)
    {
      using Access = BorderAccess<TConnectivity, TLabel, VAxis>;
      const Access access{ image, forest, index, here };
      NeighbourJoiner<TConnectivity, Access, false>(here, access).JoinAll();
    }
  });
}
} // namespace CudaFilters
} // namespace itk

#endif
