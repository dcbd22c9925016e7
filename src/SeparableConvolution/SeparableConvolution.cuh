// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersSeparableConvolution_cuh
#define itkCudaFiltersSeparableConvolution_cuh

#include "../Device/Launch.h"
#include "../Device/ToPixel.cuh"
#include <cstdint>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** The next term of a sum of products. In double precision nothing is contracted, so that the sum is the one that the
 * CPU finds. */
__device__ inline float
AddProduct(float sum, float weight, float value)
{
  return fmaf(weight, value, sum);
}

__device__ inline double
AddProduct(double sum, double weight, double value)
{
  return __dadd_rn(sum, __dmul_rn(weight, value));
}

/** The weights of a mask that travel as an argument of the kernel: all threads read the same one at a time, which
 * the constant cache serves. */
template <typename TReal>
struct Taps
{
  static constexpr int Capacity = 129;
  int                  Count;
  TReal                Values[Capacity];
};

/** Pixels that one thread computes next to each other along the axis of the mask: a power of two, at most 32. The more,
 * the fewer loads, and the more registers. */
template <typename TReal>
constexpr int WindowSize = sizeof(TReal) == 4 ? 16 : 8;

/** Computes VCount results next to each other: sums[i] is the sum of weight k times value i + k. Each value is asked
 * for once and held in registers while a result needs it; up to three more than needed may be asked for. Each sum is
 * taken from the first weight to the last, and has no part in values that its mask does not reach: no infinity is
 * multiplied by a zero. VTaps: the number of weights where the compiler is to know it, else 0. */
template <int VTaps, int VCount, typename TReal, typename TGetValue>
__device__ __forceinline__ void
ConvolveWindow(const Taps<TReal> & taps, const TGetValue & getValue, TReal (&sums)[VCount])
{
  constexpr int atATime = 4;
  const int     tapCount = VTaps > 0 ? VTaps : taps.Count;

  TReal window[2 * VCount];
#pragma unroll
  for (int i = 0; i < VCount; ++i)
  {
    sums[i] = 0;
    window[i] = getValue(i);
    window[VCount + i] = 0;
  }
  int first = 0;
#pragma unroll 1
  for (; first + VCount < tapCount; first += VCount)
  {
#pragma unroll
    for (int i = 0; i < VCount; ++i)
    {
      window[VCount + i] = getValue(first + VCount + i);
    }
#pragma unroll
    for (int k = 0; k < VCount; ++k)
    {
      const TReal weight = taps.Values[first + k];
#pragma unroll
      for (int i = 0; i < VCount; ++i)
      {
        sums[i] = AddProduct(sums[i], weight, window[i + k]);
      }
    }
#pragma unroll
    for (int i = 0; i < VCount; ++i)
    {
      window[i] = window[VCount + i];
    }
  }
#pragma unroll
  for (int i = 0; i < VCount; i += atATime)
  {
    if (first + i + 1 < tapCount)
    {
#pragma unroll
      for (int j = i; j < i + atATime; ++j)
      {
        window[VCount + j] = getValue(first + VCount + j);
      }
    }
  }
#pragma unroll
  for (int k = 0; k < VCount; ++k)
  {
    if (first + k < tapCount)
    {
      const TReal weight = taps.Values[first + k];
#pragma unroll
      for (int i = 0; i < VCount; ++i)
      {
        sums[i] = AddProduct(sums[i], weight, window[i + k]);
      }
    }
  }
}

/** The element a number of strides behind another. Strides are in bytes and of 32 bits, so that the address is one
 * multiply-add. */
template <typename TElement>
__device__ __forceinline__ TElement *
Advance(TElement * element, unsigned int number, unsigned int byteStride)
{
  using Byte = std::conditional_t<std::is_const<TElement>::value, const char, char>;
  return reinterpret_cast<TElement *>(reinterpret_cast<Byte *>(element) +
                                      static_cast<std::uint64_t>(number) * byteStride);
}

/** The pixels of a column by number; before its beginning and after its end, the pixel there. */
template <typename TReal, typename TInput>
class Column
{
public:
  /** pixels: the one at position 0 of the column; first: the position of number 0, inside or outside. */
  __device__
  Column(const TInput * pixels, unsigned int byteStride, std::int64_t length, std::int64_t first)
    : m_ByteStride(byteStride)
  {
    constexpr std::int64_t far = 1 << 30;
    const std::int64_t     last = length - 1;
    const std::int64_t     base = first < 0 ? 0 : (first < last ? first : last);
    m_Base = pixels + base * static_cast<std::int64_t>(byteStride / sizeof(TInput));
    m_Offset = static_cast<int>(first - base > -far ? first - base : -far);
    m_Last = static_cast<int>(last - base < far ? last - base : far);
  }

  __device__ __forceinline__ TReal
  operator()(int number) const
  {
    const int position = min(max(number + m_Offset, 0), m_Last);
    return static_cast<TReal>(*Advance(m_Base, static_cast<unsigned int>(position), m_ByteStride));
  }

private:
  const TInput * m_Base; // number 0, or the pixel nearest to it
  unsigned int   m_ByteStride;
  int            m_Offset; // of number 0 from the base: not 0 where it is outside
  int            m_Last;   // the last position, from the base
};

