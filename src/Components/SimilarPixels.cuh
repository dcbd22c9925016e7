// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersSimilarPixels_cuh
#define itkCudaFiltersSimilarPixels_cuh

// Which neighbours of a pixel are similar to it, and with which of them it must be joined.
//
// Only the neighbours before a pixel are considered, in the order of the image: the others consider the pixel. A set of
// them is an integer with a bit for each. If all similar pixels are equal, few joins suffice. Neighbours that are equal
// to the pixel are equal to each other; two of them that touch have been joined on their own account, so that the pixel
// need be joined with one of both only. The order of the bits is such that this is most often the pixel to the left,
// with which whole runs are joined at once.

#include "../Device/Launch.h"
#include "LabelForest.cuh"
#include "RowBits.h"
#include <cstdint>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
using NeighbourSet = unsigned int;

/** A pixel, or its distance from another one. */
struct PixelIndex
{
  int X;
  int Y;
  int Z;

  __device__ PixelIndex
  operator+(const PixelIndex & other) const
  {
    return { this->X + other.X, this->Y + other.Y, this->Z + other.Z };
  }
};

constexpr int NumberOfNeighbours = 13;

/** Where each neighbour is, for numbers that the compiler knows. The neighbours at faces of the pixel are the first
 * three. */
__host__ __device__ constexpr PixelIndex
GetNeighbourOffset(int neighbour)
{
  constexpr PixelIndex offsets[NumberOfNeighbours] = { { -1, 0, 0 },  { 0, 0, -1 },  { 0, -1, 0 },  { 0, -1, -1 },
                                                       { 0, 1, -1 },  { -1, -1, 0 }, { -1, 0, -1 }, { -1, -1, -1 },
                                                       { -1, 1, -1 }, { 1, -1, 0 },  { 1, 0, -1 },  { 1, -1, -1 },
                                                       { 1, 1, -1 } };
  return offsets[neighbour];
}

/** The same along one axis, from 0 for x to 2 for z. */
__host__ __device__ constexpr int
GetNeighbourOffset(int neighbour, int axis)
{
  const PixelIndex offset = GetNeighbourOffset(neighbour);
  return axis == 0 ? offset.X : axis == 1 ? offset.Y : offset.Z;
}

/** The offsets of all neighbours along an axis in one number, two bits for each: one more than the offset. */
__host__ __device__ constexpr std::uint32_t
         PackOffsets(int axis)
{
  std::uint32_t packed = 0;
  for (int i = 0; i < NumberOfNeighbours; ++i)
  {
    packed |= static_cast<std::uint32_t>(GetNeighbourOffset(i, axis) + 1) << (2 * i);
  }
  return packed;
}

/** Calls function(offset) for each neighbour of a set. */
template <typename TFunction>
__device__ __forceinline__ void
ForEachNeighbour(NeighbourSet set, TFunction function)
{
  ForEachBit(set, [&](int neighbour) {
    constexpr std::uint32_t x = PackOffsets(0);
    constexpr std::uint32_t y = PackOffsets(1);
    constexpr std::uint32_t z = PackOffsets(2);
    const auto              unpack = [neighbour](std::uint32_t packed) {
      return static_cast<int>(packed >> (2 * neighbour) & 3u) - 1;
    };
    function(PixelIndex{ unpack(x), unpack(y), unpack(z) });
  });
}

/** The neighbours whose offset along an axis has a value. */
__host__ __device__ constexpr NeighbourSet
SelectNeighbours(int axis, int value)
{
  NeighbourSet set = 0;
  for (int i = 0; i < NumberOfNeighbours; ++i)
  {
    set |= GetNeighbourOffset(i, axis) == value ? 1u << i : 0u;
  }
  return set;
}

/** The neighbours that touch one and have less numbers. */
__host__ __device__ constexpr NeighbourSet
SelectTouchedBefore(int neighbour)
{
  constexpr auto touch = [](int a, int b) { return a - b <= 1 && b - a <= 1; };
  const auto     offset = GetNeighbourOffset(neighbour);
  NeighbourSet   set = 0;
  for (int i = 0; i < neighbour; ++i)
  {
    const PixelIndex other = GetNeighbourOffset(i);
    set |= touch(offset.X, other.X) && touch(offset.Y, other.Y) && touch(offset.Z, other.Z) ? 1u << i : 0u;
  }
  return set;
}

