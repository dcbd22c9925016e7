// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersSortedMedian_cuh
#define itkCudaFiltersSortedMedian_cuh

#include "../PixelFunctions/ScalarPixels.cuh"
#include "CudaFilters/Neighborhood.cuh"
#include "MedianKey.cuh"
#include "SortingNetwork.cuh"
#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** The pixels that a thread treats at a time: VPairs pairs of adjacent ones of 8 or 16 bits, each in one register, or
 * one pixel. */
template <typename TPixel, int VPairs, bool VIsSmall = (sizeof(TPixel) <= 2)>
struct MedianLanes
{
  using Key = typename MedianKey<TPixel>::Type;

  static constexpr int Pixels = 1;
  /** How many pixels before the first and behind the last lane Load() reads. */
  template <int VRadius>
  static constexpr int Margin = VRadius;

  /** Loads the lanes at the places from -VRadius to VRadius around a pixel. Load() is for pixels that exist, and are
   * aligned. For others, get(i) is the pixel at the offset i. */
  template <int VRadius>
  __device__ __forceinline__ static void
  Load(const TPixel * pixel, Key * keys)
  {
    LoadEach<VRadius>([&](int i) { return pixel[i]; }, keys);
  }
  template <int VRadius, typename TGet>
  __device__ __forceinline__ static void
  LoadEach(TGet get, Key * keys)
  {
#pragma unroll
    for (int i = 0; i < 2 * VRadius + 1; ++i)
    {
      keys[i] = MedianKey<TPixel>::Get(get(i - VRadius));
    }
  }

  __device__ __forceinline__ static TPixel
  GetPixel(Key key, int)
  {
    return MedianKey<TPixel>::ToPixel(key);
  }

  __device__ __forceinline__ static void
  Store(Key key, TPixel * pixel)
  {
    *pixel = GetPixel(key, 0);
  }
};

template <typename TPixel, int VPairs>
struct MedianLanes<TPixel, VPairs, true>
{
  using Key = PairsOfKeys<VPairs>;

  static constexpr int           Pixels = 2 * VPairs;
  static constexpr std::uint32_t Flip = MedianKey<TPixel>::Flip * 0x10001u;
  template <int>
  static constexpr int Margin = 2;

  template <int VRadius>
  __device__ __forceinline__ static void
  Load(const TPixel * pixel, Key * keys)
  {
    static_assert(VRadius == 1 || VRadius == 2, "One pair before and one behind have all other pixels.");
    std::uint32_t pairs[VPairs + 2];
    pairs[0] = LoadPairs<1>(pixel - 2).Pairs[0];
    const Key here = LoadPairs<VPairs>(pixel);
#pragma unroll
    for (int i = 0; i < VPairs; ++i)
    {
      pairs[i + 1] = here.Pairs[i];
    }
    pairs[VPairs + 1] = LoadPairs<1>(pixel + Pixels).Pairs[0];
#pragma unroll
    for (int i = 0; i < VPairs; ++i)
    {
      constexpr unsigned int middle = 0x5432; // the last key of a pair, and the first of the next
      if constexpr (VRadius == 2)
      {
        keys[0].Pairs[i] = pairs[i];
        keys[4].Pairs[i] = pairs[i + 2];
      }
      keys[VRadius - 1].Pairs[i] = __byte_perm(pairs[i], pairs[i + 1], middle);
      keys[VRadius].Pairs[i] = pairs[i + 1];
      keys[VRadius + 1].Pairs[i] = __byte_perm(pairs[i + 1], pairs[i + 2], middle);
    }
  }
  template <int VRadius, typename TGet>
  __device__ __forceinline__ static void
  LoadEach(TGet get, Key * keys)
  {
#pragma unroll
    for (int i = 0; i < 2 * VRadius + 1; ++i)
    {
#pragma unroll
      for (int j = 0; j < VPairs; ++j)
      {
        const std::uint32_t first = static_cast<Unsigned>(get(i - VRadius + 2 * j));
        const std::uint32_t second = static_cast<Unsigned>(get(i - VRadius + 2 * j + 1));
        keys[i].Pairs[j] = (first | second << 16) ^ Flip;
      }
    }
  }

  __device__ __forceinline__ static TPixel
  GetPixel(const Key & key, int lane)
  {
    return static_cast<TPixel>((key.Pairs[lane / 2] ^ Flip) >> (16 * (lane % 2)));
  }

  __device__ __forceinline__ static void
  Store(const Key & key, TPixel * pixel)
  {
    PixelPack<Word, VPairs> words;
#pragma unroll
    for (int i = 0; i < VPairs; ++i)
    {
      const std::uint32_t bits = key.Pairs[i] ^ Flip;
      words.Values[i] = static_cast<Word>(sizeof(TPixel) == 1 ? __byte_perm(bits, 0, 0x4420) : bits);
    }
    *reinterpret_cast<PixelPack<Word, VPairs> *>(pixel) = words;
  }

private:
  using Unsigned = std::make_unsigned_t<TPixel>;
  /** Two pixels in memory. */
  using Word = std::conditional_t<sizeof(TPixel) == 1, std::uint16_t, std::uint32_t>;

