// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersComponentNumbers_cuh
#define itkCudaFiltersComponentNumbers_cuh

// The kernels that number objects in the order of their first pixels.
//
// The words of a binary image are divided into pieces, one warp per piece. In a tile of an image that exceeds the
// memory, a piece lies within one row, since the rows go on in the next tile. In a whole image, pieces cross the ends
// of rows. A kernel counts the objects that begin in each piece, the counts are summed up, and the pieces number their
// objects. A root then stores its number instead of its own label.

#include "../Device/ForEachIndex.cuh"
#include "RowGroups.cuh"
#include "RowPieces.h"

namespace itk
{
namespace CudaFilters
{
/** The highest bit of a value in the forest, set where the value is a number instead of a label. */
template <typename TLabel>
constexpr TLabel IsNumber = TLabel{ 1 } << (8 * sizeof(TLabel) - 1);

/** The words of a binary image, in pieces. */
struct RowPieces
{
  std::int64_t Pieces;
  std::int64_t WordsPerRow;
  std::int64_t PiecesPerRow;
  int          WordsInPiece; // at most

  /** The first word of a piece, and the number of its words. */
  struct Range
  {
    std::int64_t First;
    int          Words;

    /** Calls function(word, whether it is there) in all lanes of a warp, for adjacent words in adjacent lanes, until
     * all words have been taken. */
    template <typename TFunction>
    __device__ void
    ForEachWord(TFunction function) const
    {
      for (int first = 0; first < this->Words; first += LanesPerWarp)
      {
        const int inPiece = first + GetLaneOfWarp();
        function(this->First + inPiece, inPiece < this->Words);
      }
    }
  };
  __device__ Range
  GetRange(std::int64_t piece) const
  {
    const std::int64_t row = piece / this->PiecesPerRow;
    const std::int64_t before = (piece - row * this->PiecesPerRow) * this->WordsInPiece;
    const std::int64_t words = this->WordsPerRow - before;
    return { row * this->WordsPerRow + before,
             words < this->WordsInPiece ? static_cast<int>(words) : this->WordsInPiece };
  }

  /** Calls function(piece, its range) for each piece, one warp per piece. */
  template <typename TFunction>
  __device__ void
  ForEach(TFunction function) const
  {
    ForEachIndexOfWarps(this->Pieces, [&](std::int64_t piece) { function(piece, this->GetRange(piece)); });
  }

