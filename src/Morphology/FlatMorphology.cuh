// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersFlatMorphology_cuh
#define itkCudaFiltersFlatMorphology_cuh

#include "../Neighborhood/CombineWindows.cuh"
#include "../PixelFunctions/ScalarPixels.cuh"
#include "CudaFilters/KernelBox.cuh"
#include "CudaFilters/Launch.cuh"
#include "CudaFilters/detail/FlatMorphologyOperation.h"
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** A box outside whose input there are no pixels. */
struct FlatBox : KernelBox
{
  FlatBox(const Region3 & input, const Region3 & output)
    : KernelBox(MakeLocalBox(input, output))
  {}

  __device__ __forceinline__ bool
  HasInput(int axis, std::int64_t position) const
  {
    return position >= 0 && position < this->InputSize[axis];
  }
};

/** The lesser of two pixels for an erosion, else the greater. Identity: the pixel that changes no other, which for ITK
 * is a finite number. */
template <bool VIsErosion, typename TPixel>
struct FlatChoice
{
  TPixel Identity;

  __device__ __forceinline__ static TPixel
  Choose(TPixel a, TPixel b)
  {
    return VIsErosion ? (b < a ? b : a) : (a < b ? b : a);
  }
};

constexpr int MostTaps = 9;

/** Some pixels along an axis, by their offsets. If there are fewer than a kernel takes, the last is repeated. */
struct FlatTaps
{
  int Axis;
  int Number;
  int Offsets[MostTaps];
};

/** The chosen pixel of VTaps pixels along an axis, of which some may not exist. x, y, z: in the output. */
template <int VTaps, bool VIsErosion, typename TPixel>
__device__ TPixel
ChooseTap(const FlatBox &                        box,
          const FlatTaps &                       taps,
          const FlatChoice<VIsErosion, TPixel> & choice,
          const TPixel *                         input,
          std::int64_t                           x,
          std::int64_t                           y,
          std::int64_t                           z)
{
  TPixel result = choice.Identity;
#pragma unroll 1
  for (int k = 0; k < VTaps; ++k)
  {
    const std::int64_t inputX = x + box.Start[0] + (taps.Axis == 0 ? taps.Offsets[k] : 0);
    const std::int64_t inputY = y + box.Start[1] + (taps.Axis == 1 ? taps.Offsets[k] : 0);
    const std::int64_t inputZ = z + box.Start[2] + (taps.Axis == 2 ? taps.Offsets[k] : 0);
    if (box.HasInput(0, inputX) && box.HasInput(1, inputY) && box.HasInput(2, inputZ))
    {
      result = choice.Choose(result, input[(inputZ * box.InputSize[1] + inputY) * box.InputSize[0] + inputX]);
    }
  }
  return result;
}

/** Chooses among some pixels of a line. One thread computes one pixel of a row. */
template <int VTaps, bool VIsErosion, typename TPixel>
__global__ void
FlatTapsKernel(FlatBox                        box,
               FlatTaps                       taps,
               FlatChoice<VIsErosion, TPixel> choice,
               const TPixel *                 input,
               ScalarWriter                   writer)
{
  const std::int64_t x = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (x >= box.OutputSize[0])
  {
    return;
  }
  for (std::int64_t z = blockIdx.z; z < box.OutputSize[2]; z += gridDim.z)
  {
    for (std::int64_t y = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y; y < box.OutputSize[1];
         y += static_cast<std::int64_t>(gridDim.y) * blockDim.y)
    {
      writer.StorePixel(nullptr, ChooseTap<VTaps>(box, taps, choice, input, x, y, z), x, y, z);
    }
  }
}

/** The pixels of a word of four bytes in the form in which a device chooses among several at once: 8-bit pixels become
 * two pairs of 16 bits. Begins with the pixels that change no others. */
template <bool VIsErosion, typename TPixel>
class FlatWord
{
public:
  __device__ __forceinline__ explicit FlatWord(TPixel identity)
  {
    std::uint32_t word = 0;
    std::memcpy(&word, &identity, sizeof(identity));
    m_Parts[0] = sizeof(TPixel) == 4 ? word : word * 0x10001u;
    m_Parts[1] = m_Parts[0];
  }

