// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersEdgeLinker_cuh
#define itkCudaFiltersEdgeLinker_cuh

#include "../Components/LabelForest.cuh"
#include "../Device/Divide.cuh"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
// The forest's nodes are the runs of candidates. A run is a sequence of adjacent candidates in one word of the masks.
// Its label is 16 times the number of its word, plus the number of runs before it in that word, plus one.

/** The maximum number of runs in a word. */
constexpr int RunsPerWord = 16;

/** The masks, as kernels take them. A thread processes one word, that is up to 32 pixels of a row, at a time. */
struct LinkedMasks
{
  const std::uint32_t * Candidates;
  const std::uint32_t * Strong;
  std::int64_t          Size[3];
  std::int64_t          WordsPerRow;
  std::int64_t          Words;

  __device__ static std::int64_t
  GetFirstWord()
  {
    return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  }
  __device__ static std::int64_t
  GetStep()
  {
    return static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  }

  /** The number of a word's row, counted over all slices. */
  __device__ std::int64_t
             GetRow(std::int64_t word) const
  {
    return Divide(word, static_cast<int>(this->WordsPerRow));
  }
};

/** A word with its two neighbours in the row. */
struct RowWords
{
  std::int64_t  Word; // its number
  std::uint32_t Here;
  std::uint32_t Before;
  std::uint32_t Behind;

  __device__
  RowWords(const LinkedMasks & masks, std::int64_t word, std::int64_t wordInRow)
    : Word(word)
    , Here(masks.Candidates[word])
    , Before(wordInRow > 0 ? masks.Candidates[word - 1] : 0)
    , Behind(wordInRow + 1 < masks.WordsPerRow ? masks.Candidates[word + 1] : 0)
  {}

  /** For each pixel of the word, whether the pixel before it, or behind it, is a candidate. */
  __device__ std::uint32_t
             GetBefore() const
  {
    return this->Here << 1 | this->Before >> 31;
  }
  __device__ std::uint32_t
             GetBehind() const
  {
    return this->Here >> 1 | this->Behind << 31;
  }

  /** The label of the run that contains a pixel. The pixel is in this word (0 to 31), or the last one of the word
   * before (-1), or the first one of the word behind (32). */
  template <typename TLabel>
  __device__ TLabel
  GetLabel(int pixel) const
  {
    if (pixel < 0)
    {
      return MakeLabel<TLabel>(this->Word - 1, this->Before, 31);
    }
    return pixel > 31 ? MakeLabel<TLabel>(this->Word + 1, this->Behind, 0)
                      : MakeLabel<TLabel>(this->Word, this->Here, pixel);
  }

  /** The first pixels of the runs in a word. */
  __device__ static std::uint32_t
  GetStarts(std::uint32_t bits)
  {
    return bits & ~(bits << 1);
  }

private:
  template <typename TLabel>
  __device__ static TLabel
  MakeLabel(std::int64_t word, std::uint32_t bits, int pixel)
  {
    return static_cast<TLabel>(word * RunsPerWord + __popc(GetStarts(bits) & ((2u << pixel) - 1u)));
  }
};

/** Initialises the forest: each run is a root, or a child of 0 if one of its pixels is strong. One thread per word. */
template <typename TLabel>
__global__ void
PlantKernel(LinkedMasks masks, LabelForest<TLabel> forest)
{
  for (std::int64_t word = masks.GetFirstWord(); word < masks.Words; word += masks.GetStep())
  {
    const std::uint32_t strong = masks.Strong[word];
    auto                label = static_cast<TLabel>(word * RunsPerWord);
    ForEachRun(masks.Candidates[word], [&](int, std::uint32_t run) {
      ++label;
      forest.Set(label, (strong & run) != 0 ? TLabel(0) : label);
    });
  }
}

/** Joins the trees of runs that touch each other: across the boundary between two words of a row, and between this row
 * and the preceding rows. One thread per word. */
