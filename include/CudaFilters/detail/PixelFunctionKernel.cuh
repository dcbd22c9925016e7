// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_PixelFunctionKernel_cuh
#define CudaFilters_detail_PixelFunctionKernel_cuh

#include "CudaFilters/Launch.cuh"
#include "CudaFilters/PixelFunction.h"
#include "CudaFilters/detail/PixelGrid.cuh"
#include "CudaFilters/detail/PixelPacks.cuh"
#include "CudaFilters/detail/PixelRows.h"
#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** Calls a functor, with the position behind the pixels if it takes one. */
template <typename TFunctor, typename... TPixels>
__device__ __forceinline__ auto
CallPixelFunctor(const TFunctor & functor, const PixelGrid & grid, std::int64_t number, const TPixels &... pixels)
{
  if constexpr (TakesPosition<TFunctor, TPixels...>)
  {
    return functor(pixels..., grid.GetPosition(number));
  }
  else
  {
    return functor(pixels...);
  }
}

/** The values of VPacks packs of VWidth adjacent pixels each. */
template <typename TValue, int VPacks, int VWidth>
struct PackValues
{
  TValue Values[VPacks][VWidth];
};

/** Computes pixels by a functor from the input pixels at the same place, in images whose pixels are adjacent and
 * aligned to packs of VWidth pixels. One thread computes VPacks packs, which lie PackThreads packs apart, and
 * loads all of them first. No shared memory.
 *
 * A reader has a ValueType and methods LoadPacks() and LoadPixel(), a writer has StorePacks() and StorePixel(). */
template <int VPacks, int VWidth, typename TFunctor, typename TWriter, typename... TReaders>
__global__ void
PixelPacksKernel(PixelGrid grid, std::int64_t packs, TFunctor functor, TWriter writer, TReaders... readers)
{
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * (VPacks * PackThreads) + threadIdx.x;
  const auto         compute = [&](auto... inputs) {
    (readers.LoadPacks(inputs.Values, first, packs), ...);
    // The writer calls the function, so that no results wait in registers.
    writer.template StorePacks<VPacks, VWidth>(functor, first, packs, [&](int i, int j) {
      return CallPixelFunctor(functor, grid, (first + i * PackThreads) * VWidth + j, inputs.Values[i][j]...);
    });
  };
  compute(PackValues<typename TReaders::ValueType, VPacks, VWidth>{}...);
}

/** The same for any images: one thread computes one pixel of a row, for rows and slices in a loop over the grid.
 * firstX: the first pixel of a row that is computed. */
template <typename TFunctor, typename TWriter, typename... TReaders>
__global__ void
PixelsKernel(PixelGrid grid, PixelRows rows, std::int64_t firstX, TFunctor functor, TWriter writer, TReaders... readers)
{
  const std::int64_t x = firstX + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (x >= rows.Length)
  {
    return;
  }
  for (std::int64_t z = blockIdx.z; z < rows.Slices; z += gridDim.z)
  {
    for (std::int64_t y = blockIdx.y; y < rows.RowsPerSlice; y += gridDim.y)
    {
      const std::int64_t number = (z * rows.RowsPerSlice + y) * rows.Length + x;
      writer.StorePixel(functor, CallPixelFunctor(functor, grid, number, readers.LoadPixel(x, y, z)...), x, y, z);
    }
  }
}

/** Enqueues the computation of a region: in packs of VWidth pixels where that is possible. */
template <int VWidth, typename TFunctor, typename TWriter, typename... TReaders>
void
RunPixelFunctor(const Execution & execution,
                const PixelRows & rows,
                const Region3 &   output,
                const Region3 &   image,
                const TFunctor &  functor,
                const TWriter &   writer,
                const TReaders &... readers)
{
  constexpr int packsPerThread = VWidth >= 8 && sizeof...(TReaders) > 1 ? 2 : 4; // as registers hold

  const PixelGrid grid(output, image);
  std::int64_t    done = 0;
  if constexpr (VWidth > 1)
  {
    const bool isFlat = rows.RowsPerSlice == 1 && rows.Slices == 1;
    if (isFlat && writer.template IsAligned<VWidth>() && (readers.template IsAligned<VWidth>() && ...))
    {
      const std::int64_t packs = rows.Length / VWidth;
      const std::int64_t blocks = DivideUp(packs, static_cast<std::int64_t>(packsPerThread) * PackThreads);
      Launch(execution,
             "PixelPacksKernel",
             PixelPacksKernel<packsPerThread, VWidth, TFunctor, TWriter, TReaders...>,
             { dim3(static_cast<unsigned int>(blocks)), dim3(PackThreads) },
             grid,
             packs,
             functor,
             writer,
             readers...);
      done = packs * VWidth;
    }
  }
  Launch(execution,
         "PixelsKernel",
         PixelsKernel<TFunctor, TWriter, TReaders...>,
         { dim3(static_cast<unsigned int>(DivideUp(rows.Length - done, PackThreads)),
                LimitBlocks(rows.RowsPerSlice),
                LimitBlocks(rows.Slices)),
           dim3(PackThreads) },
         grid,
         rows,
         done,
         functor,
         writer,
         readers...);
}
} // namespace CudaFilters
} // namespace itk

#endif
