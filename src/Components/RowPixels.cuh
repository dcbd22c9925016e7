// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersRowPixels_cuh
#define itkCudaFiltersRowPixels_cuh

// The kernels between images of pixels and rows of bits: a lane loads or stores some adjacent pixels, a warp those of a
// part of a row.

#include "../Device/PixelPack.cuh"
#include "ComponentNumbers.cuh"

namespace itk
{
namespace CudaFilters
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
    const std::int64_t warps = static_cast<std::int64_t>(gridDim.x) * (blockDim.x / LanesPerWarp);
    const std::int64_t parts = this->Rows * this->PartsPerRow;
    for (std::int64_t part = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / LanesPerWarp;
         part < parts;
         part += warps)
    {
      // A 64-bit division is slow.
      const std::int64_t row = parts <= 0xffffffff
                                 ? static_cast<std::uint32_t>(part) / static_cast<std::uint32_t>(this->PartsPerRow)
                                 : part / this->PartsPerRow;
      const auto         inRow = static_cast<int>(part - row * this->PartsPerRow);
      function(row, (inRow * LanesPerWarp + GetLaneOfWarp()) * VWidth);
    }
  }
};

/** Sets the bits of pixels that are not 0. With intersect, clears the bits of others, and leaves the rest. */
template <typename TPixel>
__global__ void
PackRowsKernel(RowParts rows, int wordsPerRow, const TPixel * image, bool intersect, std::uint32_t * words)
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
#pragma unroll
    for (int i = 0; i < width; ++i)
    {
      bits |= pixels.Values[i] != TPixel{ 0 } ? 1u << i : 0u;
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

/** Writes the number of each object into its pixels, and the value of the background into all others. */
template <typename TConnectivity, typename TLabel, typename TOutput>
__global__ void
WriteNumbersKernel(RowParts                    rows,
                   GroupedImage<TConnectivity> image,
                   LabelForest<TLabel>         forest,
                   TOutput                     background,
                   TOutput *                   output)
{
  constexpr int width = PackWidth<TOutput>;
  rows.ForEach<width>([&](std::int64_t row, int x) {
    if (x >= rows.Width)
    {
      return;
    }
    const std::uint32_t bits = image.Words[row * image.WordsPerRow + x / PixelsPerWord];
    const int           firstColumn = x % PixelsPerWord;
    ColumnRun           run{ 0, 0u };
    TOutput             number = background;

    GroupIndex               index{ 0, 0, 0 };
    GroupWord<TConnectivity> group{};
    if ((bits >> firstColumn & ((1u << width) - 1u)) != 0)
    {
      const auto z = static_cast<int>(row / image.Height);
      const auto y = static_cast<int>(row - static_cast<std::int64_t>(z) * image.Height);
      index = { x / PixelsPerWord, y / TConnectivity::RowsAlongY, z / TConnectivity::RowsAlongZ };
      group = image.Load(index);
    }
    PixelPack<TOutput, width> pixels;
#pragma unroll
    for (int i = 0; i < width; ++i)
    {
      const bool isObject = (bits >> (firstColumn + i) & 1u) != 0;
      if (isObject && (run.Columns >> (firstColumn + i) & 1u) == 0)
      {
        run = GetRun(group.GetUnion(), firstColumn + i);
        const auto label = image.template GetLabel<TLabel>(index, group, run);
        number = static_cast<TOutput>(FindNumber(forest, label) & ~IsNumber<TLabel>);
      }
      pixels.Values[i] = isObject ? number : background;
    }
    pixels.Store(output + row * rows.Width + x, rows.Width - x);
  });
}
} // namespace CudaFilters
} // namespace itk

#endif
