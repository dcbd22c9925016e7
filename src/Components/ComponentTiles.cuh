// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersComponentTiles_cuh
#define itkCudaFiltersComponentTiles_cuh

// The kernels that find connected pixels: first within tiles, in shared memory, then across their borders. (After
// M. Oliveira and R. Lotufo, A Study on Connected Components Labeling Algorithms Using GPUs, 2010; the groups of rows
// take the place of the blocks of 2 x 2 pixels of S. Allegretti, F. Bolelli and C. Grana, Optimized Block-Based
// Algorithms to Label Connected Components on GPUs, 2020.)

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

  const std::uint32_t (*Words)[TConnectivity::Threads]; // of each row of the groups
  LabelForest<std::uint32_t> Forest;
  int                        Thread;
  int                        X; // position of the thread's group in the tile
  int                        Y;
  int                        Z;

  __device__ bool
  Has(int x, int y, int z) const
  {
    return this->X + x >= 0 && this->X + x < TConnectivity::TileX && this->Y + y >= 0 &&
           this->Y + y < TConnectivity::TileY && this->Z + z >= 0;
  }

  __device__ Group
  Get(int x, int y, int z) const
  {
    Group group;
#pragma unroll
    for (int row = 0; row < TConnectivity::Rows; ++row)
    {
      group.Rows[row] = this->Words[row][this->GetThread(x, y, z)];
    }
    return group;
  }

  __device__ void
  Join(const ColumnRun & run, int x, int y, int z, const Group &, const ColumnRun & other) const
  {
    this->Forest.Join(GetNode(this->Thread, run.First), GetNode(this->GetThread(x, y, z), other.First));
  }

  __device__ static std::uint32_t
  GetNode(int thread, int firstColumn)
  {
    return static_cast<std::uint32_t>(thread * LabelsPerWord + firstColumn / 2 + 1);
  }

private:
  __device__ int
  GetThread(int x, int y, int z) const
  {
    return this->Thread + x + (y + z * TConnectivity::TileY) * TConnectivity::TileX;
  }
};

/** Finds the connected pixels of each tile. For each node, stores the label of the first one that is connected to it
 * within the tile, and in roots the first pixels of these, one bit per pixel. */