  /** Stores the sum of function(word, whether it is there) over the words of each piece. */
  template <typename TFunction>
  __device__ void
  Count(std::uint64_t * counts, TFunction function) const
  {
    this->ForEach([&](std::int64_t piece, const Range & range) {
      int count = 0;
      range.ForEachWord([&](std::int64_t word, bool isThere) { count += function(word, isThere); });
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

/** Whether lanes have so many bits that they should take adjacent labels, instead of each its own bits. */
__device__ __forceinline__ bool
AreManyBits(std::uint32_t bits)
{
  constexpr int many = 3;
  return __any_sync(AllLanes, __popc(bits) > many ? 1 : 0) != 0;
}

/** Returns, as 16 bits, which labels of a word are roots of the whole image. rootsOfTiles: the columns of the roots of
 * tiles. All lanes of a warp must call it, with adjacent words. */
template <typename TLabel>
__device__ __forceinline__ std::uint32_t
                           FindRoots(const LabelForest<TLabel> & forest, std::int64_t word, std::uint32_t rootsOfTiles)
{
  std::uint32_t roots = 0;
  if (AreManyBits(rootsOfTiles))
  {
    const std::int64_t firstWord = word - GetLaneOfWarp();
    // Each step takes the labels of two words: those of the even lane are in the lower half.
    ForEachSlotOfWarp([&](int lane, int slot) {
      const std::uint32_t there = __shfl_sync(AllLanes, rootsOfTiles, lane);
      const auto          label = MakeLabel<TLabel>(firstWord + lane, 2 * slot);
      const bool          isRoot = (there >> (2 * slot) & 3u) != 0 && forest.GetParent(label) == label;
      const std::uint32_t found = __ballot_sync(AllLanes, isRoot ? 1 : 0);
      if (GetLaneOfWarp() / 2 == lane / 2)
      {
        roots = found >> (GetLaneOfWarp() % 2 * LabelsPerWord) & 0xffffu;
      }
    });
  }
  else
  {
    ForEachBit(rootsOfTiles, [&](int column) {
      const auto label = MakeLabel<TLabel>(word, column);
      roots |= forest.GetParent(label) == label ? 1u << (column / 2) : 0u;
    });
  }
  return roots;
}

/** Counts the objects that begin in each piece. One warp per piece. */
template <typename TLabel>
__global__ void
CountRootsKernel(RowPieces pieces, const std::uint32_t * roots, LabelForest<TLabel> forest, std::uint64_t * counts)
{
  pieces.Count(counts, [&](std::int64_t word, bool isThere) {
    return __popc(FindRoots(forest, word, isThere ? roots[word] : 0u));
  });
}

/** Both columns of each label in a word. */
__device__ __forceinline__ std::uint32_t
                           GetColumnsOfLabels(std::uint32_t labels)
{
  labels = (labels | labels << 8) & 0x00ff00ffu;
  labels = (labels | labels << 4) & 0x0f0f0f0fu;
  labels = (labels | labels << 2) & 0x33333333u;
  labels = (labels | labels << 1) & 0x55555555u;
  return labels | labels << 1;
}

/** Makes the roots of the whole image store their numbers, and leaves only the others in roots. before: the objects
 * that begin before each piece. One warp per piece. */
template <typename TLabel>
__global__ void
NumberRootsKernel(RowPieces             pieces,
                  std::uint32_t *       roots,
                  LabelForest<TLabel>   forest,
                  const std::uint64_t * before,
                  NumberChoice          choice)
{
  pieces.ForEach([&](std::int64_t piece, const RowPieces::Range & range) {
    std::uint64_t next = before[piece];
    range.ForEachWord([&](std::int64_t word, bool isThere) {
      const std::uint32_t rootsOfTiles = isThere ? roots[word] : 0u;
      const std::uint32_t rootsHere = FindRoots(forest, word, rootsOfTiles);
      if (rootsHere != 0)
      {
        roots[word] = rootsOfTiles & ~GetColumnsOfLabels(rootsHere);
      }
      const int  upToThis = AddLanesUpToThis(__popc(rootsHere));
      const int  beforeThis = upToThis - __popc(rootsHere);
      const auto setNumber = [&](std::int64_t ofWord, int slot, int count) {
        forest.Set(MakeLabel<TLabel>(ofWord, 2 * slot),
                   IsNumber<TLabel> | choice.GetNumber<TLabel>(next + static_cast<std::uint64_t>(count)));
      };
      if (AreManyBits(rootsHere))
      {
        const std::int64_t firstWord = word - GetLaneOfWarp();
        ForEachSlotOfWarp([&](int lane, int slot) {
          const std::uint32_t there = __shfl_sync(AllLanes, rootsHere, lane);
          const int           beforeThere = __shfl_sync(AllLanes, beforeThis, lane);
          if ((there >> slot & 1u) != 0)
          {
            setNumber(firstWord + lane, slot, beforeThere + __popc(there & ((1u << slot) - 1u)));
          }
        });
      }
      else
      {
        int count = beforeThis;
        ForEachBit(rootsHere, [&](int slot) { setNumber(word, slot, count++); });
      }
      next += static_cast<std::uint64_t>(__shfl_sync(AllLanes, upToThis, LanesPerWarp - 1));
    });
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

/** Makes the other roots of tiles store their numbers, too. One warp per piece. */
template <typename TLabel>
__global__ void
NumberTilesKernel(RowPieces pieces, const std::uint32_t * roots, LabelForest<TLabel> forest)
{
  pieces.ForEach([&](std::int64_t, const RowPieces::Range & range) {
    range.ForEachWord([&](std::int64_t word, bool isThere) {
      const std::uint32_t rootsHere = isThere ? roots[word] : 0u;
      const auto          setNumber = [&](TLabel label) {
        const TLabel parent = forest.GetParent(label);
        // SetNumbersKernel has numbered objects that begin elsewhere.
        if ((parent & IsNumber<TLabel>) == 0)
        {
          forest.Set(label, FindNumber(forest, parent));
        }
      };
      if (AreManyBits(rootsHere))
      {
        const std::int64_t firstWord = word - GetLaneOfWarp();
        ForEachSlotOfWarp([&](int lane, int slot) {
          if ((__shfl_sync(AllLanes, rootsHere, lane) >> (2 * slot) & 3u) != 0)
          {
            setNumber(MakeLabel<TLabel>(firstWord + lane, 2 * slot));
          }
        });
      }
      else
      {
        ForEachBit(rootsHere, [&](int column) { setNumber(MakeLabel<TLabel>(word, column)); });
      }
    });
  });
}
} // namespace CudaFilters
} // namespace itk

#endif
