// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersFlatMorphology_cuh
#define itkCudaFiltersFlatMorphology_cuh

#include "../Neighborhood/CombineWindows.cuh"
#include "../PixelFunctions/ScalarPixels.cuh"
#include "CudaFilters/Launch.cuh"
#include "CudaFilters/detail/FlatMorphologyOperation.h"
#include <cstdint>
#include <cstring>
#include <type_traits>

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
  TPixel result = choice.Nothing;
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

/** Chooses among the pixels in two words of four bytes. */
template <bool VIsErosion, typename TPixel>
__device__ __forceinline__ std::uint32_t
                           ChooseWord(std::uint32_t a, std::uint32_t b)
{
  if constexpr (std::is_same<TPixel, unsigned char>::value)
  {
    return VIsErosion ? __vminu4(a, b) : __vmaxu4(a, b);
  }
  else if constexpr (std::is_same<TPixel, unsigned short>::value)
  {
    return VIsErosion ? __vminu2(a, b) : __vmaxu2(a, b);
  }
  else if constexpr (std::is_same<TPixel, short>::value)
  {
    return VIsErosion ? __vmins2(a, b) : __vmaxs2(a, b);
  }
  else
  {
    static_assert(sizeof(TPixel) == sizeof(std::uint32_t), "A word is one pixel.");
    TPixel pixels[2];
    std::memcpy(pixels, &a, sizeof(a));
    std::memcpy(pixels + 1, &b, sizeof(b));
    const TPixel  chosen = FlatChoice<VIsErosion, TPixel>::Choose(pixels[0], pixels[1]);
    std::uint32_t word;
    std::memcpy(&word, &chosen, sizeof(word));
    return word;
  }
}

constexpr int FlatWords = 4;

/** The same for pixels of up to four bytes, outputs of the same type, and rows that begin at multiples of four bytes.
 * One thread computes FlatWords words of four bytes of a row, which lie a warp apart. The words of taps along x are
 * made from two words. */
template <int VTaps, bool VIsErosion, typename TPixel>
__global__ void
FlatWordsKernel(FlatBox                        box,
                FlatTaps                       taps,
                FlatChoice<VIsErosion, TPixel> choice,
                const TPixel *                 input,
                RowStrides                     strides,
                TPixel *                       output)
{
  constexpr int  pixels = sizeof(std::uint32_t) / sizeof(TPixel); // of a word
  constexpr bool isExtreme = std::is_integral<TPixel>::value;     // no pixel is beyond Nothing
  const int      first = static_cast<int>((blockIdx.x * FlatWords) * blockDim.x + threadIdx.x) * pixels;
  const int      least = taps.Offsets[0];
  const int      greatest = taps.Offsets[VTaps - 1];
  const auto     isInside = [&](int axis, std::int64_t position) {
    return position + (taps.Axis == axis ? least : 0) >= 0 &&
           position + (taps.Axis == axis ? greatest : 0) < box.InputSize[axis];
  };
  for (std::int64_t z = blockIdx.z; z < box.OutputSize[2]; z += gridDim.z)
  {
    for (std::int64_t y = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y; y < box.OutputSize[1];
         y += static_cast<std::int64_t>(gridDim.y) * blockDim.y)
    {
      const std::int64_t inputY = y + box.Start[1];
      const std::int64_t inputZ = z + box.Start[2];
      const bool         isRowInside = isInside(1, inputY) && isInside(2, inputZ);
      const auto * const row =
        reinterpret_cast<const std::uint32_t *>(input + (inputZ * box.InputSize[1] + inputY) * box.InputSize[0]);
      unsigned int  inside = 0; // a bit for each word whose pixels all exist
      std::uint32_t results[FlatWords];
      if constexpr (!isExtreme)
      {
#pragma unroll
        for (int i = 0; i < FlatWords; ++i)
        {
          std::memcpy(&results[i], &choice.Nothing, sizeof(results[i]));
        }
      }
#pragma unroll
      for (int i = 0; i < FlatWords; ++i)
      {
        const std::int64_t x = first + i * (32 * pixels) + box.Start[0];
        // One word more, which may be loaded, too.
        inside |= static_cast<unsigned int>(isRowInside && isInside(0, x) && isInside(0, x + 2 * pixels - 1)) << i;
      }
#pragma unroll
      for (int k = 0; k < VTaps; ++k)
      {
        const int                   offset = static_cast<int>(box.Start[0]) + (taps.Axis == 0 ? taps.Offsets[k] : 0);
        const int                   word = (offset - (offset & (pixels - 1))) / pixels;
        const int                   shift = (offset & (pixels - 1)) * static_cast<int>(8 * sizeof(TPixel));
        const std::int64_t          step = taps.Axis == 1 ? taps.Offsets[k] * box.InputSize[0] / pixels
                                           : taps.Axis == 2 ? taps.Offsets[k] * (box.InputSize[0] * box.InputSize[1] / pixels)
                                                            : 0;
        const std::uint32_t * const from = row + step + first / pixels + word;
#pragma unroll
        for (int i = 0; i < FlatWords; ++i)
        {
          if ((inside >> i & 1) != 0)
          {
            std::uint32_t value = from[i * 32];
            if (shift != 0)
            {
              value = __funnelshift_r(value, from[i * 32 + 1], shift);
            }
            results[i] = k == 0 && isExtreme ? value : ChooseWord<VIsErosion, TPixel>(results[i], value);
          }
        }
      }
      const std::int64_t place = strides.GetPlace(0, y, z);
#pragma unroll
      for (int i = 0; i < FlatWords; ++i)
      {
        const int x = first + i * (32 * pixels);
        if ((inside >> i & 1) != 0 && x < box.OutputSize[0])
        {
          reinterpret_cast<std::uint32_t *>(output + place)[x / pixels] = results[i];
        }
      }
      if (inside != (1u << FlatWords) - 1)
      {
        // The border, pixel by pixel.
#pragma unroll 1
        for (int i = 0; i < FlatWords * pixels; ++i)
        {
          const int x = first + i / pixels * (32 * pixels) + i % pixels;
          if ((inside >> (i / pixels) & 1) == 0 && x < box.OutputSize[0])
          {
            output[place + x] = ChooseTap<VTaps>(box, taps, choice, input, x, y, z);
          }
        }
      }
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
        results[i] = choice.Nothing;
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
