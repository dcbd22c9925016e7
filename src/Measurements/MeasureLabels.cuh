// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersMeasureLabels_cuh
#define itkCudaFiltersMeasureLabels_cuh

// The kernels that count the pixels of all objects, or sum up all that is measured, in one pass.
//
// A block of threads takes a block of pixels of a slice, a thread one of its columns. A thread follows a label down its
// column; where the label changes, the lanes of the warp that had the same label add what they saw to a table of the
// block, in shared memory. At the end, the block's table is added to that of the image. An object that fills the image
// costs few atomic operations, therefore, and so do many small ones.
//
// Sums of real intensities must not depend on the order in which threads add. So they are sums of integers, in two
// parts: multiples of a power of 2, and of another one for what is left. The powers depend on the greatest intensity of
// the object, which a pass before finds.

#include "CudaFilters/detail/ObjectSums.h"
#include "CudaFilters/detail/PixelType.h"
#include "../Device/Divide.cuh"
#include "../Device/PixelOrder.cuh"
#include "LabelIndex.cuh"
#include <cmath>
#include <cstring>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
constexpr int BlockColumns = 256;
constexpr int BlockRows = 64;
constexpr int BlockSlots = BlockColumns;
constexpr int MostProbes = 16;

/** Reads the pixels of an image as numbers, or their squares. */
struct IntensityImage
{
  const void * Pixels = nullptr;
  PixelType    Type = PixelType::Other;
  bool         AreSquared = false;

  __device__ double
  Get(std::int64_t pixel) const
  {
    const double value = this->GetPixel(pixel);
    return this->AreSquared ? value * value : value;
  }

private:
  __device__ double
  GetPixel(std::int64_t pixel) const
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

/** The part of an image that is on the device, in blocks of pixels. */
struct MeasuredImage
{
  int          Size[3];
  int          Start[3]; // of the part in the image
  int          BlocksAlongX;
  int          BlocksAlongY;
  std::int64_t Blocks;
};

/** A sum of intensities, in units of an IntensityScale. */
struct IntensitySum
{
  long long High = 0;
  long long Low = 0;
};

/** A power of 2 that a double can be. */
__device__ __forceinline__ double
MakePowerOfTwo(int exponent)
{
  const auto bits = static_cast<unsigned long long>(exponent + 1023) << 52;
  double     power;
  memcpy(&power, &bits, sizeof(power));
  return power;
}

/** The units of the sums of an object whose intensities have absolute values below a power of 2. The higher part of an
 * intensity counts in units that are 2^BitsOfPart times less than that power; the lower part counts what is left, in
 * units that are 2^(BitsOfPart + 1) times less again. */
struct IntensityScale
{
  int  BitsOfPart = 0;
  bool HasUnits = false; // otherwise, intensities are integers, which the higher part counts

  /** greatest: the bits of the greatest absolute value of the object. */
  __device__
  IntensityScale(int bitsOfPart, const unsigned long long * greatest)
    : BitsOfPart(bitsOfPart)
    , HasUnits(greatest != nullptr)
  {
    if (this->HasUnits)
    {
      constexpr int least = -900; // so that all powers are numbers
      m_Exponent = max(static_cast<int>(*greatest >> 52) - 1022, least);
      m_HighUnitsPerOne = MakePowerOfTwo(bitsOfPart - m_Exponent);
      m_LowUnitsPerHigh = MakePowerOfTwo(bitsOfPart + 1);
    }
  }

  __device__ IntensitySum
  Split(double value) const
  {
    const double scaled = value * m_HighUnitsPerOne;
    const double high = rint(scaled);
    return { static_cast<long long>(high), static_cast<long long>(rint((scaled - high) * m_LowUnitsPerHigh)) };
  }

  __device__ double
  Combine(const IntensitySum & sum) const
  {
    const auto high = static_cast<double>(sum.High);
    return this->HasUnits ? (high * m_LowUnitsPerHigh + static_cast<double>(sum.Low)) *
                              MakePowerOfTwo(m_Exponent - 2 * this->BitsOfPart - 1)
                          : high;
  }

private:
  int    m_Exponent = 0;
  double m_HighUnitsPerOne = 1.0;
  double m_LowUnitsPerHigh = 0.0;
};

/** The intensities of some pixels. */
struct IntensityStatistics
{
  IntensitySum Sum;
  double       Least = HUGE_VAL;
  double       Greatest = -HUGE_VAL;

