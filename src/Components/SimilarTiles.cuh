// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersSimilarTiles_cuh
#define itkCudaFiltersSimilarTiles_cuh

// The kernels that connect similar pixels, and number the objects. Tiles here are boxes of pixels that a block of
// threads has in shared memory, and not those of the runner.
//
// The nodes of the forest are runs of similar pixels in a word. The label of a run counts the pixels before its first
// one, in rows that are padded to whole words, so that the label tells word and column. For each word of the image, the
// links tell the pixels that belong to the same run as the one before them. A block joins the runs of a tile in shared
// memory; then pixels at the borders are joined with those of other tiles.
//
// ITK's filter gives a preliminary label to each pixel that has no similar neighbour before it, and to an object the
// least of its labels, which is that of its first pixel. So the number of an object is the number of such pixels up to
// its first one. These are known without the forest; they are called starters here.

#include "../Device/Divide.cuh"
#include "../Device/ForEachIndex.cuh"
#include "../Device/Launch.h"
#include "CudaFilters/detail/PixelPack.cuh"
#include "../Device/Warp.cuh"
#include "LabelForest.cuh"
#include "SimilarPixels.cuh"

namespace itk
{
namespace CudaFilters
{
static_assert(PixelsPerWord == LanesPerWarp, "A warp takes a word.");
constexpr int SimilarThreads = 256;
constexpr int SimilarTileBits = 12;
constexpr int SimilarTilePixels = 1 << SimilarTileBits;
constexpr int SimilarTileWords = SimilarTilePixels / PixelsPerWord;

/** The tiles of an image: boxes of SimilarTilePixels, whose sizes are powers of 2. Those at the upper ends of the image
 * may exceed it. */
struct SimilarTiles
{
  int          WidthBits;
  int          HeightBits;
  int          TilesAlongX;
  int          TilesAlongY;
  std::int64_t Tiles;

  __host__ __device__ int
  GetWidth() const
  {
    return 1 << this->WidthBits;
  }
  __host__ __device__ int
  GetHeight() const
  {
    return 1 << this->HeightBits;
  }
  __host__ __device__ int
  GetDepth() const
  {
    return 1 << (SimilarTileBits - this->WidthBits - this->HeightBits);
  }

  /** The first pixel of a tile. */
  __device__ PixelIndex
  GetStart(std::int64_t tile) const
  {
    const std::int64_t row = Divide(tile, this->TilesAlongX);
    const std::int64_t z = Divide(row, this->TilesAlongY);
    return { static_cast<int>(tile - row * this->TilesAlongX) * this->GetWidth(),
             static_cast<int>(row - z * this->TilesAlongY) * this->GetHeight(),
             static_cast<int>(z) * this->GetDepth() };
  }

  /** Where a pixel is within its tile: of a pixel of the image, or of the tile's pixels as they follow each other. */
  __device__ PixelIndex
  GetInTile(const PixelIndex & pixel) const
  {
    return { pixel.X & (this->GetWidth() - 1), pixel.Y & (this->GetHeight() - 1), pixel.Z & (this->GetDepth() - 1) };
  }
  __device__ PixelIndex
  GetInTile(int pixel) const
  {
    return { pixel & (this->GetWidth() - 1),
             pixel >> this->WidthBits & (this->GetHeight() - 1),
             pixel >> (this->WidthBits + this->HeightBits) };
  }

  /** The neighbours of a pixel that are in its tile. */
  __device__ NeighbourSet
  GetNeighboursInTile(const PixelIndex & inTile) const
  {
    return GetNeighboursInside(inTile, this->GetWidth(), this->GetHeight());
  }