  __device__ __forceinline__ void
  Combine(std::uint32_t word)
  {
    if constexpr (sizeof(TPixel) == 1)
    {
      m_Parts[0] = Choose(m_Parts[0], word & 0x00ff00ffu);
      m_Parts[1] = Choose(m_Parts[1], __byte_perm(word, 0, 0x4341));
    }
    else
    {
      m_Parts[0] = Choose(m_Parts[0], word);
    }
  }

  __device__ __forceinline__ void
  Combine(const FlatWord & other)
  {
    m_Parts[0] = Choose(m_Parts[0], other.m_Parts[0]);
    if constexpr (sizeof(TPixel) == 1)
    {
      m_Parts[1] = Choose(m_Parts[1], other.m_Parts[1]);
    }
  }

  __device__ __forceinline__ std::uint32_t
                             Get() const
  {
    return sizeof(TPixel) == 1 ? m_Parts[0] | m_Parts[1] << 8 : m_Parts[0];
  }

private:
  __device__ __forceinline__ static std::uint32_t
             Choose(std::uint32_t a, std::uint32_t b)
  {
    if constexpr (std::is_same<TPixel, short>::value)
    {
      return VIsErosion ? __vmins2(a, b) : __vmaxs2(a, b);
    }
    else if constexpr (sizeof(TPixel) <= 2)
    {
      static_assert(std::is_unsigned<TPixel>::value, "These are compared as numbers of 16 bits without a sign.");
      return VIsErosion ? __vminu2(a, b) : __vmaxu2(a, b);
    }
    else
    {
      static_assert(sizeof(TPixel) == sizeof(a), "A word is one pixel.");
      TPixel pixels[2];
      std::memcpy(pixels, &a, sizeof(a));
      std::memcpy(pixels + 1, &b, sizeof(b));
      const TPixel  chosen = FlatChoice<VIsErosion, TPixel>::Choose(pixels[0], pixels[1]);
      std::uint32_t word = 0;
      std::memcpy(&word, &chosen, sizeof(word));
      return word;
    }
  }

  std::uint32_t m_Parts[2];
};

/** The places of taps relative to a word of the output: words in memory and in the row, and bits in them. */
struct WordTaps
{
  std::int64_t Words[MostTaps];
  int          InRow[MostTaps];
  int          Shifts[MostTaps];

  WordTaps(const FlatTaps & taps, int numberOfTaps, const FlatBox & box, int pixelsOfWord)
  {
    const std::int64_t strides[3] = { 1, box.InputSize[0], box.InputSize[0] * box.InputSize[1] };
    for (int k = 0; k < numberOfTaps; ++k)
    {
      const std::int64_t x = box.Start[0] + (taps.Axis == 0 ? taps.Offsets[k] : 0);
      const std::int64_t rest = ((x % pixelsOfWord) + pixelsOfWord) % pixelsOfWord;
      const std::int64_t others = taps.Axis == 0 ? 0 : taps.Offsets[k] * strides[taps.Axis];
      this->InRow[k] = static_cast<int>((x - rest) / pixelsOfWord);
      this->Words[k] = this->InRow[k] + others / pixelsOfWord;
      this->Shifts[k] = static_cast<int>(rest) * 32 / pixelsOfWord;
    }
  }
};

constexpr int FlatWords = 4;

/** The same for pixels of up to four bytes, outputs of the same type, and rows that begin at multiples of four bytes.
 * One thread computes FlatWords words of four bytes of a row, which lie a warp apart. Words of taps along x are made
 * from two words. */
