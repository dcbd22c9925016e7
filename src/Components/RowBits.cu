// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "RowBits.h"
#include "../Device/Divide.cuh"
#include "../Device/ForEachIndex.cuh"
#include "../Device/Launch.h"
#include "CudaFilters/detail/PixelPack.cuh"

namespace itk
{
namespace CudaFilters
{
namespace
{
/** The rows of an image, counted over all slices, in parts that warps take. */
struct RowParts
{
  std::int64_t Rows;
  int          Width;
  int          PartsPerRow;

  /** Calls function(row, first pixel of the lane) in all lanes of a warp; that pixel may be behind the row. */
  template <int VWidth, typename TFunction>
  __device__ void
  ForEach(TFunction function) const
  {
    ForEachIndexOfWarps(this->Rows * this->PartsPerRow, [&](std::int64_t part) {
      const std::int64_t row = Divide(part, this->PartsPerRow);
      const auto         inRow = static_cast<int>(part - row * this->PartsPerRow);
      function(row, (inRow * LanesPerWarp + GetLaneOfWarp()) * VWidth);
    });
  }
};

/** See PackRows(). */
template <typename TPixel>
__global__ void
PackRowsKernel(RowParts        rows,
               int             wordsPerRow,
               const TPixel *  image,
               bool            intersect,
               std::uint32_t * words,
               std::uint64_t * hasNaN)
{
  constexpr int width = PackWidth<TPixel>;
  constexpr int lanesPerWord = PixelsPerWord / width;
  rows.ForEach<width>([&](std::int64_t row, int x) {
    PixelPack<TPixel, width> pixels{};
    if (x < rows.Width)
    {
      pixels.Load(image + row * rows.Width + x, rows.Width - x);
    }
    std::uint32_t bits = 0;
    bool          isNaN = false;
#pragma unroll
    for (int i = 0; i < width; ++i)
    {
      bits |= pixels.Values[i] != TPixel{ 0 } ? 1u << i : 0u;
      isNaN |= pixels.Values[i] != pixels.Values[i];
    }
    if (isNaN)
    {
      *hasNaN = 1;
    }
    bits <<= GetLaneOfWarp() % lanesPerWord * width;
#pragma unroll
    for (int lanes = 1; lanes < lanesPerWord; lanes *= 2)
    {
      bits |= __shfl_xor_sync(AllLanes, bits, lanes);
    }
    if (GetLaneOfWarp() % lanesPerWord == 0 && x < rows.Width)
    {
      std::uint32_t & word = words[row * wordsPerRow + x / PixelsPerWord];
      word = intersect ? word & bits : bits;
    }
  });
}
} // namespace

template <typename TPixel>
void
PackRows(const Execution & execution,
         const Size3 &     size,
         const TPixel *    image,
         bool              intersect,
         std::uint32_t *   words,
         std::uint64_t *   hasNaN)
{
  constexpr unsigned int threads = 256;
  const RowParts         parts{ size[1] * size[2],
                        static_cast<int>(size[0]),
                        static_cast<int>(DivideUp(size[0], PackWidth<TPixel> * LanesPerWarp)) };
  Launch(execution,
         "PackRowsKernel",
         PackRowsKernel<TPixel>,
         { GridOf(DivideUp(parts.Rows * parts.PartsPerRow, threads / LanesPerWarp)), dim3(threads) },
         parts,
         static_cast<int>(GetWordsPerRow(size)),
         image,
         intersect,
         words,
         hasNaN);
}

#define CUDAFILTERS_INSTANTIATE(TPixel) \
  template void PackRows<TPixel>(       \
    const Execution &, const Size3 &, const TPixel *, bool, std::uint32_t *, std::uint64_t *);
CUDAFILTERS_INSTANTIATE(std::uint8_t)
CUDAFILTERS_INSTANTIATE(std::uint16_t)
CUDAFILTERS_INSTANTIATE(std::uint32_t)
CUDAFILTERS_INSTANTIATE(std::uint64_t)
CUDAFILTERS_INSTANTIATE(float)
CUDAFILTERS_INSTANTIATE(double)
#undef CUDAFILTERS_INSTANTIATE
} // namespace CudaFilters
} // namespace itk