/** One pass along y or z, called the axis here; the other of the two is called the slices. */
struct ColumnPass
{
  std::int64_t InputWidth;
  std::int64_t InputLength;      // along the axis
  unsigned int InputByteStride;  // from one pixel to the next along the axis
  std::int64_t InputSliceStride; // from one slice to the next
  std::int64_t Width;            // of the output, and so on
  std::int64_t Length;
  std::int64_t Slices;
  unsigned int ByteStride;
  std::int64_t SliceStride;
  std::int64_t StartColumn; // of the first output pixel in the input
  std::int64_t Start;
  std::int64_t StartSlice;

  __device__ std::int64_t
             GetInputColumn(std::int64_t column) const
  {
    const std::int64_t x = this->StartColumn + column;
    return x < 0 ? 0 : (x < this->InputWidth ? x : this->InputWidth - 1);
  }

  /** How many of the next pixels along the axis there are. */
  __device__ int
  CountRows(std::int64_t start, int atMost) const
  {
    return this->Length - start < atMost ? static_cast<int>(this->Length - start) : atMost;
  }
};

/** Convolves along y or z. One thread computes WindowSize pixels of a column; a warp owns 32 columns next to each
 * other, so that its loads are coalesced; the warps of a block own pixels next to each other along the axis, and share
 * the rims of their columns in the first-level cache. No shared memory. */
template <typename TReal, typename TInput, typename TOutput>
__global__ void
ConvolveColumnsKernel(ColumnPass pass, Taps<TReal> taps, const TInput * input, TOutput * output)
{
  constexpr int      count = WindowSize<TReal>;
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (column >= pass.Width)
  {
    return;
  }
  const std::int64_t step = static_cast<std::int64_t>(gridDim.y) * blockDim.y * count;
  const std::int64_t first = (static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y) * count;
  for (std::int64_t slice = blockIdx.z; slice < pass.Slices; slice += gridDim.z)
  {
    const TInput * const from = input + (slice + pass.StartSlice) * pass.InputSliceStride + pass.GetInputColumn(column);
    TOutput * const      to = output + slice * pass.SliceStride + column;
    for (std::int64_t start = first; start < pass.Length; start += step)
    {
      TReal sums[count];
      ConvolveWindow<0>(
        taps,
        Column<TReal, TInput>(from, pass.InputByteStride, pass.InputLength, start + pass.Start - taps.Count / 2),
        sums);
      TOutput * const row = to + start * static_cast<std::int64_t>(pass.ByteStride / sizeof(TOutput));
      const int       rows = pass.CountRows(start, count);
#pragma unroll
      for (int i = 0; i < count; ++i)
      {
        if (i < rows)
        {
          *Advance(row, i, pass.ByteStride) = ToPixel<TOutput>(sums[i]);
        }
      }
    }
  }
}

/** From one row of a tile in shared memory to the next: such that threads that work on different rows use different
 * banks. */
__host__ __device__ constexpr int
GetTilePitch(int columns)
{
  return columns + 1;
}

/** Shared memory of a warp for ConvolvePlaneKernel: the rows of its tile, and what lanes at the right end read in vain
 * behind the last one. */
template <typename TReal>
__host__ __device__ constexpr int
GetTileElements(int columns)
{
  return WindowSize<TReal> * GetTilePitch(columns) + 36;
}

/** Convolves along y, then along x, or, with one weight of 1 along y, along x alone. A warp owns a tile of WindowSize
 * rows by as many columns as fit its part of the shared memory with the rim that the mask along x needs: first each of
 * its lanes convolves columns, as in ConvolveColumnsKernel, and puts the results into shared memory; then each
 * convolves WindowSize pixels of one row there, 32 columns of the tile at a time, and puts the results in the place of
 * what no lane needs any more; from there they are stored row by row, coalesced. The warps of a block own tiles
 * below each other and never wait for each other. */
