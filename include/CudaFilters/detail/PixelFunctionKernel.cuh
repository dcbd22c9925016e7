// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_PixelFunctionKernel_cuh
#define CudaFilters_detail_PixelFunctionKernel_cuh

#include "CudaFilters/Launch.cuh"
#include "CudaFilters/PixelFunction.h"
#include "CudaFilters/detail/PixelRows.h"
#include <cstdint>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** The region that is computed, and the image in which positions are counted, as an argument of a kernel. */
struct PixelGrid
{
  std::int64_t Length;
  std::int64_t RowsPerSlice;
  std::int64_t Rows;
  std::int64_t PacksPerRow;
  std::int64_t OutputSize[3];
  std::int64_t OutputStart[3];
  std::int64_t ImageStart[3];
  std::int64_t ImageSize[2];

  PixelGrid(const PixelRows & rows, int width, const Region3 & output, const Region3 & image)
    : Length(rows.Length)
    , RowsPerSlice(rows.RowsPerSlice)
    , Rows(rows.GetNumberOfRows())
    , PacksPerRow(DivideUp(rows.Length, width))
    , OutputSize{ output.Size[0], output.Size[1], output.Size[2] }
    , OutputStart{ output.Start[0], output.Start[1], output.Start[2] }
    , ImageStart{ image.Start[0], image.Start[1], image.Start[2] }
    , ImageSize{ image.Size[0], image.Size[1] }
  {}

  /** The position of a pixel of a row. */
  __device__ PixelPosition
  GetPosition(std::int64_t row, std::int64_t place) const
  {
    const std::int64_t n = row * this->Length + place;
    const std::int64_t line = n / this->OutputSize[0];
    PixelPosition      position;
    position.Index[0] = this->OutputStart[0] + n - line * this->OutputSize[0];
    position.Index[1] = this->OutputStart[1] + line % this->OutputSize[1];
    position.Index[2] = this->OutputStart[2] + line / this->OutputSize[1];
    position.Offset =
      ((position.Index[2] - this->ImageStart[2]) * this->ImageSize[1] + position.Index[1] - this->ImageStart[1]) *
        this->ImageSize[0] +
      position.Index[0] - this->ImageStart[0];
    return position;
  }
};

/** Computes each output pixel by a functor from the input pixels at the same place. One thread computes VWidth adjacent
 * pixels of a row at a time, which it loads and stores as a pack, in a loop over the grid. No shared memory.
 *
 * A reader has ValueType and Load(values, row, slice, place, count), a writer has Store(), for count pixels from a
 * place in a row on; both know where their pixels are. */
template <int VWidth, typename TFunctor, typename TWriter, typename... TReaders>
__global__ void
PixelFunctionKernel(PixelGrid grid, TFunctor functor, TWriter writer, TReaders... readers)
{
  constexpr bool takesPosition = TakesPosition<TFunctor, typename TReaders::ValueType...>;

  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const std::int64_t packs = grid.Rows * grid.PacksPerRow;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < packs; i += step)
  {
    const std::int64_t row = grid.Rows == 1 ? 0 : i / grid.PacksPerRow;
    const std::int64_t slice = grid.Rows == 1 ? 0 : row / grid.RowsPerSlice;
    const std::int64_t line = row - slice * grid.RowsPerSlice;
    const std::int64_t place = (i - row * grid.PacksPerRow) * VWidth;
    const std::int64_t count = grid.Length - place;
    // A generic lambda holds one array per reader, all of which are loaded before the first computation.
    const auto compute = [&](auto... packsOfReaders) {
      (readers.Load(packsOfReaders.Values, line, slice, place, count), ...);
      const auto call = [&](int j) {
        if constexpr (takesPosition)
        {
          return functor(packsOfReaders.Values[j]..., grid.GetPosition(row, place + j));
        }
        else
        {
          return functor(packsOfReaders.Values[j]...);
        }
      };
      decltype(call(0)) results[VWidth];
#pragma unroll
      for (int j = 0; j < VWidth; ++j)
      {
        results[j] = call(j);
      }
      writer.Store(results, line, slice, place, count);
    };
    compute(typename TReaders::template Pack<VWidth>{}...);
  }
}

/** Enqueues PixelFunctionKernel for a region. */
template <int VWidth, typename TFunctor, typename TWriter, typename... TReaders>
void
RunPixelFunction(const Execution & execution,
                 const PixelRows & rows,
                 const Region3 &   output,
                 const Region3 &   image,
                 const TFunctor &  functor,
                 const TWriter &   writer,
                 const TReaders &... readers)
{
  constexpr unsigned int threads = 256;

  const PixelGrid grid(rows, VWidth, output, image);
  Launch(execution,
         "PixelFunctionKernel",
         PixelFunctionKernel<VWidth, TFunctor, TWriter, TReaders...>,
         { GridOf(DivideUp(grid.Rows * grid.PacksPerRow, threads)), dim3(threads) },
         grid,
         functor,
         writer,
         readers...);
}
} // namespace CudaFilters
} // namespace itk

#endif