template <int VDimension, typename TLabel>
__global__ void
JoinKernel(LinkedMasks masks, LabelForest<TLabel> forest)
{
  for (std::int64_t word = masks.GetFirstWord(); word < masks.Words; word += masks.GetStep())
  {
    if (masks.Candidates[word] == 0)
    {
      continue;
    }
    const std::int64_t row = masks.GetRow(word);
    const std::int64_t wordInRow = word - row * masks.WordsPerRow;
    const RowWords     here(masks, word, wordInRow);
    if ((here.Here & 1u) != 0 && here.Before >> 31 != 0)
    {
      forest.Join(here.GetLabel<TLabel>(0), here.GetLabel<TLabel>(-1));
    }

    // Among adjacent candidates that touch the other row, only the first one needs a join: the others are already
    // connected to it, both in this row and in the other.
    const auto joinRow = [&](std::int64_t rowsBefore) {
      const RowWords there(masks, word - rowsBefore * masks.WordsPerRow, wordInRow);
      const auto     join = [&](std::uint32_t bits, int offset) {
        ForEachBit(
          bits, [&](int pixel) { forest.Join(here.GetLabel<TLabel>(pixel), there.GetLabel<TLabel>(pixel + offset)); });
      };
      const std::uint32_t alone = here.Here & ~there.Here;
      join(here.Here & there.Here & ~(here.GetBefore() & there.GetBefore()), 0);
      join(alone & there.GetBefore() & ~here.GetBefore(), -1);
      join(alone & there.GetBehind() & ~here.GetBehind(), 1);
    };
    const std::int64_t y = VDimension == 2 ? row : row % masks.Size[1];
    if (y > 0)
    {
      joinRow(1);
    }
    if (VDimension == 3 && row >= masks.Size[1])
    {
      joinRow(masks.Size[1]);
      if (y > 0)
      {
        joinRow(masks.Size[1] + 1);
      }
      if (y + 1 < masks.Size[1])
      {
        joinRow(masks.Size[1] - 1);
      }
    }
  }
}

/** Makes the given roots children of 0, so that their trees are kept. One thread per root. */
template <typename TLabel>
__global__ void
KeepKernel(const std::uint64_t * roots, std::int64_t count, LabelForest<TLabel> forest)
{
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count)
  {
    forest.Set(static_cast<TLabel>(roots[i]), 0);
  }
}

/** Lists the candidates at the border, in any order. One thread per word. */
template <int VDimension, typename TLabel>
__global__ void
ListBorderKernel(LinkedMasks masks, LabelForest<TLabel> forest, unsigned long long * count, BorderCandidate * list)
{
  for (std::int64_t word = masks.GetFirstWord(); word < masks.Words; word += masks.GetStep())
  {
    const std::int64_t row = masks.GetRow(word);
    const std::int64_t wordInRow = word - row * masks.WordsPerRow;
    const std::int64_t y = row % masks.Size[1];
    const std::int64_t z = row / masks.Size[1];
    const bool         isRowAtBorder =
      y == 0 || y + 1 == masks.Size[1] || (VDimension == 3 && (z == 0 || z + 1 == masks.Size[2]));
    std::uint32_t border = 0xffffffffu;
    if (!isRowAtBorder)
    {
      border = wordInRow == 0 ? 1u : 0u;
      border |= wordInRow + 1 == masks.WordsPerRow ? 1u << ((masks.Size[0] - 1) % 32) : 0u;
    }
    const RowWords here(masks, word, wordInRow);
    ForEachBit(here.Here & border, [&](int pixel) {
      list[atomicAdd(count, 1ull)] = { static_cast<std::uint64_t>(row * masks.Size[0] + wordInRow * 32 + pixel),
                                       static_cast<std::uint64_t>(forest.Find(here.GetLabel<TLabel>(pixel))) };
    });
  }
}

/** Writes 1 for pixels that are kept and 0 for all others. Each lane determines the kept pixels of one word. Then the
 * warp writes the words of its lanes one after the other, one pixel per lane, so that the stores are coalesced. */
template <typename TLabel, typename TOutput>
__global__ void
WriteEdgesKernel(LinkedMasks masks, LabelForest<TLabel> forest, TOutput * output)
{
  constexpr unsigned int all = 0xffffffffu;
  const int              lane = threadIdx.x % 32;
  for (std::int64_t word = masks.GetFirstWord(); word - lane < masks.Words; word += masks.GetStep())
  {
    std::uint32_t kept = 0;
    std::int64_t  pixel = 0;
    int           pixels = 0;
    if (word < masks.Words)
    {
      auto label = static_cast<TLabel>(word * RunsPerWord);
      ForEachRun(masks.Candidates[word], [&](int, std::uint32_t run) {
        ++label;
        kept |= forest.Find(label) == 0 ? run : 0u;
      });
      const std::int64_t row = masks.GetRow(word);
      const std::int64_t x = (word - row * masks.WordsPerRow) * 32;
      pixel = row * masks.Size[0] + x;
      pixels = masks.Size[0] - x < 32 ? static_cast<int>(masks.Size[0] - x) : 32;
    }
#pragma unroll 8
    for (int i = 0; i < 32; ++i)
    {
      const std::uint32_t bits = __shfl_sync(all, kept, i);
      const std::int64_t  first = __shfl_sync(all, pixel, i);
      if (lane < __shfl_sync(all, pixels, i))
      {
        output[first + lane] = static_cast<TOutput>(bits >> lane & 1u);
      }
    }
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
