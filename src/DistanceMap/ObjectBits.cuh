// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersObjectBits_cuh
#define itkCudaFiltersObjectBits_cuh

// Binary images with one bit per pixel, and the distances along their last axis.
//
// A column is the line of pixels along the last axis that have the other coordinates in common. A word holds a band of
// 32 pixels of a column, the first one in the lowest bit. The words of a band are adjacent, as the pixels of a slice
// are. So the distance of a pixel to the nearest object in its column is found with two instructions in its word or, if
// the word has no object on a side, from the nearest object before or after the band.

#include "../Device/PixelPack.cuh"
#include "../Device/Warp.cuh"
#include "DistanceMap.h"
#include "LowerEnvelope.cuh"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
constexpr int PixelsPerBand = 32;

/** A slab of an image: all pixels with a range of indices along the last axis, and the columns that they belong to. */
struct SlabShape
{
  int          Width;  // of the image
  int          Height; // of a slice; 1 if the last axis is the second one
  int          Length; // of the columns, with margins
  int          Begin;  // of the pixels without margins in the columns
  int          End;
  std::int64_t Columns; // Width * Height

  __host__ __device__ int
  GetBands() const
  {
    return (this->Length + PixelsPerBand - 1) / PixelsPerBand;
  }

  /** The pixels of a band without those in margins or after the end of the column, as bits. */
  __device__ unsigned int
  GetInner(int band) const
  {
    return GetRange(this->Begin - band * PixelsPerBand, this->End - band * PixelsPerBand);
  }

  /** The pixels of a band without those after the end of the column. */
  __device__ unsigned int
  GetAll(int band) const
  {
    return GetRange(0, this->Length - band * PixelsPerBand);
  }

private:
  __device__ static unsigned int
  GetRange(int begin, int end)
  {
    const unsigned int before = end >= PixelsPerBand ? 0xffffffffu : (1u << max(end, 0)) - 1u;
    return begin <= 0 ? before : begin >= PixelsPerBand ? 0u : before & (0xffffffffu << begin);
  }
};

/** The position in its column of the first, and the last, object of a word. */
__device__ __forceinline__ int
GetFirstObject(int band, unsigned int word)
{
  return band * PixelsPerBand + __ffs(static_cast<int>(word)) - 1;
}
__device__ __forceinline__ int
GetLastObject(int band, unsigned int word)
{
  return band * PixelsPerBand + PixelsPerBand - 1 - __clz(static_cast<int>(word));
}

/** Sets the bits of pixels that differ from the background. A thread packs some columns of one band. */
template <typename TPixel>
__global__ void
PackObjectsKernel(const TPixel * image, SlabShape shape, TPixel background, unsigned int * objects)
{
  constexpr int      width = PackWidth<TPixel>;
  const std::int64_t groups = (shape.Columns + width - 1) / width;
  const std::int64_t all = groups * shape.GetBands();
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
  {
    const std::int64_t column = i % groups * width;
    const auto         band = static_cast<int>(i / groups);
    const std::int64_t count = shape.Columns - column;
    const int          rows = min(PixelsPerBand, shape.Length - band * PixelsPerBand);
    unsigned int       words[width] = {};
    const TPixel *     from = image + static_cast<std::int64_t>(band) * PixelsPerBand * shape.Columns + column;
#pragma unroll 8
    for (int row = 0; row < rows; ++row)
    {
      PixelPack<TPixel, width> pixels;
      pixels.Load(from + row * shape.Columns, count);
#pragma unroll
      for (int k = 0; k < width; ++k)
      {
        words[k] |= (pixels.Values[k] != background ? 1u : 0u) << row;
      }
    }
    unsigned int * const to = objects + band * shape.Columns + column;
    constexpr int        atATime = width < 4 ? width : 4;
#pragma unroll
    for (int k = 0; k < width; k += atATime)
    {
      PixelPack<unsigned int, atATime> stored;
#pragma unroll
      for (int j = 0; j < atATime; ++j)
      {
        stored.Values[j] = words[k + j];
      }
      stored.Store(to + k, count - k);
    }
  }
}