/** All SelectTouchedBefore(). */
struct TouchedNeighbours
{
  NeighbourSet Before[NumberOfNeighbours];
};
__host__ __device__ constexpr TouchedNeighbours
GetTouchedNeighbours()
{
  TouchedNeighbours touched{};
  for (int i = 0; i < NumberOfNeighbours; ++i)
  {
    touched.Before[i] = SelectTouchedBefore(i);
  }
  return touched;
}

constexpr NeighbourSet LeftNeighbour = 1u << 0;
constexpr NeighbourSet BackNeighbour = 1u << 1;
constexpr NeighbourSet UpNeighbour = 1u << 2;
constexpr NeighbourSet FaceNeighbours = LeftNeighbour | BackNeighbour | UpNeighbour;
constexpr NeighbourSet UpBackNeighbour = 1u << 3;
constexpr NeighbourSet UpLeftNeighbour = 1u << 5;
constexpr NeighbourSet LeftBackNeighbour = 1u << 6;
/** Those that touch two face neighbours by faces. */
constexpr NeighbourSet EdgeNeighbours = UpBackNeighbour | UpLeftNeighbour | LeftBackNeighbour;
constexpr NeighbourSet AllNeighbours = (1u << NumberOfNeighbours) - 1u;

/** The neighbours that are inside a box, of a pixel that is. */
__device__ __forceinline__ NeighbourSet
GetNeighboursInside(const PixelIndex & pixel, int width, int height)
{
  constexpr NeighbourSet left = SelectNeighbours(0, -1);
  constexpr NeighbourSet right = SelectNeighbours(0, 1);
  constexpr NeighbourSet up = SelectNeighbours(1, -1);
  constexpr NeighbourSet down = SelectNeighbours(1, 1);
  constexpr NeighbourSet back = SelectNeighbours(2, -1);
  return AllNeighbours & ~((pixel.X == 0 ? left : 0u) | (pixel.X == width - 1 ? right : 0u) | (pixel.Y == 0 ? up : 0u) |
                           (pixel.Y == height - 1 ? down : 0u) | (pixel.Z == 0 ? back : 0u));
}

/** Whether pixels are similar: their difference is not greater than a threshold. As in ITK's filter, an infinite pixel
 * is similar to none, and integers of 64 bits are compared as real numbers. */
template <typename TPixel>
struct PixelSimilarity
{
  TPixel Threshold;
  bool   IsSigned; // for integers

  __device__ bool
  operator()(TPixel a, TPixel b) const
  {
    if constexpr (std::is_same<TPixel, double>::value)
    {
      return fabs(a - b) <= this->Threshold;
    }
    else if constexpr (std::is_same<TPixel, float>::value)
    {
      return static_cast<float>(fabs(static_cast<double>(a) - static_cast<double>(b))) <= this->Threshold;
    }
    else if constexpr (sizeof(TPixel) == sizeof(std::uint64_t))
    {
      const auto toReal = [this](TPixel pixel) {
        return this->IsSigned ? static_cast<double>(static_cast<std::int64_t>(pixel)) : static_cast<double>(pixel);
      };
      const double   difference = fabs(toReal(a) - toReal(b));
      constexpr auto end = 18446744073709551616.0; // 2^64
      const bool     isNone = this->IsSigned && static_cast<std::int64_t>(this->Threshold) < 0;
      return !isNone && difference < end && static_cast<std::uint64_t>(difference) <= this->Threshold;
    }
    else
    {
      const std::int64_t difference = this->Extend(a) - this->Extend(b);
      return (difference < 0 ? -difference : difference) <= this->Extend(this->Threshold);
    }
  }

private:
  __device__ std::int64_t
             Extend(TPixel pixel) const
  {
    return this->IsSigned ? static_cast<std::int64_t>(static_cast<std::make_signed_t<TPixel>>(pixel))
                          : static_cast<std::int64_t>(pixel);
  }
};