template <typename TConnectivity, typename TLabel>
__global__ void
__launch_bounds__(TConnectivity::Threads)
  LabelTilesKernel(GroupedImage<TConnectivity> image, LabelForest<TLabel> forest, std::uint32_t * roots)
{
  using C = TConnectivity;
  constexpr std::uint32_t isRoot = 0x80000000u;
  CUDAFILTERS_SHARED(std::uint32_t, words, [C::Rows][C::Threads]);
  CUDAFILTERS_SHARED(std::uint32_t, nodes, [C::Threads * LabelsPerWord]);

  const auto                       thread = static_cast<int>(threadIdx.x);
  const LabelForest<std::uint32_t> local(&nodes[0]);
  const TileAccess<C>              access{
    words, local, thread, thread % C::TileX, thread / C::TileX % C::TileY, thread / (C::TileX * C::TileY)
  };
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
    const std::uint32_t columns = here.GetUnion();
    ForEachRun(columns, [&](int first, std::uint32_t) {
      const std::uint32_t node = access.GetNode(thread, first);
      local.Set(node, node);
    });
    __syncthreads();
    NeighbourJoiner<C, TileAccess<C>>(here, access).JoinAll();
    __syncthreads();

    // The place of a node's first pixel in the tile, by which tiles know their nodes' order in the image.
    const auto getPlace = [&](const typename GroupWord<C>::Pixel & pixel) {
      const int y = access.Y * C::RowsAlongY + pixel.Row % C::RowsAlongY;
      const int z = access.Z * C::RowsAlongZ + pixel.Row / C::RowsAlongY;
      const int word = (z * C::TileY * C::RowsAlongY + y) * C::TileX + access.X;
      return static_cast<std::uint32_t>(word * LabelsPerWord + pixel.Column / 2);
    };
    if constexpr (C::Rows > 1)
    {
      // The node that is a root need not have the first pixel. So roots collect the first place. Each thread writes its
      // own nodes only, so that they have their roots as parents then.
      ForEachRun(columns, [&](int first, std::uint32_t) {
        const std::uint32_t node = access.GetNode(thread, first);
        local.Set(node, local.FindUnchanged(node));
      });
      __syncthreads();
      ForEachRun(columns, [&](int first, std::uint32_t run) {
        const std::uint32_t node = access.GetNode(thread, first);
        if (nodes[node - 1] == node)
        {
          nodes[node - 1] = isRoot | getPlace(here.GetFirstPixel({ first, run }));
        }
      });
      __syncthreads();
      ForEachRun(columns, [&](int first, std::uint32_t run) {
        const std::uint32_t parent = nodes[access.GetNode(thread, first) - 1];
        if ((parent & isRoot) == 0)
        {
          atomicMin(&nodes[parent - 1], isRoot | getPlace(here.GetFirstPixel({ first, run })));
        }
      });
      __syncthreads();
    }

    std::uint32_t rootsHere[C::Rows] = {};
    ForEachRun(columns, [&](int first, std::uint32_t run) {
      const std::uint32_t node = access.GetNode(thread, first);
      std::uint32_t       place;
      if constexpr (C::Rows > 1)
      {
        const std::uint32_t parent = nodes[node - 1];
        place = ((parent & isRoot) != 0 ? parent : nodes[parent - 1]) & ~isRoot;
      }
      else
      {
        place = local.Find(node) - 1; // nodes are in the order of the image
      }
      const auto word = static_cast<int>(place) / LabelsPerWord;
      const int  y = tileY * C::TileY * C::RowsAlongY + word / C::TileX % (C::TileY * C::RowsAlongY);
      const int  z = tileZ * C::TileZ * C::RowsAlongZ + word / (C::TileX * C::TileY * C::RowsAlongY);
      const auto root = MakeLabel<TLabel>((static_cast<std::int64_t>(z) * image.Height + y) * image.WordsPerRow +
                                            tileX * C::TileX + word % C::TileX,
                                          2 * (static_cast<int>(place) % LabelsPerWord));
      const auto pixel = here.GetFirstPixel({ first, run });
      forest.Set(MakeLabel<TLabel>(image.GetWordNumber(index, pixel.Row), pixel.Column), root);
      const bool isFirst = getPlace(pixel) == place;
#pragma unroll
      for (int row = 0; row < C::Rows; ++row)
      {
        rootsHere[row] |= isFirst && row == pixel.Row ? 1u << pixel.Column : 0u;
      }
    });
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

/** A group and its neighbours in other tiles. */
template <typename TConnectivity, typename TLabel>
struct BorderAccess
{
  using Group = GroupWord<TConnectivity>;

  const GroupedImage<TConnectivity> & Image;
  LabelForest<TLabel>                 Forest;
  GroupIndex                          Index;
  const Group &                       Here;

  __device__ bool
  Has(int x, int y, int z) const
  {
    const GroupIndex there = this->GetIndex(x, y, z);
    return this->Image.Contains(there) && (there.X / TConnectivity::TileX != this->Index.X / TConnectivity::TileX ||
                                           there.Y / TConnectivity::TileY != this->Index.Y / TConnectivity::TileY ||
                                           there.Z / TConnectivity::TileZ != this->Index.Z / TConnectivity::TileZ);
  }

  __device__ Group
  Get(int x, int y, int z) const
  {
    return this->Image.Load(this->GetIndex(x, y, z));
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
};

/** Joins what touches across the borders of tiles. One thread per word of a group. */
template <typename TConnectivity, typename TLabel>
__global__ void
JoinTilesKernel(GroupedImage<TConnectivity> image, LabelForest<TLabel> forest)
{
  using C = TConnectivity;
  const std::int64_t all = static_cast<std::int64_t>(image.WordsPerRow) * image.GroupsAlongY * image.GroupsAlongZ;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
  {
    const GroupIndex index{ static_cast<int>(i % image.WordsPerRow),
                            static_cast<int>(i / image.WordsPerRow % image.GroupsAlongY),
                            static_cast<int>(i / image.WordsPerRow / image.GroupsAlongY) };
    const bool       isAtBorder =
      index.X % C::TileX == 0 || index.Y % C::TileY == 0 || (C::Dimension == 3 && index.Z % C::TileZ == 0) ||
      (C::IsFull && (index.X % C::TileX == C::TileX - 1 || (C::Dimension == 3 && index.Y % C::TileY == C::TileY - 1)));
    if (isAtBorder)
    {
      const GroupWord<C>            here = image.Load(index);
      const BorderAccess<C, TLabel> access{ image, forest, index, here };
      NeighbourJoiner<C, BorderAccess<C, TLabel>>(here, access).JoinAll();
    }
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