  __device__ void
  Add(const IntensitySum & sum, double least, double greatest)
  {
    this->Sum.High += sum.High;
    this->Sum.Low += sum.Low;
    this->Least = least < this->Least ? least : this->Least;
    this->Greatest = greatest > this->Greatest ? greatest : this->Greatest;
  }
};

/** What is summed up of pixels. */
enum BlockSum
{
  SumOfOnes,
  SumOfX,
  SumOfY,
  SumOfXX,
  SumOfXY,
  SumOfYY,
  NumberOfBlockSums
};

/** The sums of some pixels of a block that have the same label; positions, along x and y, are counted in the block. 32
 * bits suffice: 2^14 pixels, 2^8 squared. */
struct BlockSums
{
  unsigned int        Sums[NumberOfBlockSums] = { 0, 0, 0, 0, 0, 0 };
  unsigned int        Least[2] = { BlockColumns, BlockRows };
  unsigned int        Greatest[2] = { 0, 0 };
  IntensityStatistics Intensities;

  /** Adds adjacent pixels of a column. */
  __device__ void
  AddRun(unsigned int x, unsigned int first, unsigned int count)
  {
    const unsigned int triangle = count * (count - 1) / 2;
    const unsigned int y = count * first + triangle;
    this->Sums[SumOfOnes] += count;
    this->Sums[SumOfX] += count * x;
    this->Sums[SumOfY] += y;
    this->Sums[SumOfXX] += count * x * x;
    this->Sums[SumOfXY] += x * y;
    this->Sums[SumOfYY] += first * (y + triangle) + triangle * (2 * count - 1) / 3;
    this->Least[0] = min(this->Least[0], x);
    this->Least[1] = min(this->Least[1], first);
    this->Greatest[0] = max(this->Greatest[0], x);
    this->Greatest[1] = max(this->Greatest[1], first + count - 1);
  }
};

/** Adds to a number in the image's table, without a sign or in two's complement. */
template <typename TValue>
__device__ __forceinline__ void
AddToImage(TValue & sum, unsigned long long value)
{
  atomicAdd(reinterpret_cast<unsigned long long *>(&sum), value);
}

/** In the image's table, the least and the greatest intensity are integers in the same order, until the end. */
using IntensityOrder = PixelOrder<double>;

__device__ __forceinline__ IntensityOrder::ValueType *
                           GetOrdered(double & number)
{
  return reinterpret_cast<IntensityOrder::ValueType *>(&number);
}

/** Adds the sums of a block to those of the image. x, y, z: the first pixel of the block. intensitySum: nullptr, if
 * there are no intensities. */
template <bool VHasIntensities>
__device__ __forceinline__ void
AddBlockToImage(const BlockSums & sums, int x, int y, int z, ObjectSums & object, IntensitySum * intensitySum)
{
  const auto               left = static_cast<unsigned long long>(x);
  const auto               top = static_cast<unsigned long long>(y);
  const auto               slice = static_cast<unsigned long long>(z);
  const unsigned long long count = sums.Sums[SumOfOnes];
  const unsigned long long sumX = sums.Sums[SumOfX] + count * left;
  const unsigned long long sumY = sums.Sums[SumOfY] + count * top;
  AddToImage(object.Count, count);
  AddToImage(object.Positions[0], sumX);
  AddToImage(object.Positions[1], sumY);
  AddToImage(object.Products[0], sums.Sums[SumOfXX] + left * (sums.Sums[SumOfX] + sumX));
  AddToImage(object.Products[1], sums.Sums[SumOfXY] + left * sums.Sums[SumOfY] + top * sumX);
  AddToImage(object.Products[3], sums.Sums[SumOfYY] + top * (sums.Sums[SumOfY] + sumY));
  if (slice != 0)
  {
    AddToImage(object.Positions[2], count * slice);
    AddToImage(object.Products[2], sumX * slice);
    AddToImage(object.Products[4], sumY * slice);
    AddToImage(object.Products[5], count * slice * slice);
  }
  atomicMin(&object.Least[0], x + static_cast<int>(sums.Least[0]));
  atomicMin(&object.Least[1], y + static_cast<int>(sums.Least[1]));
  atomicMin(&object.Least[2], z);
  atomicMax(&object.Greatest[0], x + static_cast<int>(sums.Greatest[0]));
  atomicMax(&object.Greatest[1], y + static_cast<int>(sums.Greatest[1]));
  atomicMax(&object.Greatest[2], z);
  if constexpr (VHasIntensities)
  {
    AddToImage(intensitySum->High, static_cast<unsigned long long>(sums.Intensities.Sum.High));
    AddToImage(intensitySum->Low, static_cast<unsigned long long>(sums.Intensities.Sum.Low));
    atomicMin(GetOrdered(object.IntensityLeast), IntensityOrder::Encode(sums.Intensities.Least, 0));
    atomicMax(GetOrdered(object.IntensityGreatest), IntensityOrder::Encode(sums.Intensities.Greatest, 0));
  }
}

/** The labels of a block, in shared memory. */
template <typename TKey>
struct LabelSlots
{
  TKey Labels[BlockSlots]; // the background in those that are free

