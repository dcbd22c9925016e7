// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersSimilarTiles_cuh
#define itkCudaFiltersSimilarTiles_cuh

// The kernels that connect similar pixels, and number the objects.
//
// Each pixel is a node of the forest. Its label counts the pixels before it, in rows that are padded to whole words of
// 32 pixels, so that the label tells word and column. A block joins the pixels of a tile in shared memory; then pixels
// at the borders are joined with those of other tiles.
//
// ITK's filter gives a preliminary label to each pixel that has no similar neighbour before it, and to an object the
// least of its labels, which is that of its first pixel. So the number of an object is the number of such pixels up to
// its first one. These are known without the forest; they are called starters here.

#include "../Device/Divide.cuh"
#include "../Device/ForEachIndex.cuh"
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
};

/** The label of a pixel of an image. */
template <typename TLabel, typename TPixel>
__device__ __forceinline__ TLabel
GetLabelOfPixel(const SimilarityImage<TPixel> & image, const PixelIndex & pixel)
{
  return static_cast<TLabel>(image.GetWord(pixel) * PixelsPerWord + pixel.X % PixelsPerWord + 1);
}

/** The number of the highest bit that is set. */
__device__ __forceinline__ int
GetLastBit(std::uint32_t bits)
{
  return 31 - __clz(static_cast<int>(bits));
}

/** The bits of this lane and of those before it. */
__device__ __forceinline__ std::uint32_t
                           GetLanesUpToThis()
{
  return AllLanes >> (LanesPerWarp - 1 - GetLaneOfWarp());
}

/** Joins the similar pixels of each tile. Pixels outside the mask get label 0. starters: a word for each word of the
 * image. hasNaN: set to 1 if a pixel in the mask is not a number. A block has SimilarThreads threads. */