template <int VTaps, bool VIsErosion, typename TPixel>
__global__ void
FlatWordsKernel(FlatBox                        box,
                FlatTaps                       taps,
                WordTaps                       words,
                FlatChoice<VIsErosion, TPixel> choice,
                const TPixel * __restrict__ input,
                RowStrides strides,
                TPixel *   output)
{
  constexpr int pixels = sizeof(std::uint32_t) / sizeof(TPixel); // of a word
  constexpr int step = 32 * pixels;
  const int     first = static_cast<int>((blockIdx.x * FlatWords) * blockDim.x + threadIdx.x) * pixels;
  if (first >= box.OutputSize[0])
  {
    return;
  }
  const auto isInside = [&](int axis, std::int64_t begin, std::int64_t last) {
    return begin + (taps.Axis == axis ? taps.Offsets[0] : 0) >= 0 &&
           last + (taps.Axis == axis ? taps.Offsets[VTaps - 1] : 0) < box.InputSize[axis];
  };
  // If rows are shifted against each other, a word more is loaded.
  const int          more = taps.Axis == 0 || box.Start[0] % pixels != 0 ? pixels : 0;
  const std::int64_t inputX = first + box.Start[0];
  const bool         areInside = isInside(0, inputX, inputX + (FlatWords - 1) * step + pixels - 1 + more) &&
                         first + (FlatWords - 1) * step < box.OutputSize[0];
  const int rowWords = static_cast<int>(box.InputSize[0]) / pixels;
  for (std::int64_t z = blockIdx.z; z < box.OutputSize[2]; z += gridDim.z)
  {
    for (std::int64_t y = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y; y < box.OutputSize[1];
         y += static_cast<std::int64_t>(gridDim.y) * blockDim.y)
    {
      const std::int64_t          inputY = y + box.Start[1];
      const std::int64_t          inputZ = z + box.Start[2];
      std::uint32_t * const       row = reinterpret_cast<std::uint32_t *>(output + strides.GetOffset(first, y, z));
      const std::uint32_t * const from = reinterpret_cast<const std::uint32_t *>(
        input + (inputZ * box.InputSize[1] + inputY) * box.InputSize[0] + first);
      const FlatWord<VIsErosion, TPixel> identity(choice.Identity);
      FlatWord<VIsErosion, TPixel>       results[FlatWords] = { identity, identity, identity, identity };
      if (areInside && isInside(1, inputY, inputY) && isInside(2, inputZ, inputZ))
      {
#pragma unroll
        for (int k = 0; k < VTaps; ++k)
        {
          const std::uint32_t * const tap = from + words.Words[k];
          const int                   shift = words.Shifts[k];
          if (shift == 0)
          {
#pragma unroll
            for (int i = 0; i < FlatWords; ++i)
            {
              results[i].Combine(tap[i * 32]);
            }
          }
          else
          {
#pragma unroll
            for (int i = 0; i < FlatWords; ++i)
            {
              results[i].Combine(__funnelshift_r(tap[i * 32], tap[i * 32 + 1], shift));
            }
          }
        }
#pragma unroll
        for (int i = 0; i < FlatWords; ++i)
        {
          row[i * 32] = results[i].Get();
        }
      }
      else
      {
        // Outside the image, words have pixels that change no others.
#pragma unroll 1
        for (int k = 0; k < VTaps; ++k)
        {
          if (box.HasInput(1, inputY + (taps.Axis == 1 ? taps.Offsets[k] : 0)) &&
              box.HasInput(2, inputZ + (taps.Axis == 2 ? taps.Offsets[k] : 0)))
          {
            const std::uint32_t * const tap = from + words.Words[k];
            const int                   place = first / pixels + words.InRow[k];
#pragma unroll
            for (int i = 0; i < FlatWords; ++i)
            {
              const auto load = [&](int j) {
                const int word = place + i * 32 + j;
                return word >= 0 && word < rowWords ? tap[i * 32 + j] : identity.Get();
              };
              results[i].Combine(__funnelshift_r(load(0), load(1), words.Shifts[k]));
            }
          }
        }
#pragma unroll
        for (int i = 0; i < FlatWords; ++i)
        {
          if (first + i * step < box.OutputSize[0])
          {
            row[i * 32] = results[i].Get();
          }
        }
      }
    }
  }
}

constexpr int SquareWords = 4; // of a pack
constexpr int SquareRows = 16;
constexpr int SquareLoads = 4; // rows at a time

/** Chooses among the pixels of squares of 3 x 3, for rows that begin at multiples of 16 bytes. One thread goes down
 * SquareRows rows of one pack of 16 bytes, with the choices along x of three rows in registers. */