  /** The slot of a label, or -1 if there is none: then it goes to the image's table at once. */
  __device__ int
  Find(TKey label, TKey background)
  {
    auto slot = static_cast<int>(static_cast<unsigned int>(label ^ label >> 16) * 0x9e3779b1u >> 24);
    static_assert(BlockSlots == 1 << 8, "The highest bits of the product tell the slot.");
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
      slot = (slot + 1) % BlockSlots;
    }
    return -1;
  }
};

/** The labels of a block and their sums, in shared memory. */
template <typename TKey, bool VHasIntensities>
struct BlockTable
{
  static constexpr int IntensitySlots = VHasIntensities ? BlockSlots : 1;

  LabelSlots<TKey>          Slots;
  unsigned int              Sums[NumberOfBlockSums][BlockSlots];
  unsigned int              Least[2][BlockSlots];
  unsigned int              Greatest[2][BlockSlots];
  unsigned long long        IntensityHigh[IntensitySlots];
  unsigned long long        IntensityLow[IntensitySlots];
  IntensityOrder::ValueType IntensityLeast[IntensitySlots];
  IntensityOrder::ValueType IntensityGreatest[IntensitySlots];

  __device__ void
  Clear(int slot, TKey background)
  {
    this->Slots.Labels[slot] = background;
    for (auto & sum : this->Sums)
    {
      sum[slot] = 0;
    }
    for (int axis = 0; axis < 2; ++axis)
    {
      this->Least[axis][slot] = ~0u;
      this->Greatest[axis][slot] = 0;
    }
    if constexpr (VHasIntensities)
    {
      this->IntensityHigh[slot] = 0;
      this->IntensityLow[slot] = 0;
      this->IntensityLeast[slot] = IntensityOrder::Encode(HUGE_VAL, 0);
      this->IntensityGreatest[slot] = IntensityOrder::Encode(-HUGE_VAL, 0);
    }
  }

  __device__ void
  Add(int slot, const BlockSums & sums)
  {
#pragma unroll
    for (int i = 0; i < NumberOfBlockSums; ++i)
    {
      atomicAdd(&this->Sums[i][slot], sums.Sums[i]);
    }
#pragma unroll
    for (int axis = 0; axis < 2; ++axis)
    {
      atomicMin(&this->Least[axis][slot], sums.Least[axis]);
      atomicMax(&this->Greatest[axis][slot], sums.Greatest[axis]);
    }
    if constexpr (VHasIntensities)
    {
      atomicAdd(&this->IntensityHigh[slot], static_cast<unsigned long long>(sums.Intensities.Sum.High));
      atomicAdd(&this->IntensityLow[slot], static_cast<unsigned long long>(sums.Intensities.Sum.Low));
      atomicMin(&this->IntensityLeast[slot], IntensityOrder::Encode(sums.Intensities.Least, 0));
      atomicMax(&this->IntensityGreatest[slot], IntensityOrder::Encode(sums.Intensities.Greatest, 0));
    }
  }

