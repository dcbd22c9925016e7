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

#include "../Device/Launch.h"
#include "CudaFilters/detail/PixelPack.cuh"
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

/** The pixels of one band of a column, as bits, and the nearest objects before and after the band. */
struct ObjectWord
{
  unsigned int Bits;
  int          Before;
  int          After;

  /** The squared distance of a pixel to the nearest object of its column, or NoDistance. weight: the squared spacing.
   */
  template <typename TCost>
  __device__ TCost
  GetDistance(int position, TCost weight) const
  {
    const int          bit = position % PixelsPerBand;
    const unsigned int bitsBefore = this->Bits << (PixelsPerBand - 1 - bit);
    const unsigned int bitsAfter = this->Bits >> bit;
    const int          before = bitsBefore != 0 ? __clz(static_cast<int>(bitsBefore)) : position - this->Before;
    const int          after = bitsAfter != 0 ? __ffs(static_cast<int>(bitsAfter)) - 1 : this->After - position;
    const int          distance = min(before, after);
    return distance > LongestColumn ? NoDistance<TCost>
                                    : weight * static_cast<TCost>(distance) * static_cast<TCost>(distance);
  }

  /** The position of the nearest object of the column; of two that are equally near, the first one. There must be one.
   */
  __device__ int
  GetNearest(int position) const
  {
    const int          band = position / PixelsPerBand;
    const int          bit = position % PixelsPerBand;
    const unsigned int bitsBefore = this->Bits & (0xffffffffu >> (PixelsPerBand - 1 - bit));
    const unsigned int bitsAfter = this->Bits & (0xffffffffu << bit);
    const int          before = bitsBefore != 0 ? GetLastObject(band, bitsBefore) : this->Before;
    const int          after = bitsAfter != 0 ? GetFirstObject(band, bitsAfter) : this->After;
    return position - before <= after - position ? before : after;
  }
};

/** The words of all columns, and the nearest objects before and after them. */
struct ObjectColumns
{
  const unsigned int * Words;
  const int *          Before;
  const int *          After;
  std::int64_t         Columns;

  /** The number of the word that holds a pixel. */
  __device__ std::int64_t
             GetNumberOfWord(std::int64_t column, int position) const
  {
    return position / PixelsPerBand * this->Columns + column;
  }

  /** The band that holds a position: its words are numbered as the columns are. */
  __device__ ObjectColumns
  GetBand(int position) const
  {
    const std::int64_t first = this->GetNumberOfWord(0, position);
    return { this->Words + first, this->Before + first, this->After + first, this->Columns };
  }

  __device__ ObjectWord
  GetWord(std::int64_t number) const
  {
    return { __ldg(this->Words + number), __ldg(this->Before + number), __ldg(this->After + number) };
  }

  /** The squared distances of pixels in adjacent columns, as far as they exist: so many of them. number: that of the
   * first one's word. */
  template <typename TCost>
  __device__ LaneDistances<TCost>
             GetDistances(std::int64_t number, int count, int position, TCost weight) const
  {
    PixelPack<unsigned int, PixelsPerLane> words;
    PixelPack<int, PixelsPerLane>          before;
    PixelPack<int, PixelsPerLane>          after;
    words.Load(this->Words + number, count);
    before.Load(this->Before + number, count);
    after.Load(this->After + number, count);
    LaneDistances<TCost> distances;
#pragma unroll
    for (int k = 0; k < PixelsPerLane; ++k)
    {
      const ObjectWord word{ words.Values[k], before.Values[k], after.Values[k] };
      distances.Values[k] = k < count ? word.template GetDistance<TCost>(position, weight) : NoDistance<TCost>;
    }
    return distances;
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