template <bool VIsErosion, typename TPixel>
__global__ void
FlatSquareKernel(FlatBox                        box,
                 FlatChoice<VIsErosion, TPixel> choice,
                 const TPixel * __restrict__ input,
                 RowStrides strides,
                 TPixel *   output)
{
  using Word = FlatWord<VIsErosion, TPixel>;
  using Pack = PixelPack<std::uint32_t, SquareWords>;
  constexpr int pixels = sizeof(std::uint32_t) / sizeof(TPixel); // of a word
  constexpr int bits = 32 / pixels;                              // of a pixel

  const std::int64_t x = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * (SquareWords * pixels);
  if (x >= box.OutputSize[0])
  {
    return;
  }
  const std::int64_t inputX = x + box.Start[0];
  const bool         hasPack = box.HasInput(0, inputX);
  const bool         hasBefore = box.HasInput(0, inputX - 1);
  const bool         hasBehind = box.HasInput(0, inputX + SquareWords * pixels);
  const Word         identity(choice.Identity);

  // Loads the words of a row, with one before and one behind them. isInside: whether all exist.
  const auto loadWords =
    [&](auto isInside, std::int64_t inputY, std::int64_t inputZ, std::uint32_t(&words)[SquareWords + 2]) {
      constexpr bool     areInside = decltype(isInside)::value;
      const auto * const from = reinterpret_cast<const std::uint32_t *>(
        input + (inputZ * box.InputSize[1] + inputY) * box.InputSize[0] + inputX);
      const bool hasRow = areInside || (box.HasInput(1, inputY) && box.HasInput(2, inputZ));
      Pack       pack;
#pragma unroll
      for (int i = 0; i < SquareWords; ++i)
      {
        pack.Values[i] = identity.Get();
      }
      if (areInside || (hasRow && hasPack))
      {
        pack = *reinterpret_cast<const Pack *>(from);
      }
      words[0] = areInside || (hasRow && hasBefore) ? from[-1] : identity.Get();
      words[SquareWords + 1] = areInside || (hasRow && hasBehind) ? from[SquareWords] : identity.Get();
#pragma unroll
      for (int i = 0; i < SquareWords; ++i)
      {
        words[i + 1] = pack.Values[i];
      }
    };
  const auto chooseAlongX = [&](const std::uint32_t(&words)[SquareWords + 2], Word(&row)[SquareWords]) {
#pragma unroll
    for (int i = 0; i < SquareWords; ++i)
    {
      row[i] = identity;
      row[i].Combine(words[i + 1]);
      if constexpr (pixels == 1)
      {
        row[i].Combine(words[i]);
        row[i].Combine(words[i + 2]);
      }
      else
      {
        row[i].Combine(__funnelshift_r(words[i], words[i + 1], 32 - bits));
        row[i].Combine(__funnelshift_r(words[i + 1], words[i + 2], bits));
      }
    }
  };
  const auto computeRows = [&](auto isInside, std::int64_t y, std::int64_t z) {
    const std::int64_t inputY = y + box.Start[1];
    const std::int64_t inputZ = z + box.Start[2];
    std::uint32_t      words[SquareWords + 2];
    Word               above[SquareWords] = { identity, identity, identity, identity };
    Word               middle[SquareWords] = { identity, identity, identity, identity };
    Word               below[SquareWords] = { identity, identity, identity, identity };
    loadWords(isInside, inputY - 1, inputZ, words);
    chooseAlongX(words, above);
    loadWords(isInside, inputY, inputZ, words);
    chooseAlongX(words, middle);
    for (int first = 0; first < SquareRows; first += SquareLoads)
    {
      // Several rows are loaded at a time.
      std::uint32_t next[SquareLoads][SquareWords + 2];
#pragma unroll
      for (int i = 0; i < SquareLoads; ++i)
      {
        loadWords(isInside, inputY + first + i + 1, inputZ, next[i]);
      }
#pragma unroll
      for (int i = 0; i < SquareLoads; ++i)
      {
        chooseAlongX(next[i], below);
        Pack results;
#pragma unroll
        for (int k = 0; k < SquareWords; ++k)
        {
          above[k].Combine(middle[k]);
          above[k].Combine(below[k]);
          results.Values[k] = above[k].Get();
          above[k] = middle[k];
          middle[k] = below[k];
        }
        if (y + first + i < box.OutputSize[1])
        {
          *reinterpret_cast<Pack *>(output + strides.GetOffset(x, y + first + i, z)) = results;
        }
      }
    }
  };
  for (std::int64_t z = blockIdx.z; z < box.OutputSize[2]; z += gridDim.z)
  {
    for (std::int64_t y = (static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y) * SquareRows;
         y < box.OutputSize[1];
         y += static_cast<std::int64_t>(gridDim.y) * blockDim.y * SquareRows)
    {
      const std::int64_t inputY = y + box.Start[1];
      const bool         areInside = hasPack && hasBefore && hasBehind && box.HasInput(1, inputY - 1) &&
                             box.HasInput(1, inputY + SquareRows) && box.HasInput(2, z + box.Start[2]);
      areInside ? computeRows(std::true_type(), y, z) : computeRows(std::false_type(), y, z);
    }
  }
}