  __device__ BlockSums
  Get(int slot) const
  {
    BlockSums sums;
#pragma unroll
    for (int i = 0; i < NumberOfBlockSums; ++i)
    {
      sums.Sums[i] = this->Sums[i][slot];
    }
#pragma unroll
    for (int axis = 0; axis < 2; ++axis)
    {
      sums.Least[axis] = this->Least[axis][slot];
      sums.Greatest[axis] = this->Greatest[axis][slot];
    }
    if constexpr (VHasIntensities)
    {
      sums.Intensities.Sum = { static_cast<long long>(this->IntensityHigh[slot]),
                               static_cast<long long>(this->IntensityLow[slot]) };
      sums.Intensities.Least = IntensityOrder::Decode(this->IntensityLeast[slot], 0);
      sums.Intensities.Greatest = IntensityOrder::Decode(this->IntensityGreatest[slot], 0);
    }
    return sums;
  }
};

/** Adds the pixels of all lanes in the mask, which must have the same label. Each lane has followed it over so many
 * pixels of its column. All of these lanes call it and get the result. */
template <bool VHasIntensities>
__device__ __forceinline__ BlockSums
AddLanes(unsigned int mask, int first, int count, const IntensityStatistics & intensities)
{
  BlockSums          sums;
  const auto         firstColumn = static_cast<int>(threadIdx.x) - GetLaneOfWarp();
  const unsigned int packed = static_cast<unsigned int>(first) << 16 | static_cast<unsigned int>(count);
  for (unsigned int rest = mask; rest != 0; rest &= rest - 1)
  {
    const int          lane = __ffs(static_cast<int>(rest)) - 1;
    const unsigned int other = __shfl_sync(mask, packed, lane);
    sums.AddRun(static_cast<unsigned int>(firstColumn + lane), other >> 16, other & 0xffffu);
    if constexpr (VHasIntensities)
    {
      sums.Intensities.Add(
        { __shfl_sync(mask, intensities.Sum.High, lane), __shfl_sync(mask, intensities.Sum.Low, lane) },
        __shfl_sync(mask, intensities.Least, lane),
        __shfl_sync(mask, intensities.Greatest, lane));
    }
  }
  return sums;
}

/** Where a block of pixels is. */
struct PixelBlock
{
  int Left;
  int Top;
  int Z;

  __device__
  PixelBlock(const MeasuredImage & image, std::int64_t block)
  {
    const std::int64_t row = Divide(block, image.BlocksAlongX);
    const std::int64_t z = Divide(row, image.BlocksAlongY);
    this->Left = static_cast<int>(block - row * image.BlocksAlongX) * BlockColumns;
    this->Top = static_cast<int>(row - z * image.BlocksAlongY) * BlockRows;
    this->Z = static_cast<int>(z);
  }
};

/** The type of labels in tables, for which there are atomic operations. */
template <typename TLabel>
using LabelKey = std::conditional_t<(sizeof(TLabel) > sizeof(unsigned int)), unsigned long long, unsigned int>;

/** Follows the labels down this thread's column of a block. Calls addPixel(label, pixel) for each pixel that belongs to
 * an object, after start(label) if it is the first one of a run; and end(the lanes that call it, label, first row,
 * number of rows) for each run. */
template <typename TLabel, typename TStart, typename TAddPixel, typename TEnd>
__device__ __forceinline__ void
FollowColumn(const MeasuredImage & image,
             const PixelBlock &    block,
             const TLabel *        labels,
             LabelKey<TLabel>      background,
             TStart                start,
             TAddPixel             addPixel,
             TEnd                  end)
{
  using Key = LabelKey<TLabel>;
  const int    x = block.Left + static_cast<int>(threadIdx.x);
  const int    rows = x < image.Size[0] ? min(BlockRows, image.Size[1] - block.Top) : 0;
  const int    rowsOfBlock = min(BlockRows, image.Size[1] - block.Top);
  std::int64_t pixel = (static_cast<std::int64_t>(block.Z) * image.Size[1] + block.Top) * image.Size[0] + x;
  Key          current = background;
  Key          next = rows > 0 ? static_cast<Key>(labels[pixel]) : background; // loaded before it is needed
  int          first = 0;
  for (int row = 0; row <= rowsOfBlock; ++row)
  {
    const Key label = next;
    next = row + 1 < rows ? static_cast<Key>(labels[pixel + image.Size[0]]) : background;
    const bool changes = label != current;
    const bool ends = changes && current != background;
    const auto endings = __ballot_sync(AllLanes, ends);
    if (ends)
    {
      end(endings, current, first, row - first);
    }
    if (changes)
    {
      current = label;
      first = row;
      start(label);
    }
    if (label != background)
    {
      addPixel(label, pixel);
    }
    pixel += image.Size[0];
  }
}

