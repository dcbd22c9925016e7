// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersFlatMorphology_cuh
#define itkCudaFiltersFlatMorphology_cuh

#include "../PixelFunctions/ScalarPixels.cuh"
#include "CudaFilters/Launch.cuh"
#include "CudaFilters/detail/FlatMorphologyOperation.h"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** Sizes as an argument of a kernel. Start: the position of the first output pixel in the input. */
struct FlatBox
{
  std::int64_t InputSize[3];
  std::int64_t OutputSize[3];
  std::int64_t Start[3];

  FlatBox(const Region3 & input, const Region3 & output)
  {
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      this->InputSize[axis] = input.Size[axis];
      this->OutputSize[axis] = output.Size[axis];
      this->Start[axis] = output.Start[axis] - input.Start[axis];
    }
  }

  __device__ __forceinline__ bool
  HasInput(int axis, std::int64_t position) const
  {
    return position >= 0 && position < this->InputSize[axis];
  }
};

/** The lesser of two pixels for an erosion, else the greater. Nothing: the pixel that changes no other, which
 * for ITK is a finite number. */
template <bool VIsErosion, typename TPixel>
struct FlatChoice
{
  TPixel Nothing;

  __device__ __forceinline__ static TPixel
  Choose(TPixel a, TPixel b)
  {
    return VIsErosion ? (b < a ? b : a) : (a < b ? b : a);
  }
};

constexpr int MostTaps = 9;

/** Some pixels along an axis, by their offsets. */
struct FlatTaps
{
  int Axis;
  int Number;
  int Offsets[MostTaps];
};

/** Chooses among some pixels of a line. One thread computes VPacks packs of VWidth adjacent pixels of a row, which lie
 * a warp of packs apart. Wide packs are for other axes than x, and rows that are aligned in the same way. */
template <int VPacks, int VWidth, bool VIsErosion, typename TPixel>
__global__ void
FlatTapsKernel(FlatBox                        box,
               FlatTaps                       taps,
               FlatChoice<VIsErosion, TPixel> choice,
               const TPixel *                 input,
               ScalarWriter                   writer)
{
  using Pack = PixelPack<TPixel, VWidth>;

  const std::int64_t first = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x * VPacks + threadIdx.x) * VWidth;
  const auto         step = static_cast<std::int64_t>(blockDim.x) * VWidth;
  for (std::int64_t z = blockIdx.z; z < box.OutputSize[2]; z += gridDim.z)
  {
    for (std::int64_t y = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y; y < box.OutputSize[1];
         y += static_cast<std::int64_t>(gridDim.y) * blockDim.y)
    {
      Pack results[VPacks];
#pragma unroll
      for (int i = 0; i < VPacks; ++i)
      {
#pragma unroll
        for (int j = 0; j < VWidth; ++j)
        {
          results[i].Values[j] = choice.Nothing;
        }
      }
#pragma unroll
      for (int k = 0; k < MostTaps; ++k)
      {
        const int          offset = k < taps.Number ? taps.Offsets[k] : 0;
        const std::int64_t inputY = y + box.Start[1] + (taps.Axis == 1 ? offset : 0);
        const std::int64_t inputZ = z + box.Start[2] + (taps.Axis == 2 ? offset : 0);
        if (k < taps.Number && box.HasInput(1, inputY) && box.HasInput(2, inputZ))
        {
          const TPixel * const row = input + (inputZ * box.InputSize[1] + inputY) * box.InputSize[0];
#pragma unroll
          for (int i = 0; i < VPacks; ++i)
          {
            const std::int64_t inputX = first + i * step + box.Start[0] + (taps.Axis == 0 ? offset : 0);
            if (box.HasInput(0, inputX))
            {
              const Pack pack = *reinterpret_cast<const Pack *>(row + inputX);
#pragma unroll
              for (int j = 0; j < VWidth; ++j)
              {
                results[i].Values[j] = choice.Choose(results[i].Values[j], pack.Values[j]);
              }
            }
          }
        }
      }
      const std::int64_t place = writer.Strides.GetPlace(first, y, z);
#pragma unroll
      for (int i = 0; i < VPacks; ++i)
      {
        if (first + i * step < box.OutputSize[0])
        {
          if constexpr (VWidth == 1)
          {
            writer.StorePixel(nullptr, results[i].Values[0], place + i * step, 0, 0);
          }
          else
          {
            const std::int64_t pack = (place + i * step) / VWidth;
            writer.template StorePacks<1, VWidth>(
              nullptr, pack, pack + 1, [&](int, int j) { return results[i].Values[j]; });
          }
        }
      }
    }
  }
}

constexpr int ColumnRows = 8;

/** Chooses among the pixels of a structuring element. One thread computes ColumnRows pixels, one below the other. Of
 * each column of the structuring element it loads once what several of them have in common. */
template <bool VIsErosion, typename TPixel>
__global__ void
FlatColumnsKernel(FlatBox                        box,
                  const StructureColumn *        columns,
                  int                            numberOfColumns,
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
    for (std::int64_t y = (static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y) * ColumnRows;
         y < box.OutputSize[1];
         y += static_cast<std::int64_t>(gridDim.y) * blockDim.y * ColumnRows)
    {
      TPixel results[ColumnRows];
#pragma unroll
      for (int i = 0; i < ColumnRows; ++i)
      {
        results[i] = choice.Nothing;
      }
      for (int k = 0; k < numberOfColumns; ++k)
      {
        const StructureColumn column = columns[k];
        const std::int64_t    inputX = x + box.Start[0] + column.X;
        const std::int64_t    inputZ = z + box.Start[2] + column.Z;
        if (!box.HasInput(0, inputX) || !box.HasInput(2, inputZ))
        {
          continue;
        }
        const std::int64_t   inputY = y + box.Start[1];
        const TPixel * const center =
          input + (inputZ * box.InputSize[1] + inputY) * box.InputSize[0] + inputX; // of the first pixel
        const auto load = [&](int offset) {
          return box.HasInput(1, inputY + offset) ? center[offset * box.InputSize[0]] : choice.Nothing;
        };
        // Pixels in the columns of some results, or of all.
        const int begin = column.First + ColumnRows - 1;
        TPixel    common = choice.Nothing;
        for (int offset = begin; offset <= column.Last; ++offset)
        {
          common = choice.Choose(common, load(offset));
        }
        const int end = begin <= column.Last ? begin : column.Last + 1;
#pragma unroll
        for (int i = 0; i < ColumnRows; ++i)
        {
          results[i] = choice.Choose(results[i], common);
        }
        // Those before the common ones belong to the first results, those behind to the last.
        for (int offset = column.First; offset < end; ++offset)
        {
          const TPixel pixel = load(offset);
#pragma unroll
          for (int i = 0; i < ColumnRows; ++i)
          {
            results[i] = column.First + i <= offset ? choice.Choose(results[i], pixel) : results[i];
          }
        }
        for (int offset = column.Last + 1; offset < column.Last + ColumnRows; ++offset)
        {
          const TPixel pixel = load(offset);
#pragma unroll
          for (int i = 0; i < ColumnRows; ++i)
          {
            const bool isInside = column.First + i <= offset && offset <= column.Last + i;
            results[i] = isInside ? choice.Choose(results[i], pixel) : results[i];
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
