// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersSimilarPixels_cuh
#define itkCudaFiltersSimilarPixels_cuh

// Which neighbours of a pixel are similar to it, and with which of them it must be joined.
//
// Only the neighbours before a pixel are considered, in the order of the image: the others consider the pixel. A set of
// neighbours is an integer with a bit for each. If all similar pixels are equal, few joins suffice. Neighbours that are
// equal to the pixel are equal to each other; two of them that touch have been joined on their own account, so that the
// pixel need be joined with one of both only. The order of the neighbours is such that this is most often the pixel to
// the left, with which whole runs are joined at once.

#include "../Device/Launch.h"
#include "RowBits.h"
#include <cstdint>
#include <type_traits>
#include <utility>

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

/** Calls function(std::integral_constant<int, i>()) for each neighbour, so that the compiler knows its number. */
template <typename TFunction, int... VNeighbours>
__device__ __forceinline__ void
ForEachNeighbour(TFunction && function, std::integer_sequence<int, VNeighbours...>)
{
  (function(std::integral_constant<int, VNeighbours>()), ...);
}
template <typename TFunction>
__device__ __forceinline__ void
ForEachNeighbour(TFunction && function)
{
  ForEachNeighbour(function, std::make_integer_sequence<int, NumberOfNeighbours>());
}

/** Where a neighbour is along one axis, from 0 for x to 2 for z. */
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