  /** The columns of a word, given by its first pixel, from which a neighbour is in the tile. */
  __device__ std::uint32_t
             GetColumnsInTile(const PixelIndex & inTile, int neighbour) const
  {
    const PixelIndex   last{ inTile.X + PixelsPerWord - 1, inTile.Y, inTile.Z };
    const NeighbourSet ofFirst = this->GetNeighboursInTile(inTile);
    const NeighbourSet ofLast = this->GetNeighboursInTile(last);
    const NeighbourSet ofOthers = ofFirst | ofLast; // those along x are inside from one end at least
    return ((ofOthers >> neighbour & 1u) != 0 ? 0x7ffffffeu : 0u) | (ofFirst >> neighbour & 1u) |
           (ofLast >> neighbour & 1u) << (PixelsPerWord - 1);
  }
};

/** The first column of the run that a column belongs to. */
__device__ __forceinline__ int
GetFirstColumn(std::uint32_t links, int column)
{
  return 31 - __clz(static_cast<int>(~links & (0xffffffffu >> (31 - column))));
}

/** The label of a run by its first pixel. */
template <typename TLabel>
__device__ __forceinline__ TLabel
MakePixelLabel(std::int64_t word, int column)
{
  return static_cast<TLabel>(word * PixelsPerWord + column + 1);
}

/** Joins the similar pixels of each tile. links, starters, rootsOfTiles: a word for each word of the image. hasNaN: set
 * to 1 if a pixel is not a number. A block has SimilarThreads threads. */
template <typename TImage, typename TLabel>
__global__ void
__launch_bounds__(SimilarThreads) LabelSimilarTilesKernel(TImage              image,
                                                          SimilarTiles        tiles,
                                                          LabelForest<TLabel> forest,
                                                          std::uint32_t *     links,
                                                          std::uint32_t *     starters,
                                                          std::uint32_t *     rootsOfTiles,
                                                          std::uint64_t *     hasNaN)
{
  CUDAFILTERS_SHARED(std::uint32_t, parents, [SimilarTilePixels]);
  CUDAFILTERS_SHARED(std::uint32_t, neighbours, [NumberOfNeighbours][SimilarTileWords]); // similar, then to be joined
  CUDAFILTERS_SHARED(std::uint32_t, counted, [SimilarTileWords]); // the pixels that are inside, and in the mask
  CUDAFILTERS_SHARED(std::uint32_t, linksHere, [SimilarTileWords]);
  const LabelForest<std::uint32_t> tileForest(parents);
  const auto                       thread = static_cast<int>(threadIdx.x);
  for (std::int64_t tile = blockIdx.x; tile < tiles.Tiles; tile += gridDim.x)
  {
    const PixelIndex start = tiles.GetStart(tile);
    // One thread per pixel, one warp per word.
    for (int i = thread; i < SimilarTilePixels; i += SimilarThreads)
    {
      const PixelIndex pixel = start + tiles.GetInTile(i);
      const bool       isInside = image.IsInside(pixel);
      const bool       counts = isInside && image.IsInMask(pixel);
      std::uint32_t    mine = 0; // of the neighbour with this lane's number
      image.FindSimilar(pixel, counts, [&mine](int neighbour, bool isSimilar) {
        const std::uint32_t pixels = __ballot_sync(AllLanes, isSimilar ? 1 : 0);
        mine = GetLaneOfWarp() == neighbour ? pixels : mine;
      });
      const std::uint32_t countedPixels = __ballot_sync(AllLanes, counts ? 1 : 0);
      if (GetLaneOfWarp() < NumberOfNeighbours)
      {
        neighbours[GetLaneOfWarp()][i / PixelsPerWord] = mine;
      }
      else if (GetLaneOfWarp() == NumberOfNeighbours)
      {
        counted[i / PixelsPerWord] = countedPixels;
      }
      parents[i] = static_cast<std::uint32_t>(i + 1);
      if (isInside && image.IsNaN(pixel))
      {
        *hasNaN = 1;
      }
    }
    __syncthreads();

    // From here on, one thread per word.
    const int        firstPixel = thread * PixelsPerWord;
    const PixelIndex inTile = tiles.GetInTile(firstPixel);
    const bool       isWord = thread < SimilarTileWords && image.IsInside(start + inTile);
    const auto       word = isWord ? image.GetWord(start + inTile) : std::int64_t{ 0 };
    if (thread < SimilarTileWords)
    {
      NeighbourBits similar;
#pragma unroll
      for (int i = 0; i < NumberOfNeighbours; ++i)
      {
        similar.Of[i] = neighbours[i][thread];
      }
      const NeighbourBits joins = similar.template GetJoins<TImage::IsEquality>(image.IsFull);
      linksHere[thread] = joins.Of[LeftNeighbour] & ~1u;
#pragma unroll
      for (int i = 0; i < NumberOfNeighbours; ++i)
      {
        neighbours[i][thread] =
          joins.Of[i] & tiles.GetColumnsInTile(inTile, i) & (i == LeftNeighbour ? 1u : 0xffffffffu);
      }
      if (isWord)
      {
        links[word] = linksHere[thread];
        starters[word] = counted[thread] & ~similar.GetConnected(image.IsFull);
      }
    }
    __syncthreads();

    // Each run is linked to one of those that it must be joined with; that is all for most runs.
    const auto getRun = [&](int pixel) {
      const int first = GetFirstColumn(linksHere[pixel / PixelsPerWord], pixel % PixelsPerWord);
      return static_cast<std::uint32_t>(pixel / PixelsPerWord * PixelsPerWord + first + 1);
    };
    const auto forEachJoin = [&](auto function) {
      for (int i = 0; i < NumberOfNeighbours; ++i)
      {
        const std::uint32_t joins = neighbours[i][thread];
        if (joins != 0)
        {
          const PixelIndex offset = UnpackNeighbourOffset(i);
          const int        distance =
            offset.X + offset.Y * (1 << tiles.WidthBits) + offset.Z * (1 << (tiles.WidthBits + tiles.HeightBits));
          ForEachBit(joins, [&](int column) { function(i, column, firstPixel + column + distance); });
        }
      }
    };
    const std::uint32_t starts = isWord ? counted[thread] & ~linksHere[thread] : 0u;
    if (isWord)
    {
      std::uint32_t linkedRuns = 0;
      forEachJoin([&](int neighbour, int column, int other) {
        const std::uint32_t first = 1u << GetFirstColumn(linksHere[thread], column);
        if ((linkedRuns & first) == 0)
        {
          linkedRuns |= first;
          tileForest.Set(getRun(firstPixel + column), getRun(other));
          neighbours[neighbour][thread] &= ~(1u << column);
        }
      });
    }
    __syncthreads();

    // Long chains become short ones.
    ForEachBit(starts, [&](int column) {
      constexpr int mostRounds = 6;
      const auto    run = static_cast<std::uint32_t>(firstPixel + column + 1);
      std::uint32_t parent = tileForest.GetParent(run);
      for (int round = 0; round < mostRounds; ++round)
      {
        const std::uint32_t next = tileForest.GetParent(parent);
        if (next == parent)
        {
          break;
        }
        tileForest.Shorten(run, next);
        parent = next;
      }
    });
    __syncthreads();

    if (isWord)
    {
      forEachJoin([&](int, int column, int other) { tileForest.Join(getRun(firstPixel + column), getRun(other)); });
    }
    __syncthreads();

    if (isWord)
    {
      std::uint32_t roots = 0;
      ForEachBit(starts, [&](int column) {
        const auto root = static_cast<int>(tileForest.FindRoot(static_cast<std::uint32_t>(firstPixel + column + 1)));
        const PixelIndex ofRoot = start + tiles.GetInTile(root - 1);
        forest.Set(MakePixelLabel<TLabel>(word, column),
                   MakePixelLabel<TLabel>(image.GetWord(ofRoot), ofRoot.X % PixelsPerWord));
        roots |= root == firstPixel + column + 1 ? 1u << column : 0u;
      });
      rootsOfTiles[word] = roots;
    }
    __syncthreads(); // before the next tile
  }
}

/** Pixels at the borders of tiles: those whose coordinate along an axis is First, or a multiple of Step more. */
struct TileBorder
{
  int Axis;
  int First;
  int Step;
  /** The number of such pixels along each axis. */
  int SizeX;
  int SizeY;
  int SizeZ;

