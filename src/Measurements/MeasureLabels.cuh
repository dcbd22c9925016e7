// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersMeasureLabels_cuh
#define itkCudaFiltersMeasureLabels_cuh

// The kernel that sums up all objects in one pass.
//
// A block takes a tile of a slice, a thread one of its columns. A thread follows a label down its column; where the
// label changes, the lanes of the warp that had the same label add what they saw to a table of the tile, in shared
// memory. At the end, the tile's table is added to that of the image. An object that fills the image costs few atomic
// operations, therefore, and so do many small ones.

#include "CudaFilters/detail/ObjectSums.h"
#include "CudaFilters/detail/PixelType.h"
#include "LabelIndex.cuh"
#include <cmath>
#include <cstring>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
constexpr int TileColumns = 256;
constexpr int TileRows = 64;
constexpr int TileSlots = 256;
constexpr int MostProbes = 16;

/** Reads the pixels of an image as numbers. */
struct IntensityImage
{
  const void * Pixels = nullptr;
  PixelType    Type = PixelType::Other;

  __device__ double
  Get(std::int64_t pixel) const
  {
    switch (this->Type)
    {
      case PixelType::UnsignedChar:
        return static_cast<const unsigned char *>(this->Pixels)[pixel];
      case PixelType::UnsignedShort:
        return static_cast<const unsigned short *>(this->Pixels)[pixel];
      case PixelType::Short:
        return static_cast<const short *>(this->Pixels)[pixel];
      case PixelType::Float:
        return static_cast<const float *>(this->Pixels)[pixel];
      default:
        return static_cast<const double *>(this->Pixels)[pixel];
    }
  }
};

/** The part of an image that is on the device, in tiles. */
struct MeasuredImage
{
  int          Size[3];
  int          Start[3]; // of the part in the image
  int          TilesAlongX;
  int          TilesAlongY;
  std::int64_t Tiles;
};

/** The bits of a real number, and back. */
__device__ __forceinline__ unsigned long long
ToBits(double value)
{
  unsigned long long bits = 0;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}