/** Counts the pixels of the objects. A block has BlockColumns threads. */
template <typename TLabel>
__global__ void
__launch_bounds__(BlockColumns) CountLabelsKernel(MeasuredImage        image,
                                                  const TLabel *       labels,
                                                  TLabel               background,
                                                  LabelIndex           index,
                                                  unsigned long long * counts)
{
  using Key = LabelKey<TLabel>;
  CUDAFILTERS_SHARED(LabelSlots<Key>, slots, [1]);
  CUDAFILTERS_SHARED(unsigned int, countsOfSlots, [BlockSlots]);
  const auto thread = static_cast<int>(threadIdx.x);
  const auto addToImage = [&](Key label, unsigned int count) {
    atomicAdd(&counts[index.GetPlace(label)], static_cast<unsigned long long>(count));
  };
  for (std::int64_t block = blockIdx.x; block < image.Blocks; block += gridDim.x)
  {
    slots[0].Labels[thread] = background;
    countsOfSlots[thread] = 0;
    __syncthreads();
    FollowColumn(
      image,
      PixelBlock(image, block),
      labels,
      background,
      [](Key) {},
      [](Key, std::int64_t) {},
      [&](unsigned int endings, Key label, int, int rows) {
        const unsigned int peers = __match_any_sync(endings, label);
        unsigned int       count = 0;
        for (unsigned int rest = peers; rest != 0; rest &= rest - 1)
        {
          count += static_cast<unsigned int>(__shfl_sync(peers, rows, __ffs(static_cast<int>(rest)) - 1));
        }
        if (__ffs(static_cast<int>(peers)) - 1 == GetLaneOfWarp())
        {
          const int slot = slots[0].Find(label, background);
          if (slot >= 0)
          {
            atomicAdd(&countsOfSlots[slot], count);
          }
          else
          {
            addToImage(label, count);
          }
        }
      });
    __syncthreads();
    if (slots[0].Labels[thread] != background)
    {
      addToImage(slots[0].Labels[thread], countsOfSlots[thread]);
    }
    __syncthreads();
  }
}

/** Finds the greatest absolute value of each object's intensities but infinity, as bits: those of numbers that are not
 * negative are in the order of the numbers. A block has BlockColumns threads. */
template <typename TLabel>
__global__ void
__launch_bounds__(BlockColumns) FindGreatestIntensitiesKernel(MeasuredImage        image,
                                                              const TLabel *       labels,
                                                              TLabel               background,
                                                              IntensityImage       intensityImage,
                                                              LabelIndex           index,
                                                              unsigned long long * greatest)
{
  using Key = LabelKey<TLabel>;
  for (std::int64_t block = blockIdx.x; block < image.Blocks; block += gridDim.x)
  {
    double mine = 0.0;
    FollowColumn(
      image,
      PixelBlock(image, block),
      labels,
      background,
      [&](Key) { mine = 0.0; },
      [&](Key, std::int64_t pixel) {
        const double value = fabs(intensityImage.Get(pixel));
        mine = value > mine && value < HUGE_VAL ? value : mine;
      },
      [&](unsigned int, Key label, int, int) {
        unsigned long long bits;
        memcpy(&bits, &mine, sizeof(bits));
        unsigned long long * const ofObject = greatest + index.GetPlace(label);
        if (bits > LoadSharedValue(ofObject))
        {
          atomicMax(ofObject, bits);
        }
      });
  }
}

/** Sums up the objects. intensitySums: receives those that are finite; others are in objects at once. greatest: the
 * greatest absolute value of each object's intensities, as bits; nullptr: they are integers. A block has BlockColumns
 * threads. */