/** An image whose similar pixels are connected. */
template <typename TPixel>
struct SimilarityImage
{
  const TPixel *          Pixels;
  const std::uint32_t *   Mask; // a bit for each pixel, see RowBits.h; nullptr: all pixels count
  int                     Width;
  int                     Height;
  int                     Depth;
  int                     WordsPerRow;
  bool                    IsFull;     // whether diagonal neighbours are connected
  bool                    IsEquality; // whether the threshold is 0
  PixelSimilarity<TPixel> AreSimilar;

  __device__ bool
  IsInside(const PixelIndex & pixel) const
  {
    return pixel.X < this->Width && pixel.Y < this->Height && pixel.Z < this->Depth;
  }

  /** The number of the word with a pixel. */
  __device__ std::int64_t
             GetWord(const PixelIndex & pixel) const
  {
    return this->GetRow(pixel) * this->WordsPerRow + pixel.X / PixelsPerWord;
  }

  __device__ bool
  IsInMask(const PixelIndex & pixel) const
  {
    return this->Mask == nullptr || (this->Mask[this->GetWord(pixel)] >> (pixel.X % PixelsPerWord) & 1u) != 0;
  }

  __device__ bool
  IsNaN(const PixelIndex & pixel) const
  {
    const TPixel value = *this->GetPointer(pixel);
    return value != value;
  }

  /** The neighbours that are similar to a pixel in the mask, and are in the mask: all that GetJoins() needs to know. */
  __device__ NeighbourSet
  FindSimilar(const PixelIndex & pixel) const
  {
    const NeighbourSet   wanted = this->IsFull       ? AllNeighbours
                                  : this->IsEquality ? FaceNeighbours | EdgeNeighbours
                                                     : FaceNeighbours;
    const NeighbourSet   inside = wanted & GetNeighboursInside(pixel, this->Width, this->Height);
    const std::int64_t   plane = static_cast<std::int64_t>(this->Width) * this->Height;
    const TPixel * const here = this->GetPointer(pixel);
    const TPixel         value = *here;
    NeighbourSet         similar = 0;
#pragma unroll
    for (int i = 0; i < NumberOfNeighbours; ++i)
    {
      const PixelIndex offset = GetNeighbourOffset(i);
      if ((inside >> i & 1u) != 0 &&
          this->AreSimilar(value, here[offset.Z * plane + offset.Y * this->Width + offset.X]))
      {
        similar |= this->IsInMask(pixel + offset) ? 1u << i : 0u;
      }
    }
    return similar;
  }

  /** Those of the similar neighbours that are connected with the pixel. */
  __device__ NeighbourSet
  GetConnected(NeighbourSet similar) const
  {
    return this->IsFull ? similar : similar & FaceNeighbours;
  }

  /** The neighbours with which the pixel must be joined. */
  __device__ NeighbourSet
  GetJoins(NeighbourSet similar) const
  {
    if (!this->IsEquality)
    {
      return similar;
    }
    NeighbourSet joins = this->GetConnected(similar);
    if (this->IsFull)
    {
      constexpr TouchedNeighbours touched = GetTouchedNeighbours();
#pragma unroll
      for (int i = 1; i < NumberOfNeighbours; ++i)
      {
        joins &= (similar & touched.Before[i]) != 0 ? ~(1u << i) : AllNeighbours;
      }
      return joins;
    }
    // Three sides of a square connect its corners.
    const auto have = [similar](NeighbourSet neighbours) { return (similar & neighbours) == neighbours; };
    joins &= have(LeftNeighbour | UpLeftNeighbour) ? ~UpNeighbour : AllNeighbours;
    joins &=
      have(LeftNeighbour | LeftBackNeighbour) || have(UpNeighbour | UpBackNeighbour) ? ~BackNeighbour : AllNeighbours;
    return joins;
  }

private:
  __device__ std::int64_t
             GetRow(const PixelIndex & pixel) const
  {
    return static_cast<std::int64_t>(pixel.Z) * this->Height + pixel.Y;
  }

  __device__ const TPixel *
  GetPointer(const PixelIndex & pixel) const
  {
    return this->Pixels + this->GetRow(pixel) * this->Width + pixel.X;
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