/** Keeps the objects that are outside the margins and, if VIsContour, have a background pixel among their neighbours,
 * diagonal ones included. */
template <bool VIsContour>
__global__ void
ChooseObjectsKernel(const unsigned int * objects, SlabShape shape, unsigned int * chosen)
{
  const int          bands = shape.GetBands();
  const std::int64_t all = shape.Columns * bands;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
  {
    const auto band = static_cast<int>(i / shape.Columns);
    unsigned   word = objects[i] & shape.GetInner(band);
    if constexpr (VIsContour)
    {
      if (word != 0)
      {
        const std::int64_t column = i % shape.Columns;
        const auto         x = static_cast<int>(column % shape.Width);
        const auto         y = static_cast<int>(column / shape.Width);
        const auto         getBackground = [&](int otherBand, std::int64_t otherColumn) {
          return ~objects[otherBand * shape.Columns + otherColumn] & shape.GetAll(otherBand);
        };
        unsigned int near = 0; // pixels with background beside them
        for (int otherY = max(y - 1, 0); otherY <= min(y + 1, shape.Height - 1); ++otherY)
        {
          for (int otherX = max(x - 1, 0); otherX <= min(x + 1, shape.Width - 1); ++otherX)
          {
            const std::int64_t other = static_cast<std::int64_t>(otherY) * shape.Width + otherX;
            const unsigned int here = getBackground(band, other);
            near |= here | here << 1 | here >> 1;
            if (band > 0)
            {
              near |= getBackground(band - 1, other) >> (PixelsPerBand - 1);
            }
            if (band + 1 < bands)
            {
              near |= getBackground(band + 1, other) << (PixelsPerBand - 1);
            }
          }
        }
        word &= near;
      }
    }
    chosen[i] = word;
  }
}