template <int VTaps, typename TReal, typename TInput, typename TOutput>
__global__ void
ConvolvePlaneKernel(ColumnPass     pass,
                    Taps<TReal>    columnTaps,
                    Taps<TReal>    rowTaps,
                    bool           convertBetween, // to the output's pixel type
                    int            tileColumns,    // with the rim; a multiple of 32
                    int            tileWidth,      // without
                    const TInput * input,
                    TOutput *      output)
{
  constexpr int count = WindowSize<TReal>;
  constexpr int warp = 32;
  CUDAFILTERS_DYNAMIC_SHARED(TReal, shared);

  const int          lane = threadIdx.x;
  const int          pitch = GetTilePitch(tileColumns);
  TReal * const      tile = shared + static_cast<int>(threadIdx.y) * GetTileElements<TReal>(tileColumns);
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * tileWidth;
  const std::int64_t columnsLeft = pass.Width - column;
  const int          width = columnsLeft < tileWidth ? static_cast<int>(columnsLeft) : tileWidth;
  const int          rim = (VTaps > 0 ? VTaps : rowTaps.Count) - 1;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.y) * blockDim.y * count;
  const std::int64_t first = (static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y) * count;

  for (std::int64_t slice = blockIdx.z; slice < pass.Slices; slice += gridDim.z)
  {
    const TInput * const from = input + (slice + pass.StartSlice) * pass.InputSliceStride;
    TOutput * const      to = output + slice * pass.SliceStride + column;
    for (std::int64_t start = first; start < pass.Length; start += step)
    {
      for (int x = lane; x - lane < width + rim; x += warp)
      {
        TReal sums[count];
        ConvolveWindow<VTaps>(columnTaps,
                              Column<TReal, TInput>(from + pass.GetInputColumn(column + x - rim / 2),
                                                    pass.InputByteStride,
                                                    pass.InputLength,
                                                    start + pass.Start - columnTaps.Count / 2),
                              sums);
#pragma unroll
        for (int i = 0; i < count; ++i)
        {
          tile[i * pitch + x] = convertBetween ? static_cast<TReal>(ToPixel<TOutput>(sums[i])) : sums[i];
        }
      }
      __syncwarp();

      TOutput * const row = to + start * static_cast<std::int64_t>(pass.ByteStride / sizeof(TOutput));
      const int       rows = pass.CountRows(start, count);
      for (int x = 0; x < width; x += warp)
      {
        TReal         sums[count];
        TReal * const mine = tile + lane % count * pitch + x + lane / count * count;
        ConvolveWindow<VTaps>(
          rowTaps, [mine](int number) { return mine[number]; }, sums);
        __syncwarp();
#pragma unroll
        for (int i = 0; i < count; ++i)
        {
          mine[i] = sums[i];
        }
        __syncwarp();
        const int columnRows = x + lane < width ? rows : 0;
#pragma unroll
        for (int i = 0; i < count; ++i)
        {
          if (i < columnRows)
          {
            *Advance(row + x + lane, i, pass.ByteStride) = ToPixel<TOutput>(tile[i * pitch + x + lane]);
          }
        }
      }
      __syncwarp();
    }
  }
}

/** One pass along one axis. */
struct AxisPass
{
  std::int64_t InputSize[3];
  std::int64_t OutputSize[3];
  std::int64_t Start[3]; // of the first output pixel in the input
  int          Axis;
  int          Radius;
};

/** Weights that travel as an argument of the kernel. */
template <typename TReal>
struct WeightsByValue
{
  static constexpr int Capacity = 256;
  TReal                Values[Capacity];
};

/** Puts weights into device memory: one thread a weight. Spares the host a copy from memory that would have to wait
 * for it. */
template <typename TReal>
__global__ void
StoreWeightsKernel(WeightsByValue<TReal> weights, int count, TReal * destination)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
  {
    destination[i] = weights.Values[i];
  }
}

/** Convolves along one axis. Each thread computes the pixels of one column x in every (grid height)-th row, where the
 * rows of all slices count on; threads of a warp lie next to each other in x, so that their loads are coalesced
 * whichever the axis. No shared memory: neighbouring loads meet in the first-level cache. */
template <typename TReal, typename TInput, typename TOutput>
__global__ void
ConvolveAxisKernel(AxisPass pass, const TReal * weights, const TInput * input, TOutput * output)
{
  const std::int64_t x = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (x >= pass.OutputSize[0])
  {
    return;
  }
  const std::int64_t rows = pass.OutputSize[1] * pass.OutputSize[2];
  const std::int64_t rowsAtATime = static_cast<std::int64_t>(gridDim.y) * blockDim.y;
  const std::int64_t length = pass.InputSize[pass.Axis];
  const std::int64_t stride =
    pass.Axis == 0 ? 1 : (pass.Axis == 1 ? pass.InputSize[0] : pass.InputSize[0] * pass.InputSize[1]);

  for (std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y; row < rows;
       row += rowsAtATime)
  {
    const std::int64_t position[3] = { x + pass.Start[0],
                                       row % pass.OutputSize[1] + pass.Start[1],
                                       row / pass.OutputSize[1] + pass.Start[2] };
    const std::int64_t along = position[pass.Axis];
    const TInput * center = input + (position[2] * pass.InputSize[1] + position[1]) * pass.InputSize[0] + position[0];

    TReal sum = 0;
    if (along >= pass.Radius && along + pass.Radius < length)
    {
      const TInput * pixel = center - pass.Radius * stride;
      for (int k = 0; k <= 2 * pass.Radius; ++k, pixel += stride)
      {
        sum = AddProduct(sum, weights[k], static_cast<TReal>(*pixel));
      }
    }
    else
    {
      for (int k = 0; k <= 2 * pass.Radius; ++k)
      {
        std::int64_t neighbor = along + k - pass.Radius;
        neighbor = neighbor < 0 ? 0 : (neighbor < length ? neighbor : length - 1);
        sum = AddProduct(sum, weights[k], static_cast<TReal>(center[(neighbor - along) * stride]));
      }
    }
    output[row * pass.OutputSize[0] + x] = ToPixel<TOutput>(sum);
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
