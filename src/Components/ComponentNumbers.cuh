// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersComponentNumbers_cuh
#define itkCudaFiltersComponentNumbers_cuh

// The kernels that number objects in the order of their first pixels.
//
// Each row is divided into pieces. The objects that begin in each piece are counted, the counts are summed up, and the
// pieces number their objects. A root then stores its number instead of its own label.

#include "../Device/Warp.cuh"
#include "RowGroups.cuh"
#include "RowPieces.h"

namespace itk
{
namespace CudaFilters
{
/** The highest bit of a value in the forest, set where the value is a number instead of a label. */
template <typename TLabel>
constexpr TLabel IsNumber = TLabel{ 1 } << (8 * sizeof(TLabel) - 1);

/** The rows of a binary image, in pieces. */
struct RowPieces
{
  std::int64_t Pieces;
  int          WordsPerRow;
  int          PiecesPerRow;

  /** The first word of a piece, and the number of its words. */
  struct Range
  {
    std::int64_t First;
    int          Words;
  };
  __device__ Range
  GetRange(std::int64_t piece) const
  {
    const std::int64_t row = piece / this->PiecesPerRow;
    const auto         before = static_cast<int>(piece - row * this->PiecesPerRow) * WordsPerPiece;
    return { row * this->WordsPerRow + before, min(WordsPerPiece, this->WordsPerRow - before) };
  }

  /** Calls function(piece, its range) for each piece, one warp per piece. */
  template <typename TFunction>
  __device__ void
  ForEach(TFunction function) const
  {
    const std::int64_t warps = static_cast<std::int64_t>(gridDim.x) * (blockDim.x / LanesPerWarp);
    for (std::int64_t piece = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / LanesPerWarp;
         piece < this->Pieces;
         piece += warps)
    {
      function(piece, this->GetRange(piece));
    }
  }

  /** Stores the sum of function(word) over the words of each piece, and 0 behind the last sum. */
  template <typename TFunction>
  __device__ void
  Count(std::uint64_t * counts, TFunction function) const
  {
    if (blockIdx.x == 0 && threadIdx.x == 0)
    {
      counts[this->Pieces] = 0;
    }
    this->ForEach([&](std::int64_t piece, const Range & range) {
      int count = 0;
      for (int word = GetLaneOfWarp(); word < range.Words; word += LanesPerWarp)
      {
        count += function(range.First + word);
      }
      count = AddLanesUpToThis(count);
      if (GetLaneOfWarp() == LanesPerWarp - 1)
      {
        counts[piece] = static_cast<std::uint64_t>(count);
      }
    });
  }
};

/** The number of an object: those before it, one more if that is not less than the value of the background. */
struct NumberChoice
{
  std::uint64_t Background; // or the highest number, if no object could have it

  template <typename TLabel>
  __device__ TLabel
  GetNumber(std::uint64_t before) const
  {
    return static_cast<TLabel>(before + (before >= this->Background ? 1 : 0));
  }
};

/** The first pixels in a word that are roots of the whole image, and not only of a tile. */
template <typename TLabel>
__device__ __forceinline__ std::uint32_t
                           FindRoots(const LabelForest<TLabel> & forest, std::int64_t word, std::uint32_t rootsOfTiles)
{
  std::uint32_t roots = 0;
  ForEachBit(rootsOfTiles, [&](int column) {
    const auto label = MakeLabel<TLabel>(word, column);
    roots |= forest.GetParent(label) == label ? 1u << column : 0u;
  });
  return roots;
}

/** Counts the objects that begin in each piece. */
template <typename TLabel>
__global__ void
CountRootsKernel(RowPieces pieces, const std::uint32_t * roots, LabelForest<TLabel> forest, std::uint64_t * counts)
{
  pieces.Count(counts, [&](std::int64_t word) { return __popc(FindRoots(forest, word, roots[word])); });
}

/** Makes roots store their numbers. before: the objects that begin before each piece. */
template <typename TLabel>
__global__ void
NumberRootsKernel(RowPieces             pieces,
                  const std::uint32_t * roots,
                  LabelForest<TLabel>   forest,
                  const std::uint64_t * before,
                  NumberChoice          choice)
{
  pieces.ForEach([&](std::int64_t piece, const RowPieces::Range & range) {
    std::uint64_t next = before[piece];
    for (int first = 0; first < range.Words; first += LanesPerWarp)
    {
      const int           inPiece = first + GetLaneOfWarp();
      const std::int64_t  word = range.First + inPiece;
      const std::uint32_t rootsHere = inPiece < range.Words ? FindRoots(forest, word, roots[word]) : 0u;
      const int           upToThis = AddLanesUpToThis(__popc(rootsHere));
      std::uint64_t       mine = next + static_cast<std::uint64_t>(upToThis - __popc(rootsHere));
      ForEachBit(rootsHere, [&](int column) {
        forest.Set(MakeLabel<TLabel>(word, column), IsNumber<TLabel> | choice.GetNumber<TLabel>(mine));
        ++mine;
      });
      next += static_cast<std::uint64_t>(__shfl_sync(AllLanes, upToThis, LanesPerWarp - 1));
    }
  });
}

/** The number of the object that a node belongs to, with IsNumber. */
template <typename TLabel>
__device__ __forceinline__ TLabel
FindNumber(const LabelForest<TLabel> & forest, TLabel label)
{
  TLabel value = forest.GetParent(label);
  while ((value & IsNumber<TLabel>) == 0)
  {
    value = forest.GetParent(value);
  }
  return value;
}

/** Makes the roots of all tiles store their numbers, too. One thread per word. */
template <typename TLabel>
__global__ void
NumberTilesKernel(std::int64_t words, const std::uint32_t * roots, LabelForest<TLabel> forest)
{
  for (std::int64_t word = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; word < words;
       word += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
  {
    ForEachBit(roots[word], [&](int column) {
      const auto label = MakeLabel<TLabel>(word, column);
      forest.Set(label, FindNumber(forest, label));
    });
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