template <typename TPixel, typename TLabel>
__global__ void
__launch_bounds__(SimilarThreads) LabelSimilarTilesKernel(SimilarityImage<TPixel> image,
                                                          SimilarTiles            tiles,
                                                          LabelForest<TLabel>     forest,
                                                          std::uint32_t *         starters,
                                                          std::uint64_t *         hasNaN)
{
  CUDAFILTERS_SHARED(std::uint32_t, parents, [SimilarTilePixels]);
  CUDAFILTERS_SHARED(std::uint16_t, joins, [SimilarTilePixels]);
  const LabelForest<std::uint32_t> tileForest(parents);
  const auto                       thread = static_cast<int>(threadIdx.x);
  for (std::int64_t tile = blockIdx.x; tile < tiles.Tiles; tile += gridDim.x)
  {
    const PixelIndex start = tiles.GetStart(tile);
    for (int i = thread; i < SimilarTilePixels; i += SimilarThreads)
    {
      const PixelIndex inTile = tiles.GetInTile(i);
      const PixelIndex pixel = start + inTile;
      const bool       isInside = image.IsInside(pixel);
      const bool       counts = isInside && image.IsInMask(pixel);
      NeighbourSet     similar = 0;
      if (counts)
      {
        similar = image.FindSimilar(pixel);
        if (image.IsNaN(pixel))
        {
          *hasNaN = 1;
        }
      }
      const bool          isStarter = counts && image.GetConnected(similar) == 0;
      const std::uint32_t startersOfWord = __ballot_sync(AllLanes, isStarter ? 1 : 0);
      if (GetLaneOfWarp() == 0 && isInside)
      {
        starters[image.GetWord(pixel)] = startersOfWord;
      }
      // Runs within a word are linked to their first pixels at once.
      const NeighbourSet  joinsInTile = image.GetJoins(similar) & tiles.GetNeighboursInTile(inTile);
      const bool          isLinked = (joinsInTile & LeftNeighbour) != 0 && GetLaneOfWarp() > 0;
      const std::uint32_t linked = __ballot_sync(AllLanes, isLinked ? 1 : 0);
      parents[i] = static_cast<std::uint32_t>(i - GetLaneOfWarp() + GetLastBit(~linked & GetLanesUpToThis()) + 1);
      joins[i] = static_cast<std::uint16_t>(isLinked ? joinsInTile & ~LeftNeighbour : joinsInTile);
    }
    __syncthreads();

    for (int i = thread; i < SimilarTilePixels; i += SimilarThreads)
    {
      ForEachNeighbour(joins[i], [&](const PixelIndex & offset) {
        const int other =
          i + offset.X + offset.Y * (1 << tiles.WidthBits) + offset.Z * (1 << (tiles.WidthBits + tiles.HeightBits));
        tileForest.Join(static_cast<std::uint32_t>(i + 1), static_cast<std::uint32_t>(other + 1));
      });
    }
    __syncthreads();

    for (int i = thread; i < SimilarTilePixels; i += SimilarThreads)
    {
      const PixelIndex pixel = start + tiles.GetInTile(i);
      if (image.IsInside(pixel))
      {
        TLabel label = 0;
        if (image.IsInMask(pixel))
        {
          const auto root = static_cast<int>(tileForest.FindRoot(static_cast<std::uint32_t>(i + 1))) - 1;
          label = GetLabelOfPixel<TLabel>(image, start + tiles.GetInTile(root));
        }
        forest.Set(GetLabelOfPixel<TLabel>(image, pixel), label);
      }
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
template <typename TPixel, typename TLabel>
__global__ void
JoinSimilarTilesKernel(SimilarityImage<TPixel> image, SimilarTiles tiles, TileBorder border, LabelForest<TLabel> forest)
{
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
    const NeighbourSet joins = image.GetJoins(image.FindSimilar(pixel)) & ~tiles.GetNeighboursInTile(inTile);
    ForEachNeighbour(joins, [&](const PixelIndex & offset) {
      forest.Join(GetLabelOfPixel<TLabel>(image, pixel), GetLabelOfPixel<TLabel>(image, pixel + offset));
    });
  });
}

/** Counts the starters in each word, and adds the roots to a number. */
template <typename TLabel>
__global__ void
CountStartersKernel(const std::uint32_t * starters,
                    std::int64_t          words,
                    LabelForest<TLabel>   forest,
                    std::uint64_t *       counts,
                    unsigned long long *  roots)
{
  int rootsHere = 0;
  ForEachIndex(words, [&](std::int64_t word) {
    const std::uint32_t bits = starters[word];
    counts[word] = static_cast<std::uint64_t>(__popc(bits));
    ForEachBit(bits, [&](int column) {
      const auto label = static_cast<TLabel>(word * PixelsPerWord + column + 1);
      rootsHere += forest.GetParent(label) == label ? 1 : 0;
    });
  });
  rootsHere = AddLanesUpToThis(rootsHere);
  if (GetLaneOfWarp() == LanesPerWarp - 1 && rootsHere > 0)
  {
    atomicAdd(roots, static_cast<unsigned long long>(rootsHere));
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

/** Writes the number of each pixel's object, and 0 outside the mask. One warp per word. */
template <typename TLabel, typename TOutput>
__global__ void
WriteSimilarKernel(int                 width,
                   int                 wordsPerRow,
                   std::int64_t        words,
                   LabelForest<TLabel> forest,
                   StarterRanks        ranks,
                   TOutput *           output)
{
  ForEachIndexOfWarps(words, [&](std::int64_t word) {
    const std::int64_t row = Divide(word, wordsPerRow);
    const auto         x = static_cast<int>(word - row * wordsPerRow) * PixelsPerWord + GetLaneOfWarp();
    const TLabel       label =
      x < width ? forest.GetParent(static_cast<TLabel>(word * PixelsPerWord + GetLaneOfWarp() + 1)) : TLabel{ 0 };
    // The first lane of those with the same label finds the number.
    const TLabel        left = __shfl_up_sync(AllLanes, label, 1);
    const bool          isFirst = GetLaneOfWarp() == 0 || left != label;
    const std::uint32_t firsts = __ballot_sync(AllLanes, isFirst ? 1 : 0);
    unsigned long long  number = isFirst && label != 0 ? ranks.GetNumber(forest.Find(label)) : 0ull;
    number = __shfl_sync(AllLanes, number, GetLastBit(firsts & GetLanesUpToThis()));
    if (x < width)
    {
      output[row * width + x] = static_cast<TOutput>(number);
    }
  });
}
} // namespace CudaFilters
} // namespace itk

#endif