  __host__ __device__ std::int64_t
                      GetNumber() const
  {
    return static_cast<std::int64_t>(this->SizeX) * this->SizeY * this->SizeZ;
  }

  __device__ PixelIndex
  GetPixel(std::int64_t i) const
  {
    const std::int64_t row = Divide(i, this->SizeX);
    const std::int64_t z = Divide(row, this->SizeY);
    const auto         toCoordinate = [this](int axis, std::int64_t number) {
      return static_cast<int>(axis == this->Axis ? this->First + number * this->Step : number);
    };
    return { toCoordinate(0, i - row * this->SizeX), toCoordinate(1, row - z * this->SizeY), toCoordinate(2, z) };
  }
};

/** Joins pixels at the borders of tiles with those of other tiles. */
template <typename TImage, typename TLabel>
__global__ void
JoinSimilarTilesKernel(TImage                image,
                       SimilarTiles          tiles,
                       TileBorder            border,
                       const std::uint32_t * links,
                       LabelForest<TLabel>   forest)
{
  const auto getLabel = [&](const PixelIndex & pixel) {
    const std::int64_t word = image.GetWord(pixel);
    return MakePixelLabel<TLabel>(word, GetFirstColumn(links[word], pixel.X % PixelsPerWord));
  };
  ForEachIndex(border.GetNumber(), [&](std::int64_t i) {
    const PixelIndex pixel = border.GetPixel(i);
    const PixelIndex inTile = tiles.GetInTile(pixel);
    // What is at several borders is taken at one only.
    const bool isTaken =
      (border.Axis < 2 && pixel.Z > 0 && inTile.Z == 0) || (border.Axis < 1 && pixel.Y > 0 && inTile.Y == 0);
    if (isTaken || !image.IsInMask(pixel))
    {
      return;
    }
    NeighbourBits similar;
    image.FindSimilar(
      pixel, true, [&similar](int neighbour, bool isSimilar) { similar.Of[neighbour] = isSimilar ? 1 : 0; });
    const NeighbourBits joins = similar.template GetJoins<TImage::IsEquality>(image.IsFull);
    NeighbourSet        set = 0;
#pragma unroll
    for (int neighbour = 0; neighbour < NumberOfNeighbours; ++neighbour)
    {
      set |= joins.Of[neighbour] << neighbour;
    }
    ForEachBit(set & ~tiles.GetNeighboursInTile(inTile), [&](int neighbour) {
      forest.Join(getLabel(pixel), getLabel(pixel + UnpackNeighbourOffset(neighbour)));
    });
  });
}

/** Counts the starters in each word, links the roots of tiles to those of the whole image, and adds the number of the
 * latter to objects. */
template <typename TLabel>
__global__ void
FlattenAndCountKernel(const std::uint32_t * starters,
                      const std::uint32_t * rootsOfTiles,
                      std::int64_t          words,
                      LabelForest<TLabel>   forest,
                      std::uint64_t *       counts,
                      unsigned long long *  objects)
{
  int objectsHere = 0;
  ForEachIndex(words, [&](std::int64_t word) {
    counts[word] = static_cast<std::uint64_t>(__popc(starters[word]));
    ForEachBit(rootsOfTiles[word], [&](int column) {
      const auto   label = MakePixelLabel<TLabel>(word, column);
      const TLabel root = forest.FindRoot(label);
      forest.Shorten(label, root);
      objectsHere += root == label ? 1 : 0;
    });
  });
  objectsHere = AddLanesUpToThis(objectsHere);
  if (GetLaneOfWarp() == LanesPerWarp - 1 && objectsHere > 0)
  {
    atomicAdd(objects, static_cast<unsigned long long>(objectsHere));
  }
}

/** Where the number of an object is found. */
struct StarterRanks
{
  const std::uint32_t * Starters;
  const std::uint64_t * Before; // those before each word

