// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersLineSweeps_cuh
#define itkCudaFiltersLineSweeps_cuh

#include "TileStorage.cuh"

namespace itk
{
namespace CudaFilters
{
/** Propagation by sweeps along all lines of an image: axis by axis, forward and backward, to be repeated until no pixel
 * changes. (Karas, Efficient Computation of Morphological Greyscale Reconstruction, 2010.) The rules are those of
 * TileRelaxation. With full connectivity, a pixel also reads neighbours in other lines, which other threads may be
 * changing. This can cost more rounds, but does not change the result. */
template <typename TRule>
struct SweptImage
{
  TRule           Rule;
  std::int64_t    Size[3];
  std::uint32_t * HasChanged;
};

/** Sweeps the lines along y or z. One thread sweeps one line, and loads 8 of its pixels ahead. The lanes of a warp
 * sweep lines that are adjacent along x, so that their loads are coalesced. No shared memory. */
template <typename TRule, int VDimension, bool VIsFull, int VAxis>
__global__ void
SweepLinesKernel(SweptImage<TRule> image)
{
  using ValueType = typename TRule::ValueType;
  using LimitType = typename TRule::LimitType;
  using From = Neighbour<ValueType>;
  constexpr int ahead = 8;
  // Lines are numbered along x first, then along the third axis (neither x nor VAxis).
  const std::int64_t across = VAxis == 1 ? image.Size[2] : image.Size[1];
  const std::int64_t stride = VAxis == 1 ? image.Size[0] : image.Size[0] * image.Size[1];
  const std::int64_t strideAcross = VAxis == 1 ? image.Size[0] * image.Size[1] : image.Size[0];
  const std::int64_t length = image.Size[VAxis];
  bool               changes = false;
  for (std::int64_t line = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       line < image.Size[0] * across;
       line += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
  {
    const std::int64_t x = line % image.Size[0];
    const std::int64_t row = line / image.Size[0];
    const std::int64_t first = x + row * strideAcross;
    for (int direction = 0; direction < 2; ++direction)
    {
      const std::int64_t step = direction == 0 ? stride : -stride;
      const int          back = direction == 0 ? -1 : 1; // to the pixel before
      std::int64_t       pixel = direction == 0 ? first : first + (length - 1) * stride;
      ValueType          before = image.Rule.GetValueBeyond();
      for (std::int64_t done = 0; done < length; done += ahead)
      {
        const int count = length - done < ahead ? static_cast<int>(length - done) : ahead;
        ValueType values[ahead];
        LimitType limits[ahead];
#pragma unroll
        for (int i = 0; i < ahead; ++i)
        {
          const std::int64_t place = pixel + (i < count ? i : 0) * step;
          values[i] = image.Rule.Load(place);
          limits[i] = image.Rule.LoadLimit(place);
        }
#pragma unroll
        for (int i = 0; i < ahead; ++i)
        {
          if (i < count)
          {
            ValueType value =
              image.Rule.Relax(values[i], limits[i], From{ before, 0, VAxis == 1 ? back : 0, VAxis == 2 ? back : 0 });
            if (VIsFull && done + i > 0)
            {
              for (int dy = VAxis == 2 ? -1 : 0; dy <= (VAxis == 2 ? 1 : 0); ++dy)
              {
                for (int dx = -1; dx <= 1; ++dx)
                {
                  if (x + dx >= 0 && x + dx < image.Size[0] && row + dy >= 0 && row + dy < across &&
                      (dx != 0 || dy != 0))
                  {
                    const ValueType other = image.Rule.Load(pixel - step + dx + dy * strideAcross);
                    value = image.Rule.Relax(
                      value, limits[i], From{ other, dx, VAxis == 1 ? back : dy, VAxis == 2 ? back : 0 });
                  }
                }
              }
            }
            if (value != values[i])
            {
              image.Rule.Store(pixel, value);
              changes = true;
            }
            before = value;
            pixel += step;
          }
        }
      }
    }
  }
  if (changes)
  {
    *image.HasChanged = 1;
  }
}

/** Sweeps the lines along x. A block is one warp and owns 32 lines. It processes them in squares of 32 x 32 pixels in
 * shared memory: the warp loads and stores a square row by row, coalesced, and each lane sweeps one row of it. The
 * pitch of 33 avoids bank conflicts. */
template <typename TRule>
__global__ void
__launch_bounds__(LanesPerWarp) SweepRowsKernel(SweptImage<TRule> image)
{
  using ValueType = typename TRule::ValueType;
  using LimitType = typename TRule::LimitType;
  constexpr int extent = LanesPerWarp;
  CUDAFILTERS_SHARED(ValueType, values, [extent][extent + 1]);
  CUDAFILTERS_SHARED(LimitType, limits, [extent][extent + 1]);
  const int          lane = GetLaneOfWarp();
  const std::int64_t rows = image.Size[1] * image.Size[2];
  const std::int64_t squares = (image.Size[0] + extent - 1) / extent;
  bool               changes = false;
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * extent; first < rows;
       first += static_cast<std::int64_t>(gridDim.x) * extent)
  {
    for (int direction = 0; direction < 2; ++direction)
    {
      ValueType before = image.Rule.GetValueBeyond();
      for (std::int64_t square = 0; square < squares; ++square)
      {
        const std::int64_t start = (direction == 0 ? square : squares - 1 - square) * extent;
        const bool         isInside = start + lane < image.Size[0];
#pragma unroll
        for (int row = 0; row < extent; ++row)
        {
          const bool         isThere = isInside && first + row < rows;
          const std::int64_t pixel = isThere ? (first + row) * image.Size[0] + start + lane : first * image.Size[0];
          const ValueType    value = image.Rule.Load(pixel);
          const LimitType    limit = image.Rule.LoadLimit(pixel);
          values[row][lane] = isThere ? value : image.Rule.GetValueBeyond();
          limits[row][lane] = isThere ? limit : image.Rule.GetLimitBeyond();
        }
        __syncwarp();
        bool changesHere = false;
#pragma unroll
        for (int i = 0; i < extent; ++i)
        {
          const int       x = direction == 0 ? i : extent - 1 - i;
          const ValueType former = values[lane][x];
          const ValueType value =
            image.Rule.Relax(former, limits[lane][x], Neighbour<ValueType>{ before, direction == 0 ? -1 : 1, 0, 0 });
          before = value;
          if (value != former)
          {
            values[lane][x] = value;
            changesHere = true;
          }
        }
        __syncwarp();
        const unsigned int changed = __ballot_sync(AllLanes, changesHere);
        changes = changes || changed != 0u;
        for (int row = 0; row < extent; ++row)
        {
          if ((changed >> row & 1u) != 0u && isInside)
          {
            image.Rule.Store((first + row) * image.Size[0] + start + lane, values[row][lane]);
          }
        }
        __syncwarp();
      }
    }
  }
  if (changes)
  {
    *image.HasChanged = 1;
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