__device__ __forceinline__ double
FromBits(unsigned long long bits)
{
  double value = 0.0;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

/** Numbers without a sign whose order is that of the real numbers, and back. */
__device__ __forceinline__ unsigned long long
ToOrdered(double value)
{
  const unsigned long long bits = ToBits(value);
  return bits >> 63 != 0 ? ~bits : bits | 1ull << 63;
}
__device__ __forceinline__ double
FromOrdered(unsigned long long ordered)
{
  return FromBits(ordered >> 63 != 0 ? ordered & ~(1ull << 63) : ~ordered);
}

/** The intensities of some pixels. */
struct IntensitySums
{
  double Sum = 0.0;
  double Least = HUGE_VAL;
  double Greatest = -HUGE_VAL;

  __device__ void
  Add(double sum, double least, double greatest)
  {
    this->Sum += sum;
    this->Least = least < this->Least ? least : this->Least;
    this->Greatest = greatest > this->Greatest ? greatest : this->Greatest;
  }
};

/** What is summed up of some pixels of a tile that have the same label; positions are counted in the tile. 32 bits
 * suffice: 2^14 pixels, 2^8 squared. */
struct TileSums
{
  unsigned int  Count = 0;
  unsigned int  X = 0;
  unsigned int  Y = 0;
  unsigned int  XX = 0;
  unsigned int  XY = 0;
  unsigned int  YY = 0;
  unsigned int  LeastX = TileColumns;
  unsigned int  LeastY = TileRows;
  unsigned int  GreatestX = 0;
  unsigned int  GreatestY = 0;
  IntensitySums Intensities;

  /** Adds adjacent pixels of a column. */
  __device__ void
  AddRun(unsigned int x, unsigned int first, unsigned int count)
  {
    const unsigned int triangle = count * (count - 1) / 2;
    const unsigned int y = count * first + triangle;
    this->Count += count;
    this->X += count * x;
    this->Y += y;
    this->XX += count * x * x;
    this->XY += x * y;
    this->YY += first * (y + triangle) + triangle * (2 * count - 1) / 3;
    this->LeastX = min(this->LeastX, x);
    this->LeastY = min(this->LeastY, first);
    this->GreatestX = max(this->GreatestX, x);
    this->GreatestY = max(this->GreatestY, first + count - 1);
  }
};

template <typename TValue>
__device__ __forceinline__ void
AddToImage(TValue & sum, unsigned long long value)
{
  atomicAdd(reinterpret_cast<unsigned long long *>(&sum), value);
}

/** Replaces a number in the image's table by a lesser one, or a greater one. */
template <typename TIsBetter>
__device__ __forceinline__ void
ImproveInImage(double & number, double value, TIsBetter isBetter)
{
  auto * const       address = reinterpret_cast<unsigned long long *>(&number);
  unsigned long long known = LoadSharedValue(address);
  while (isBetter(value, FromBits(known)))
  {
    const unsigned long long former = atomicCAS(address, known, ToBits(value));
    if (former == known)
    {
      return;
    }
    known = former;
  }
}

/** Adds the sums of a tile to those of the image. x, y, z: the first pixel of the tile. */
template <bool VHasIntensities>
__device__ __forceinline__ void
AddTileToImage(const TileSums & sums, int x, int y, int z, ObjectSums & object)
{
  const auto               left = static_cast<unsigned long long>(x);
  const auto               top = static_cast<unsigned long long>(y);
  const auto               slice = static_cast<unsigned long long>(z);
  const unsigned long long count = sums.Count;
  const unsigned long long sumX = sums.X + count * left;
  const unsigned long long sumY = sums.Y + count * top;
  AddToImage(object.Count, count);
  AddToImage(object.Positions[0], sumX);
  AddToImage(object.Positions[1], sumY);
  AddToImage(object.Products[0], sums.XX + left * (sums.X + sumX));
  AddToImage(object.Products[1], sums.XY + left * sums.Y + top * sumX);
  AddToImage(object.Products[3], sums.YY + top * (sums.Y + sumY));
  if (slice != 0)
  {
    AddToImage(object.Positions[2], count * slice);
    AddToImage(object.Products[2], sumX * slice);
    AddToImage(object.Products[4], sumY * slice);
    AddToImage(object.Products[5], count * slice * slice);
  }
  atomicMin(&object.Least[0], x + static_cast<int>(sums.LeastX));
  atomicMin(&object.Least[1], y + static_cast<int>(sums.LeastY));
  atomicMin(&object.Least[2], z);
  atomicMax(&object.Greatest[0], x + static_cast<int>(sums.GreatestX));
  atomicMax(&object.Greatest[1], y + static_cast<int>(sums.GreatestY));
  atomicMax(&object.Greatest[2], z);
  if constexpr (VHasIntensities)
  {
    atomicAdd(&object.IntensitySum, sums.Intensities.Sum);
    ImproveInImage(object.IntensityLeast, sums.Intensities.Least, [](double a, double b) { return a < b; });
    ImproveInImage(object.IntensityGreatest, sums.Intensities.Greatest, [](double a, double b) { return a > b; });
  }
}

/** The labels of a tile and their sums, in shared memory. A label that finds no slot goes to the image's table. */
template <typename TKey, bool VHasIntensities>
struct TileTable
{
  static constexpr int IntensitySlots = VHasIntensities ? TileSlots : 1;

  TKey               Labels[TileSlots]; // the background in those that are free
  unsigned int       Sums[6][TileSlots];
  unsigned int       Least[2][TileSlots];
  unsigned int       Greatest[2][TileSlots];
  double             IntensitySums[IntensitySlots];
  unsigned long long IntensityLeast[IntensitySlots];
  unsigned long long IntensityGreatest[IntensitySlots];

  __device__ void
  Clear(int slot, TKey background)
  {
    this->Labels[slot] = background;
    for (auto & sum : this->Sums)
    {
      sum[slot] = 0;
    }
    for (int axis = 0; axis < 2; ++axis)
    {
      this->Least[axis][slot] = TileColumns;
      this->Greatest[axis][slot] = 0;
    }
    if constexpr (VHasIntensities)
    {
      this->IntensitySums[slot] = 0.0;
      this->IntensityLeast[slot] = ToOrdered(HUGE_VAL);
      this->IntensityGreatest[slot] = ToOrdered(-HUGE_VAL);
    }
  }

  /** The slot of a label, or -1 if there is none. */
  __device__ int
  FindSlot(TKey label, TKey background)
  {
    auto slot = static_cast<int>(static_cast<unsigned int>(label ^ label >> 16) * 0x9e3779b1u >> 24);
    static_assert(TileSlots == 1 << 8, "The highest bits of the product tell the slot.");
    for (int probe = 0; probe < MostProbes; ++probe)
    {
      TKey found = LoadSharedValue(&this->Labels[slot]);
      if (found == background)
      {
        found = atomicCAS(&this->Labels[slot], background, label);
        found = found == background ? label : found;
      }
      if (found == label)
      {
        return slot;
      }
      slot = (slot + 1) % TileSlots;
    }
    return -1;
  }

  __device__ void
  Add(int slot, const TileSums & sums)
  {
    const unsigned int values[] = { sums.Count, sums.X, sums.Y, sums.XX, sums.XY, sums.YY };
#pragma unroll
    for (int i = 0; i < 6; ++i)
    {
      atomicAdd(&this->Sums[i][slot], values[i]);
    }
    atomicMin(&this->Least[0][slot], sums.LeastX);
    atomicMin(&this->Least[1][slot], sums.LeastY);
    atomicMax(&this->Greatest[0][slot], sums.GreatestX);
    atomicMax(&this->Greatest[1][slot], sums.GreatestY);
    if constexpr (VHasIntensities)
    {
      atomicAdd(&this->IntensitySums[slot], sums.Intensities.Sum);
      atomicMin(&this->IntensityLeast[slot], ToOrdered(sums.Intensities.Least));
      atomicMax(&this->IntensityGreatest[slot], ToOrdered(sums.Intensities.Greatest));
    }
  }

  __device__ TileSums
  Get(int slot) const
  {
    TileSums sums;
    sums.Count = this->Sums[0][slot];
    sums.X = this->Sums[1][slot];
    sums.Y = this->Sums[2][slot];
    sums.XX = this->Sums[3][slot];
    sums.XY = this->Sums[4][slot];
    sums.YY = this->Sums[5][slot];
    sums.LeastX = this->Least[0][slot];
    sums.LeastY = this->Least[1][slot];
    sums.GreatestX = this->Greatest[0][slot];
    sums.GreatestY = this->Greatest[1][slot];
    if constexpr (VHasIntensities)
    {
      sums.Intensities.Sum = this->IntensitySums[slot];
      sums.Intensities.Least = FromOrdered(this->IntensityLeast[slot]);
      sums.Intensities.Greatest = FromOrdered(this->IntensityGreatest[slot]);
    }
    return sums;
  }
};

/** Adds the pixels of all lanes in the mask, which must have the same label. Each lane has followed it over so many
 * pixels of its column. All of these lanes call it and get the result. */
template <bool VHasIntensities>
__device__ __forceinline__ TileSums
AddLanes(unsigned int mask, int first, int count, const IntensitySums & intensities)
{
  TileSums           sums;
  const auto         firstColumn = static_cast<int>(threadIdx.x) - GetLaneOfWarp();
  const unsigned int packed = static_cast<unsigned int>(first) << 16 | static_cast<unsigned int>(count);
  for (unsigned int rest = mask; rest != 0; rest &= rest - 1)
  {
    const int          lane = __ffs(static_cast<int>(rest)) - 1;
    const unsigned int other = __shfl_sync(mask, packed, lane);
    sums.AddRun(static_cast<unsigned int>(firstColumn + lane), other >> 16, other & 0xffffu);
    if constexpr (VHasIntensities)
    {
      sums.Intensities.Add(__shfl_sync(mask, intensities.Sum, lane),
                           __shfl_sync(mask, intensities.Least, lane),
                           __shfl_sync(mask, intensities.Greatest, lane));
    }
  }
  return sums;
}

/** Sums up the objects. A block has TileColumns threads. */
template <typename TLabel, bool VHasIntensities>
__global__ void
__launch_bounds__(TileColumns) MeasureLabelsKernel(MeasuredImage  image,
                                                   const TLabel * labels,
                                                   TLabel         backgroundLabel,
                                                   IntensityImage intensityImage,
                                                   LabelIndex     index,
                                                   ObjectSums *   objects)
{
  using Key = std::conditional_t<(sizeof(TLabel) > sizeof(unsigned int)), unsigned long long, unsigned int>;
  using Table = TileTable<Key, VHasIntensities>;
  CUDAFILTERS_SHARED(Table, tables, [1]);
  Table &   table = tables[0];
  const Key background = backgroundLabel;
  for (std::int64_t tile = blockIdx.x; tile < image.Tiles; tile += gridDim.x)
  {
    const std::int64_t rowOfTiles = tile / image.TilesAlongX;
    const auto         left = static_cast<int>(tile - rowOfTiles * image.TilesAlongX) * TileColumns;
    const auto         z = static_cast<int>(rowOfTiles / image.TilesAlongY);
    const auto         top = static_cast<int>(rowOfTiles - static_cast<std::int64_t>(z) * image.TilesAlongY) * TileRows;
    const auto         addToImage = [&](Key label, const TileSums & sums) {
      AddTileToImage<VHasIntensities>(
        sums, left + image.Start[0], top + image.Start[1], z + image.Start[2], objects[index.GetPlace(label)]);
    };

    table.Clear(static_cast<int>(threadIdx.x), background);
    __syncthreads();

    const int     x = left + static_cast<int>(threadIdx.x);
    const bool    isInside = x < image.Size[0];
    const int     rows = min(TileRows, image.Size[1] - top);
    std::int64_t  pixel = (static_cast<std::int64_t>(z) * image.Size[1] + top) * image.Size[0] + x;
    Key           current = background;
    int           first = 0;
    IntensitySums intensities;
    for (int row = 0; row <= rows; ++row)
    {
      const Key  label = isInside && row < rows ? static_cast<Key>(labels[pixel]) : background;
      const bool changes = label != current;
      const bool ends = changes && current != background;
      const auto endings = __ballot_sync(AllLanes, ends);
      if (ends)
      {
        const unsigned int peers = __match_any_sync(endings, current);
        const TileSums     sums = AddLanes<VHasIntensities>(peers, first, row - first, intensities);
        if (__ffs(static_cast<int>(peers)) - 1 == GetLaneOfWarp())
        {
          const int slot = table.FindSlot(current, background);
          slot >= 0 ? table.Add(slot, sums) : addToImage(current, sums);
        }
      }
      if (changes)
      {
        current = label;
        first = row;
        intensities = IntensitySums();
      }
      if constexpr (VHasIntensities)
      {
        if (label != background)
        {
          const double value = intensityImage.Get(pixel);
          intensities.Add(value, value, value);
        }
      }
      pixel += image.Size[0];
    }
    __syncthreads();

    const auto slot = static_cast<int>(threadIdx.x);
    const Key  label = table.Labels[slot];
    if (label != background)
    {
      addToImage(label, table.Get(slot));
    }
    __syncthreads();
  }
}

/** Prepares the image's table. */
__global__ void
ClearObjectsKernel(ObjectSums * objects, std::int64_t count, ObjectSums nothing)
{
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
  {
    objects[i] = nothing;
  }
}

/** Labels, in the order of numbers without a sign, and those that take their place. */
struct LabelList
{
  const std::uint64_t * Labels;
  const std::uint64_t * NewLabels;
  std::int64_t          Count;

  /** The label's place; it must be in the list. */
  __device__ std::int64_t
             Find(std::uint64_t label) const
  {
    std::int64_t first = 0;
    std::int64_t last = this->Count - 1;
    // Mostly, there are no gaps.
    const auto distance = static_cast<std::int64_t>(label - this->Labels[0]);
    if (distance <= last && this->Labels[distance] == label)
    {
      return distance;
    }
    while (first < last)
    {
      const std::int64_t middle = (first + last) / 2;
      if (this->Labels[middle] < label)
      {
        first = middle + 1;
      }
      else
      {
        last = middle;
      }
    }
    return first;
  }
};

/** Replaces labels; 0 stays. */
template <typename TLabel, typename TOutput>
__global__ void
ReplaceLabelsKernel(const TLabel * labels, std::int64_t count, LabelList list, TOutput * output)
{
  TLabel  last = 0;
  TOutput lastNew = 0;
  ForEachInList(labels, count, [&](TLabel label, std::int64_t i) {
    if (label != last)
    {
      last = label;
      lastNew = label == 0 ? TOutput{ 0 } : static_cast<TOutput>(list.NewLabels[list.Find(label)]);
    }
    output[i] = lastNew;
  });
}
} // namespace CudaFilters
} // namespace itk

#endif