  template <int VNumber>
  __device__ __forceinline__ static PairsOfKeys<VNumber>
             LoadPairs(const TPixel * pixel)
  {
    const auto           words = *reinterpret_cast<const PixelPack<Word, VNumber> *>(pixel);
    PairsOfKeys<VNumber> pairs;
#pragma unroll
    for (int i = 0; i < VNumber; ++i)
    {
      pairs.Pairs[i] = (sizeof(TPixel) == 1 ? __byte_perm(words.Values[i], 0, 0x4140) : words.Values[i]) ^ Flip;
    }
    return pairs;
  }
};

/** In 3-D, more than one pair would not fit into registers. */
template <int VDimension, typename TPixel>
using LanesOf = MedianLanes<TPixel, VDimension == 2 ? 2 : 1>;

/** The value in the middle of the values in two sorted lists: of the 2 * VRadius lists of VSize values that have been
 * merged, and of one more. For some number j, the j least values of one list and the rest of the other are the lower
 * half; for all other numbers, what would be the greatest value of the lower half is greater. */
template <int VRadius, typename TKey, int VSize>
__device__ __forceinline__ TKey
FindMedian(const TKey (&merged)[2 * VRadius * VSize], const TKey (&list)[VSize])
{
  constexpr int middle = ((2 * VRadius + 1) * VSize - 1) / 2;
  TKey          median = merged[middle];
#pragma unroll
  for (int j = 1; j <= VSize; ++j)
  {
    median = Lesser(median, Greater(merged[middle - j], list[j - 1]));
  }
  return median;
}

template <typename TKey, int VSize>
__device__ __forceinline__ void
MergeLists(const TKey (&a)[VSize], const TKey (&b)[VSize], TKey (&merged)[2 * VSize])
{
#pragma unroll
  for (int i = 0; i < VSize; ++i)
  {
    merged[i] = a[i];
    merged[VSize + i] = b[i];
  }
  SortKeys<MergeNetwork<VSize>>(merged);
}

template <typename TKey, int VSize>
__device__ __forceinline__ void
CopyList(const TKey (&from)[VSize], TKey (&to)[VSize])
{
#pragma unroll
  for (int i = 0; i < VSize; ++i)
  {
    to[i] = from[i];
  }
}

constexpr unsigned int SortedMedianThreads = 128;

/** Computes the median of the pixels in a square (VDimension is 2) or cube (3). One thread goes along the last axis,
 * with all values in registers. At each position it sorts a list: the pixels of the window in one row, or one slice.
 * The two medians at z and z + 1 have all lists but one each in common. These are merged once, and of that only what
 * may be a median: compare A. Adams, "Fast median filters using separable sorting networks", 2021. The threads of a
 * warp are adjacent along x, those of a block share pixels in the L1 cache. readsPacks and writesPacks: whether all
 * rows are aligned to the lanes, and whether that is true of the output too, and it has the type of the input. */
