// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersSeparableConvolution_cuh
#define itkCudaFiltersSeparableConvolution_cuh

#include "../Device/Launch.h"
#include "../Device/ToPixel.cuh"
#include "CudaFilters/KernelBox.cuh"
#include <cstdint>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** Adds the next product to a sum. In double precision, multiplication and addition are not contracted, so that the sum
 * equals that of the CPU. */
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

/** Weights of a mask that are passed as a kernel argument: all threads read the same weight at a time, which suits the
 * constant cache. */
template <typename TReal>
struct Taps
{
  static constexpr int Capacity = 129;
  int                  Count;
  TReal                Values[Capacity];
};

/** The number of adjacent pixels along the axis of the mask that one thread computes: a power of two, at most 32. More
 * pixels need fewer loads, but more registers. */
template <typename TReal>
constexpr int WindowSize = sizeof(TReal) == 4 ? 16 : 8;

/** Computes VCount adjacent results: sums[i] is the sum of weight k times value i + k over all k. Each value is loaded
 * once and held in registers while a result needs it; up to three values more than needed may be loaded. Each sum runs
 * from the first weight to the last, and includes only values under its mask: no infinity is multiplied by a zero.
 * VTaps: the number of weights if it is known at compile time, else 0. */
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

/** The element that is a number of strides behind another one. Strides are in bytes and have 32 bits, so that the
 * address is one multiply-add. */
template <typename TElement>
__device__ __forceinline__ TElement *
Advance(TElement * element, unsigned int number, unsigned int byteStride)
{
  using Byte = std::conditional_t<std::is_const<TElement>::value, const char, char>;
  return reinterpret_cast<TElement *>(reinterpret_cast<Byte *>(element) +
                                      static_cast<std::uint64_t>(number) * byteStride);
}

/** The pixels of a column by number. Numbers before its first or after its last pixel give the nearest pixel. */
template <typename TReal, typename TInput>
class Column
{
public:
  /** pixels: the pixel at position 0 of the column; first: the position of number 0, inside or outside the column. */
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
  int            m_Offset; // position of number 0 relative to the base; not 0 if it is outside
  int            m_Last;   // the last position relative to the base
};

/** A pass along y or z, called the axis here. Slices are counted along the other of these two. */
struct ColumnPass
{
  std::int64_t InputWidth;
  std::int64_t InputLength;      // along the axis, of the pixels that the output needs
  unsigned int InputByteStride;  // from one pixel to the next along the axis
  std::int64_t InputSliceStride; // from one slice to the next
  std::int64_t Width;            // of the output, as the next four
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

  /** The number of output pixels along the axis from start on, limited to atMost. */
  __device__ int
  CountRows(std::int64_t start, int atMost) const
  {
    return this->Length - start < atMost ? static_cast<int>(this->Length - start) : atMost;
  }
};

/** Convolves along y or z. One thread computes WindowSize pixels of a column. A warp owns 32 adjacent columns, so that
 * its loads are coalesced. The warps of a block are adjacent along the axis, and share the pixels around their windows
 * in the L1 cache. No shared memory. */
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

/** The pitch of a tile in shared memory, such that threads on different rows use different banks. */
__host__ __device__ constexpr int
GetTilePitch(int columns)
{
  return columns + 1;
}

/** The elements of shared memory per warp in ConvolvePlaneKernel: the rows of its tile, and the elements behind the
 * last row that lanes at the right end load without using them. */
template <typename TReal>
__host__ __device__ constexpr int
GetTileElements(int columns)
{
  return WindowSize<TReal> * GetTilePitch(columns) + 36;
}

/** Convolves along y, then along x; with a single weight of 1 along y, along x alone. A warp owns a tile of WindowSize
 * rows, with the rim that the mask along x needs, in its part of the shared memory. First, each lane convolves columns,
 * as in ConvolveColumnsKernel, and writes the results to shared memory. Then, for 32 columns of the tile at a time,
 * each lane convolves WindowSize pixels of one row, and writes the results over elements that no lane needs any more.
 * From there the warp stores them row by row, coalesced. The warps of a block own tiles that are adjacent along y, and
 * do not wait for each other. */
template <int VTaps, typename TReal, typename TInput, typename TOutput>
__global__ void
ConvolvePlaneKernel(ColumnPass     pass,
                    Taps<TReal>    columnTaps,
                    Taps<TReal>    rowTaps,
                    bool           convertBetween, // between the axes, to the output's pixel type
                    int            tileColumns,    // with the rim; a multiple of 32
                    int            tileWidth,      // without the rim
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

/** A pass along one axis. */
struct AxisPass
{
  KernelBox Box;
  int       Axis;
  int       Radius;
};

/** Weights that are passed as a kernel argument. */
template <typename TReal>
struct WeightsByValue
{
  static constexpr int Capacity = 256;
  TReal                Values[Capacity];
};

/** Stores weights in device memory; one thread per weight. Unlike an asynchronous copy, it does not require host memory
 * that stays valid until the copy is done. */
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

/** Convolves along one axis, with a mask of any length. Each thread computes the pixels of one column x in every
 * rowsAtATime-th row; rows are numbered over all slices. The threads of a warp are adjacent along x, so that their
 * loads are coalesced for any axis. No shared memory: overlapping loads hit the L1 cache. */
template <typename TReal, typename TInput, typename TOutput>
__global__ void
ConvolveAxisKernel(AxisPass pass, const TReal * weights, const TInput * input, TOutput * output)
{
  const std::int64_t x = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const KernelBox &  box = pass.Box;
  if (x >= box.OutputSize[0])
  {
    return;
  }
  const std::int64_t rows = box.OutputSize[1] * box.OutputSize[2];
  const std::int64_t rowsAtATime = static_cast<std::int64_t>(gridDim.y) * blockDim.y;
  const std::int64_t length = box.InputSize[pass.Axis];
  const std::int64_t stride =
    pass.Axis == 0 ? 1 : (pass.Axis == 1 ? box.InputSize[0] : box.InputSize[0] * box.InputSize[1]);

  for (std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y; row < rows;
       row += rowsAtATime)
  {
    const std::int64_t position[3] = { x, row % box.OutputSize[1], row / box.OutputSize[1] };
    const std::int64_t along = position[pass.Axis] + box.Start[pass.Axis];
    const TInput *     center =
      input + ((position[2] + box.Start[2]) * box.InputSize[1] + position[1] + box.Start[1]) * box.InputSize[0] +
      position[0] + box.Start[0];

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
        const std::int64_t neighbor = box.ToInput(pass.Axis, position[pass.Axis] + k - pass.Radius);
        sum = AddProduct(sum, weights[k], static_cast<TReal>(center[(neighbor - along) * stride]));
      }
    }
    output[row * box.OutputSize[0] + x] = ToPixel<TOutput>(sum);
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