  /** The number of the object that begins with a pixel. */
  template <typename TLabel>
  __device__ std::uint64_t
             GetNumber(TLabel label) const
  {
    const auto          pixel = static_cast<std::uint64_t>(label - 1);
    const std::uint64_t word = pixel / PixelsPerWord;
    const auto          column = static_cast<int>(pixel % PixelsPerWord);
    return this->Before[word] +
           static_cast<std::uint64_t>(__popc(this->Starters[word] & (0xffffffffu >> (31 - column))));
  }
};

constexpr int WriteSimilarThreads = 128;

/** Writes the number of each pixel's object, and 0 outside the mask. Each thread finds the numbers of the runs in one
 * word; then the threads of a block write the pixels of their words together. mask: nullptr if all pixels count. */
template <typename TLabel, typename TOutput>
__global__ void
__launch_bounds__(WriteSimilarThreads) WriteSimilarKernel(int                   width,
                                                          int                   wordsPerRow,
                                                          std::int64_t          words,
                                                          const std::uint32_t * mask,
                                                          const std::uint32_t * links,
                                                          LabelForest<TLabel>   forest,
                                                          StarterRanks          ranks,
                                                          TOutput *             output)
{
  constexpr int packWidth = PackWidth<TOutput>;
  constexpr int packsPerWord = PixelsPerWord / packWidth;
  constexpr int manyRuns = 6;
  CUDAFILTERS_SHARED(TLabel, numbers, [WriteSimilarThreads][PixelsPerWord + 1]); // padded, for the banks
  CUDAFILTERS_SHARED(std::uint32_t, starts, [WriteSimilarThreads]);              // of runs
  CUDAFILTERS_SHARED(std::int64_t, offsets, [WriteSimilarThreads]);              // of the first pixel
  CUDAFILTERS_SHARED(int, columnsLeft, [WriteSimilarThreads]);

  const auto thread = static_cast<int>(threadIdx.x);
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * WriteSimilarThreads; first < words;
       first += static_cast<std::int64_t>(gridDim.x) * WriteSimilarThreads)
  {
    const std::int64_t word = first + thread;
    std::uint32_t      startsHere = 0;
    std::uint32_t      counted = 0; // of the starts, those of objects
    columnsLeft[thread] = 0;
    if (word < words)
    {
      const std::int64_t row = Divide(word, wordsPerRow);
      const auto         x = static_cast<int>(word - row * wordsPerRow) * PixelsPerWord;
      offsets[thread] = row * width + x;
      columnsLeft[thread] = width - x;
      startsHere = ~links[word] & (width - x < PixelsPerWord ? (1u << (width - x)) - 1u : 0xffffffffu);
      counted = mask != nullptr ? startsHere & mask[word] : startsHere;
    }
    starts[thread] = startsHere;
    const auto setNumber = [&](int ofThread, int column, int run, bool counts) {
      const auto label = MakePixelLabel<TLabel>(first + ofThread, column);
      // The root of the run's tile is linked to that of the image.
      numbers[ofThread][run] =
        counts ? static_cast<TLabel>(ranks.GetNumber(forest.GetParent(forest.GetParent(label)))) : TLabel{ 0 };
    };
    if (__any_sync(AllLanes, __popc(startsHere) > manyRuns ? 1 : 0) != 0)
    {
      // The lanes take the columns of one word after the other.
      for (int lane = 0; lane < LanesPerWarp; ++lane)
      {
        const std::uint32_t startsThere = __shfl_sync(AllLanes, startsHere, lane);
        const std::uint32_t countedThere = __shfl_sync(AllLanes, counted, lane);
        const int           column = GetLaneOfWarp();
        if ((startsThere >> column & 1u) != 0)
        {
          setNumber(thread - GetLaneOfWarp() + lane,
                    column,
                    __popc(startsThere & ((1u << column) - 1u)),
                    (countedThere >> column & 1u) != 0);
        }
      }
    }
    else
    {
      int run = 0;
      ForEachBit(startsHere, [&](int column) { setNumber(thread, column, run++, (counted >> column & 1u) != 0); });
    }
    __syncthreads();
    for (int pack = thread; pack < WriteSimilarThreads * packsPerWord; pack += WriteSimilarThreads)
    {
      const int ofThread = pack / packsPerWord;
      const int column = pack % packsPerWord * packWidth;
      const int left = columnsLeft[ofThread] - column;
      if (left > 0)
      {
        const std::uint32_t           startsFromHere = starts[ofThread] >> column;
        int                           run = __popc(starts[ofThread] & ((1u << column) - 1u)) - 1;
        PixelPack<TOutput, packWidth> pixels;
#pragma unroll
        for (int i = 0; i < packWidth; ++i)
        {
          run += static_cast<int>(startsFromHere >> i & 1u);
          pixels.Values[i] = static_cast<TOutput>(numbers[ofThread][run]);
        }
        pixels.Store(output + offsets[ofThread] + column, left);
      }
    }
    __syncthreads(); // before the next words
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