constexpr int ColumnRows = 8;

/** A structuring element in device memory. */
struct ColumnsOnDevice
{
  const StructureColumn * Columns;
  int                     Number;
  int                     Radius[3];
};

/** Chooses among the pixels of a structuring element. One thread computes ColumnRows pixels, one below the other. */
template <bool VIsErosion, typename TPixel>
__global__ void
FlatColumnsKernel(FlatBox                        box,
                  ColumnsOnDevice                structure,
                  FlatChoice<VIsErosion, TPixel> choice,
                  const TPixel *                 input,
                  ScalarWriter                   writer)
{
  const std::int64_t x = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (x >= box.OutputSize[0])
  {
    return;
  }
  const std::int64_t inputX = x + box.Start[0];
  for (std::int64_t z = blockIdx.z; z < box.OutputSize[2]; z += gridDim.z)
  {
    const std::int64_t inputZ = z + box.Start[2];
    for (std::int64_t y = (static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y) * ColumnRows;
         y < box.OutputSize[1];
         y += static_cast<std::int64_t>(gridDim.y) * blockDim.y * ColumnRows)
    {
      const std::int64_t   inputY = y + box.Start[1];
      const TPixel * const center = input + (inputZ * box.InputSize[1] + inputY) * box.InputSize[0] + inputX;
      TPixel               results[ColumnRows];
#pragma unroll
      for (int i = 0; i < ColumnRows; ++i)
      {
        results[i] = choice.Identity;
      }
      const auto combine = [](TPixel a, TPixel b) { return FlatChoice<VIsErosion, TPixel>::Choose(a, b); };
      const bool isInside =
        box.HasInput(0, inputX - structure.Radius[0]) && box.HasInput(0, inputX + structure.Radius[0]) &&
        box.HasInput(1, inputY - structure.Radius[1]) &&
        box.HasInput(1, inputY + structure.Radius[1] + ColumnRows - 1) &&
        box.HasInput(2, inputZ - structure.Radius[2]) && box.HasInput(2, inputZ + structure.Radius[2]);
      if (isInside)
      {
        for (int k = 0; k < structure.Number; ++k)
        {
          const StructureColumn column = structure.Columns[k];
          const TPixel * const  from =
            center + static_cast<std::int64_t>(column.Z) * (box.InputSize[0] * box.InputSize[1]) + column.X;
          const auto load = [&](int offset) { return from[offset * box.InputSize[0]]; };
          CombineWindows(results, column.First, column.Last, load, combine);
        }
      }
      else
      {
#pragma unroll 1
        for (int k = 0; k < structure.Number; ++k)
        {
          const StructureColumn column = structure.Columns[k];
          if (box.HasInput(0, inputX + column.X) && box.HasInput(2, inputZ + column.Z))
          {
            const TPixel * const from =
              center + static_cast<std::int64_t>(column.Z) * (box.InputSize[0] * box.InputSize[1]) + column.X;
#pragma unroll 1
            for (int offset = column.First; offset < column.Last + ColumnRows; ++offset)
            {
              if (box.HasInput(1, inputY + offset))
              {
                const TPixel pixel = from[offset * box.InputSize[0]];
#pragma unroll
                for (int i = 0; i < ColumnRows; ++i)
                {
                  const bool isIn = column.First + i <= offset && offset <= column.Last + i;
                  results[i] = isIn ? combine(results[i], pixel) : results[i];
                }
              }
            }
          }
        }
      }
#pragma unroll
      for (int i = 0; i < ColumnRows; ++i)
      {
        if (y + i < box.OutputSize[1])
        {
          writer.StorePixel(nullptr, results[i], x, y + i, z);
        }
      }
    }
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