template <typename TLabel, bool VHasIntensities>
__global__ void
__launch_bounds__(BlockColumns) MeasureLabelsKernel(MeasuredImage  image,
                                                    const TLabel * labels,
                                                    TLabel         backgroundLabel,
                                                    IntensityImage intensityImage,
                                                    int            bitsOfPart,
                                                    LabelIndex     index,
                                                    LabelSums *    objects,
                                                    IntensitySum * intensitySums,

                                                    const unsigned long long * greatest)
{
  using Key = LabelKey<TLabel>;
  using Table = BlockTable<Key, VHasIntensities>;
  CUDAFILTERS_SHARED(Table, tables, [1]);
  Table &   table = tables[0];
  const Key background = backgroundLabel;
  for (std::int64_t i = blockIdx.x; i < image.Blocks; i += gridDim.x)
  {
    const PixelBlock block(image, i);
    const auto       addToImage = [&](Key label, const BlockSums & sums) {
      const std::uint64_t place = index.GetPlace(label);
      AddBlockToImage<VHasIntensities>(sums,
                                       block.Left + image.Start[0],
                                       block.Top + image.Start[1],
                                       block.Z + image.Start[2],
                                       objects[place].Sums,
                                       VHasIntensities ? intensitySums + place : nullptr);
    };

    table.Clear(static_cast<int>(threadIdx.x), background);
    __syncthreads();

    IntensityStatistics intensities;
    IntensityScale      scale(bitsOfPart, nullptr);
    FollowColumn(
      image,
      block,
      labels,
      background,
      [&](Key label) {
        intensities = IntensityStatistics();
        if (VHasIntensities && greatest != nullptr && label != background)
        {
          scale = IntensityScale(bitsOfPart, greatest + index.GetPlace(label));
        }
      },
      [&](Key label, std::int64_t pixel) {
        if constexpr (VHasIntensities)
        {
          const double value = intensityImage.Get(pixel);
          if (fabs(value) < HUGE_VAL)
          {
            intensities.Add(scale.Split(value), value, value);
          }
          else
          {
            // The order does not matter: the sum is infinite or not a number.
            atomicAdd(&objects[index.GetPlace(label)].Sums.IntensitySum, value);
            intensities.Add({}, value, value);
          }
        }
      },
      [&](unsigned int endings, Key label, int first, int rows) {
        const unsigned int peers = __match_any_sync(endings, label);
        const BlockSums    sums = AddLanes<VHasIntensities>(peers, first, rows, intensities);
        if (__ffs(static_cast<int>(peers)) - 1 == GetLaneOfWarp())
        {
          const int slot = table.Slots.Find(label, background);
          slot >= 0 ? table.Add(slot, sums) : addToImage(label, sums);
        }
      });
    __syncthreads();

    const auto slot = static_cast<int>(threadIdx.x);
    const Key  label = table.Slots.Labels[slot];
    if (label != background)
    {
      addToImage(label, table.Get(slot));
    }
    __syncthreads();
  }
}

/** Prepares the image's table. */
__global__ void
ClearObjectsKernel(LabelSums * objects, std::int64_t count, ObjectSums nothing)
{
  ForEachIndex(count, [&](std::int64_t i) {
    objects[i].Sums = nothing;
    *GetOrdered(objects[i].Sums.IntensityLeast) = IntensityOrder::Encode(nothing.IntensityLeast, 0);
    *GetOrdered(objects[i].Sums.IntensityGreatest) = IntensityOrder::Encode(nothing.IntensityGreatest, 0);
  });
}

/** Completes the image's table: labels, and intensities as numbers. labels: of each place; nullptr: the places
 * themselves. intensitySums: nullptr, if there are no intensities. greatest: as above. */
__global__ void
FinishObjectsKernel(LabelSums *           objects,
                    std::int64_t          count,
                    const std::uint64_t * labels,
                    const IntensitySum *  intensitySums,
                    int                   bitsOfPart,

                    const unsigned long long * greatest)
{
  ForEachIndex(count, [&](std::int64_t i) {
    ObjectSums & sums = objects[i].Sums;
    objects[i].Label = labels != nullptr ? labels[i] : static_cast<std::uint64_t>(i);
    sums.IntensityLeast = IntensityOrder::Decode(*GetOrdered(sums.IntensityLeast), 0);
    sums.IntensityGreatest = IntensityOrder::Decode(*GetOrdered(sums.IntensityGreatest), 0);
    if (intensitySums != nullptr)
    {
      const IntensityScale scale(bitsOfPart, greatest != nullptr ? greatest + i : nullptr);
      sums.IntensitySum += scale.Combine(intensitySums[i]);
    }
  });
}
} // namespace CudaFilters
} // namespace itk

#endif