template <int VRadius, int VDimension, typename TPixel>
__global__ void
__launch_bounds__(SortedMedianThreads) SortedMedianKernel(NeighborhoodBox box,
                                                          int             length,
                                                          bool            readsPacks,
                                                          bool            writesPacks,
                                                          const TPixel *  input,
                                                          ScalarWriter    writer)
{
  using Lanes = LanesOf<VDimension, TPixel>;
  using Key = typename Lanes::Key;
  constexpr int window = 2 * VRadius + 1;
  constexpr int rows = VDimension == 2 ? 1 : window;
  constexpr int size = rows * window;

  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * Lanes::Pixels;
  if (x >= box.OutputSize[0])
  {
    return;
  }
  constexpr int margin = Lanes::template Margin<VRadius>;
  const int     inputX = x + box.Start[0];
  const bool    isInner = readsPacks && inputX >= margin && inputX + Lanes::Pixels + margin <= box.InputSize[0];

  // y and z: the first position of the thread's line.
  const auto compute = [&](const int y, const int z) {
    const auto load = [&](int offset, Key(&keys)[size]) {
#pragma unroll
      for (int i = 0; i < rows; ++i)
      {
        const int inputY = box.ToInput(1, VDimension == 2 ? y + offset : y + i - VRadius);
        const int inputZ = box.ToInput(2, VDimension == 2 ? z : z + offset);
        // Products of int, which one instruction adds to an address.
        const TPixel * const row = input + static_cast<std::int64_t>(inputZ) * box.InputSize[1] * box.InputSize[0] +
                                   static_cast<std::int64_t>(inputY) * box.InputSize[0];
        if (isInner)
        {
          Lanes::template Load<VRadius>(row + inputX, keys + i * window);
        }
        else
        {
          Lanes::template LoadEach<VRadius>([&](int place) { return row[box.ToInput(0, x + place)]; },
                                            keys + i * window);
        }
      }
      SortKeys<SortNetwork<size>>(keys);
    };
    std::int64_t       place = writer.Strides.GetOffset(x, y, z);
    const std::int64_t stride = VDimension == 2 ? writer.Strides.Row : writer.Strides.Slice;
    // Stores the next medians of the line.
    const auto store = [&](Key key) {
      if (writesPacks)
      {
        Lanes::Store(key, static_cast<TPixel *>(writer.Pixels) + place);
      }
      else
      {
#pragma unroll
        for (int lane = 0; lane < Lanes::Pixels; ++lane)
        {
          if (x + lane < box.OutputSize[0])
          {
            writer.StorePixel(nullptr, Lanes::GetPixel(key, lane), place + lane, 0, 0);
          }
        }
      }
      place += stride;
    };

    const int left = box.OutputSize[VDimension - 1] - (VDimension == 2 ? y : z);
    const int count = left < length ? left : length;
    Key       before[size]; // the list that only the first of two medians needs
    Key       last[size];   // the last two lists
    Key       next[size];
    Key       behind[size]; // the list that only the second needs
    if constexpr (VRadius == 1)
    {
      load(-1, before);
      load(0, last);
      for (int i = 0; i < count; i += 2)
      {
        // All loads before the stores, so that they do not wait for each other.
        Key merged[2 * size];
        load(i + 1, next);
        load(i + 2, behind);
        MergeLists(last, next, merged);
        store(FindMedian<VRadius>(merged, before));
        if (i + 1 < count)
        {
          store(FindMedian<VRadius>(merged, behind));
        }
        CopyList(next, before);
        CopyList(behind, last);
      }
    }
    else
    {
      static_assert(VRadius == 2, "Four lists are merged in two steps.");
      Key pair[2 * size];
      load(-1, next);
      load(0, last);
      MergeLists(next, last, pair);
      load(-2, before);
      load(1, next);
      for (int i = 0; i < count; i += 2)
      {
        Key nextPair[2 * size];
        Key merged[4 * size];
        load(i + 2, behind);
        MergeLists(next, behind, nextPair);
        MergeLists(pair, nextPair, merged);
        store(FindMedian<VRadius>(merged, before));
        if (i + 1 < count)
        {
          CopyList(last, before);
          CopyList(behind, last);
          CopyList(nextPair, pair);
          load(i + 3, next);
          store(FindMedian<VRadius>(merged, next));
        }
      }
    }
  };

  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int rowStep = static_cast<int>(gridDim.y * blockDim.y);
  const int scaleY = VDimension == 2 ? length : 1;
  const int scaleZ = VDimension == 2 ? 1 : length;
  for (std::int64_t z = static_cast<std::int64_t>(blockIdx.z) * scaleZ; z < box.OutputSize[2];
       z += static_cast<std::int64_t>(gridDim.z) * scaleZ)
  {
    for (std::int64_t y = static_cast<std::int64_t>(row) * scaleY; y < box.OutputSize[1];
         y += static_cast<std::int64_t>(rowStep) * scaleY)
    {
      compute(static_cast<int>(y), static_cast<int>(z));
    }
  }
}

/** Enqueues SortedMedianKernel for a region. */
template <int VRadius, int VDimension, typename TPixel>
void
RunSortedMedian(const Execution &      execution,
                const RegionOnDevice & region,
                const Size3 &          radius,
                const ScalarWriter &   writer)
{
  constexpr unsigned int warp = 32;
  constexpr int          longest = (VDimension == 2 ? 16 : 32) * VRadius;
  constexpr int          shortest = 8;
  constexpr std::int64_t enoughThreads = 1 << 17;
  constexpr int          pixels = LanesOf<VDimension, TPixel>::Pixels;

  const LocalBox       box = region.GetBox();
  const TPixel * const input = region.GetInput<TPixel>();
  const dim3           block(warp, SortedMedianThreads / warp);
  const bool           readsPacks =
    IsAligned<PixelPack<TPixel, pixels>>(input) && box.InputSize[0] % pixels == 0 && box.Start[0] % pixels == 0;
  const bool writesPacks = writer.Type == GetScalarType<TPixel>() &&
                           IsAligned<PixelPack<TPixel, pixels>>(writer.Pixels) && box.OutputSize[0] % pixels == 0;
  // A long line has few lists that it shares with the next one; short lines occupy the device with small images.
  int length = longest;
  while (length > shortest && region.OutputRegion.GetNumberOfPixels() / (pixels * length) < enoughThreads)
  {
    length /= 2;
  }
  const auto pieces = DivideUp(box.OutputSize[VDimension - 1], length);
  Launch(execution,
         "SortedMedianKernel",
         SortedMedianKernel<VRadius, VDimension, TPixel>,
         { dim3(static_cast<unsigned int>(DivideUp(box.OutputSize[0], warp * pixels)),
                LimitBlocks(DivideUp(VDimension == 2 ? pieces : box.OutputSize[1], block.y)),
                LimitBlocks(VDimension == 2 ? box.OutputSize[2] : pieces)),
           block },
         MakeNeighborhoodBox(region, radius),
         length,
         readsPacks,
         writesPacks,
         input,
         writer);
}
} // namespace CudaFilters
} // namespace itk

#endif