/** GetNeighbourOffset() for numbers that the compiler does not know. */
__device__ __forceinline__ PixelIndex
UnpackNeighbourOffset(int neighbour)
{
  constexpr std::uint32_t x = PackOffsets(0);
  constexpr std::uint32_t y = PackOffsets(1);
  constexpr std::uint32_t z = PackOffsets(2);
  const auto              unpack = [neighbour](std::uint32_t packed) {
    return static_cast<int>(packed >> (2 * neighbour) & 3u) - 1;
  };
  return { unpack(x), unpack(y), unpack(z) };
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

/** The neighbours that touch one and have lower numbers. */
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

enum NamedNeighbour
{
  LeftNeighbour = 0,
  BackNeighbour = 1,
  UpNeighbour = 2,
  UpBackNeighbour = 3,
  UpLeftNeighbour = 5,
  LeftBackNeighbour = 6
};
static_assert(GetNeighbourOffset(BackNeighbour, 2) == -1 && GetNeighbourOffset(UpNeighbour, 1) == -1 &&
                GetNeighbourOffset(UpBackNeighbour, 0) == 0 && GetNeighbourOffset(UpLeftNeighbour, 2) == 0 &&
                GetNeighbourOffset(LeftBackNeighbour, 1) == 0,
              "The names are those of the table.");
constexpr NeighbourSet FaceNeighbours = 1u << LeftNeighbour | 1u << BackNeighbour | 1u << UpNeighbour;
/** Those that touch two face neighbours by faces. */
constexpr NeighbourSet EdgeNeighbours = 1u << UpBackNeighbour | 1u << UpLeftNeighbour | 1u << LeftBackNeighbour;
constexpr NeighbourSet AllNeighbours = (1u << NumberOfNeighbours) - 1u;

/** For each neighbour, whether it is similar, or is to be joined: for some pixels, one bit for each. */
struct NeighbourBits
{
  std::uint32_t Of[NumberOfNeighbours] = {};

  /** The pixels that have such a neighbour with which they are connected. */
  __device__ std::uint32_t
             GetConnected(bool isFull) const
  {
    std::uint32_t bits = this->GetAny<FaceNeighbours>();
    return isFull ? bits | this->GetAny<AllNeighbours & ~FaceNeighbours>() : bits;
  }

  /** From those that are similar, those with which pixels must be joined. */
  template <bool VIsEquality>
  __device__ NeighbourBits
  GetJoins(bool isFull) const
  {
    NeighbourBits joins;
    if (isFull)
    {
      ForEachNeighbour([&](auto number) {
        constexpr int i = decltype(number)::value;
        joins.Of[i] = VIsEquality ? this->Of[i] & ~this->GetAny<SelectTouchedBefore(i)>() : this->Of[i];
      });
      return joins;
    }
    joins.Of[LeftNeighbour] = this->Of[LeftNeighbour];
    joins.Of[UpNeighbour] = this->Of[UpNeighbour];
    joins.Of[BackNeighbour] = this->Of[BackNeighbour];
    if constexpr (VIsEquality)
    {
      // Three sides of a square connect its corners.
      joins.Of[UpNeighbour] &= ~(this->Of[LeftNeighbour] & this->Of[UpLeftNeighbour]);
      joins.Of[BackNeighbour] &=
        ~(this->Of[LeftNeighbour] & this->Of[LeftBackNeighbour]) & ~(this->Of[UpNeighbour] & this->Of[UpBackNeighbour]);
    }
    return joins;
  }

private:
  /** The pixels that have one of some neighbours. */
  template <NeighbourSet VNeighbours>
  __device__ std::uint32_t
             GetAny() const
  {
    std::uint32_t bits = 0;
    ForEachNeighbour([&](auto number) {
      constexpr int i = decltype(number)::value;
      if constexpr ((VNeighbours >> i & 1u) != 0)
      {
        bits |= this->Of[i];
      }
    });
    return bits;
  }
};

/** The neighbours that are inside a box, of a pixel that is. None of them is behind the pixel along z. */
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
template <typename TPixel, bool VIsEquality>
struct PixelSimilarity
{
  TPixel Threshold;
  bool   IsSigned; // for integers

  __device__ bool
  operator()(TPixel a, TPixel b) const
  {
    if constexpr (VIsEquality && std::is_integral<TPixel>::value && sizeof(TPixel) < sizeof(std::uint64_t))
    {
      return a == b;
    }
    else if constexpr (VIsEquality && std::is_floating_point<TPixel>::value)
    {
      return a - b == TPixel{ 0 }; // not of infinite ones
    }
    else if constexpr (std::is_same<TPixel, double>::value)
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

/** An image whose similar pixels are connected. VIsEquality: whether the threshold is 0. */
template <typename TPixel, bool VIsEquality>
struct SimilarityImage
{
  static constexpr bool IsEquality = VIsEquality;

  const TPixel *        Pixels;
  const std::uint32_t * Mask; // a bit for each pixel, see RowBits.h; nullptr: all pixels count
  int                   Width;
  int                   Height;
  int                   Depth;
  int                   WordsPerRow;
  bool                  IsFull; // whether diagonal neighbours are connected

  PixelSimilarity<TPixel, VIsEquality> AreSimilar;

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

  /** Calls function(neighbour, whether it is similar to the pixel and in the mask) for all neighbours that
   * NeighbourBits::GetJoins() needs. All lanes of a warp call it. counts: whether the pixel is inside, and in the mask.
   */
  template <typename TFunction>
  __device__ __forceinline__ void
  FindSimilar(const PixelIndex & pixel, bool counts, TFunction function) const
  {
    const NeighbourSet   wanted = this->IsFull  ? AllNeighbours
                                  : VIsEquality ? FaceNeighbours | EdgeNeighbours
                                                : FaceNeighbours;
    const NeighbourSet   inside = counts ? GetNeighboursInside(pixel, this->Width, this->Height) : 0u;
    const std::int64_t   plane = static_cast<std::int64_t>(this->Width) * this->Height;
    const TPixel * const here = this->GetPointer(pixel);
    const TPixel         value = counts ? *here : TPixel{ 0 };
    ForEachNeighbour([&](auto number) {
      constexpr int        i = decltype(number)::value;
      constexpr PixelIndex offset = GetNeighbourOffset(i);
      // The same for all pixels.
      const bool isWanted = (wanted >> i & 1u) != 0 && (offset.Z == 0 || this->Depth > 1);
      if (isWanted)
      {
        const bool isSimilar = (inside >> i & 1u) != 0 &&
                               this->AreSimilar(value, here[offset.Z * plane + offset.Y * this->Width + offset.X]);
        function(i, isSimilar && this->IsInMask(pixel + offset));
      }
    });
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