/** The first and the last object of each column. */
__global__ void
FindEndsKernel(const unsigned int * objects, SlabShape shape, int * firsts, int * lasts)
{
  for (std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; column < shape.Columns;
       column += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
  {
    int first = NoSiteAfter;
    int last = NoSiteBefore;
    for (int band = 0; band < shape.GetBands(); ++band)
    {
      const unsigned int word = objects[band * shape.Columns + column];
      if (word != 0)
      {
        first = min(first, GetFirstObject(band, word));
        last = GetLastObject(band, word);
      }
    }
    firsts[column] = first;
    lasts[column] = last;
  }
}

/** Objects of one bit per pixel, and for each word the nearest object before and after it in its column. */
struct ObjectColumns
{
  const unsigned int * Words;
  const int *          Before;
  const int *          After;
  std::int64_t         Columns;

  /** The number of the word that holds a pixel. */
  __device__ std::int64_t
             GetWord(std::int64_t column, int position) const
  {
    return position / PixelsPerBand * this->Columns + column;
  }

  /** The words of the band that holds a position. */
  __device__ ObjectColumns
  GetBand(int position) const
  {
    const std::int64_t first = this->GetWord(0, position);
    return { this->Words + first, this->Before + first, this->After + first, this->Columns };
  }

  /** The squared distance of a pixel to the nearest object of its column, or NoDistance. word: its number. weight: the
   * squared spacing. */
  template <typename TCost>
  __device__ TCost
  GetDistance(unsigned int word, int position, TCost weight) const
  {
    return GetDistance(
      __ldg(this->Words + word), __ldg(this->Before + word), __ldg(this->After + word), position, weight);
  }

  /** The same for adjacent columns, as far as they exist: so many of them. */
  template <typename TCost>
  __device__ LaneDistances<TCost>
             GetDistances(std::int64_t word, int count, int position, TCost weight) const
  {
    PixelPack<unsigned int, PixelsPerLane> words;
    PixelPack<int, PixelsPerLane>          before;
    PixelPack<int, PixelsPerLane>          after;
    words.Load(this->Words + word, count);
    before.Load(this->Before + word, count);
    after.Load(this->After + word, count);
    LaneDistances<TCost> distances;
#pragma unroll
    for (int k = 0; k < PixelsPerLane; ++k)
    {
      distances.Values[k] = k < count
                              ? GetDistance(words.Values[k], before.Values[k], after.Values[k], position, weight)
                              : NoDistance<TCost>;
    }
    return distances;
  }

private:
  template <typename TCost>
  __device__ static TCost
  GetDistance(unsigned int word, int positionBefore, int positionAfter, int position, TCost weight)
  {
    const int          bit = position % PixelsPerBand;
    const unsigned int bitsBefore = word << (PixelsPerBand - 1 - bit);
    const unsigned int bitsAfter = word >> bit;
    const int          before = bitsBefore != 0 ? __clz(static_cast<int>(bitsBefore)) : position - positionBefore;
    const int          after = bitsAfter != 0 ? __ffs(static_cast<int>(bitsAfter)) - 1 : positionAfter - position;
    const int          distance = min(before, after);
    return distance > LongestColumn ? NoDistance<TCost>
                                    : weight * static_cast<TCost>(distance) * static_cast<TCost>(distance);
  }
};

constexpr int MostPartsOfColumn = 32;

/** Finds the nearest objects before and after each word. A block takes 32 columns, of which each warp takes a part.
 * lastsBefore, firstsAfter: the nearest object of each column before, and after, the slab; or null if there is none. */
__global__ void
__launch_bounds__(MostPartsOfColumn * LanesPerWarp) FindNearestObjectsKernel(const unsigned int * objects,
                                                                             SlabShape            shape,
                                                                             const int *          lastsBefore,
                                                                             const int *          firstsAfter,
                                                                             int *                before,
                                                                             int *                after)
{
  CUDAFILTERS_SHARED(int, firsts, [MostPartsOfColumn][LanesPerWarp]);
  CUDAFILTERS_SHARED(int, lasts, [MostPartsOfColumn][LanesPerWarp]);
  const int  lane = GetLaneOfWarp();
  const auto part = static_cast<int>(threadIdx.y);
  const auto parts = static_cast<int>(blockDim.y);
  const int  bands = shape.GetBands();
  const int  perPart = (bands + parts - 1) / parts;
  const int  begin = min(part * perPart, bands);
  const int  end = min(begin + perPart, bands);
  for (std::int64_t firstColumn = static_cast<std::int64_t>(blockIdx.x) * LanesPerWarp; firstColumn < shape.Columns;
       firstColumn += static_cast<std::int64_t>(gridDim.x) * LanesPerWarp)
  {
    const std::int64_t column = firstColumn + lane;
    const bool         isThere = column < shape.Columns;
    int                first = NoSiteAfter;
    int                last = NoSiteBefore;
    for (int band = begin; isThere && band < end; ++band)
    {
      const unsigned int word = objects[band * shape.Columns + column];
      first = word != 0 ? min(first, GetFirstObject(band, word)) : first;
      last = word != 0 ? GetLastObject(band, word) : last;
    }
    firsts[part][lane] = first;
    lasts[part][lane] = last;
    __syncthreads();
    if (isThere)
    {
      int nearest = lastsBefore != nullptr ? lastsBefore[column] : NoSiteBefore;
      for (int other = 0; other < part; ++other)
      {
        nearest = max(nearest, lasts[other][lane]);
      }
      for (int band = begin; band < end; ++band)
      {
        const std::int64_t i = band * shape.Columns + column;
        before[i] = nearest;
        nearest = objects[i] != 0 ? GetLastObject(band, objects[i]) : nearest;
      }
      nearest = firstsAfter != nullptr ? firstsAfter[column] : NoSiteAfter;
      for (int other = part + 1; other < parts; ++other)
      {
        nearest = min(nearest, firsts[other][lane]);
      }
      for (int band = end - 1; band >= begin; --band)
      {
        const std::int64_t i = band * shape.Columns + column;
        after[i] = nearest;
        nearest = objects[i] != 0 ? GetFirstObject(band, objects[i]) : nearest;
      }
    }
    __syncthreads();
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
