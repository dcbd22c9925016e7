// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_ReductionKernel_cuh
#define CudaFilters_detail_ReductionKernel_cuh

#include "CudaFilters/Launch.cuh"
#include "CudaFilters/Reduction.h"
#include "CudaFilters/detail/PixelGrid.cuh"
#include "CudaFilters/detail/PixelPack.cuh"
#include "CudaFilters/detail/ReductionTree.h"
#include <cstdint>
#include <cstring>

namespace itk
{
namespace CudaFilters
{
/** Pixels that a thread combines after it has loaded all of them: as many rounds of LeafPack as registers hold. */
template <typename TPixel>
struct LeafPixels
{
  static constexpr int Rounds = sizeof(TPixel) <= 8 ? LeafRounds : 1;

  TPixel Values[Rounds][LeafPack];
};

/** Reads pixels of a type. ValueType: what the reducer transforms. */
template <typename TPixel>
struct LeafReader
{
  using ValueType = TPixel;

  const TPixel * Pixels;
  /** The place in memory of the first pixel of the region, which may lie before those that are there. */
  std::int64_t Start;

  /** Loads rounds of pixels from a number on, of which count exist. */
  template <typename TValue>
  __device__ void
  Load(LeafPixels<TValue> & pixels, std::int64_t number, int count) const
  {
#pragma unroll
    for (int k = 0; k < LeafPixels<TValue>::Rounds; ++k)
    {
      const int skipped = k * LeafPack * LeafThreads;
      if (skipped < count)
      {
        LoadPack(pixels.Values[k], this->Pixels + this->Start + number + skipped, count - skipped);
      }
    }
  }

private:
  template <typename TValue>
  __device__ static void
  LoadPack(TValue (&values)[LeafPack], const TPixel * pixels, int count)
  {
    if constexpr (HasPackableSize<TPixel>)
    {
      PixelPack<TPixel, LeafPack> pack;
      pack.Load(pixels, count);
#pragma unroll
      for (int j = 0; j < LeafPack; ++j)
      {
        values[j] = static_cast<TValue>(pack.Values[j]);
      }
    }
    else
    {
#pragma unroll
      for (int j = 0; j < LeafPack; ++j)
      {
        if (j < count)
        {
          values[j] = static_cast<TValue>(pixels[j]);
        }
      }
    }
  }
};

/** The value of another lane of the warp. */
template <typename TValue>
__device__ __forceinline__ TValue
ShuffleDown(const TValue & value, int distance)
{
  constexpr int words = (sizeof(TValue) + sizeof(unsigned int) - 1) / sizeof(unsigned int);
  unsigned int  bits[words] = {};
  std::memcpy(bits, &value, sizeof(value));
#pragma unroll
  for (int i = 0; i < words; ++i)
  {
    bits[i] = __shfl_down_sync(0xffffffffu, bits[i], distance);
  }
  TValue result = value;
  std::memcpy(&result, bits, sizeof(result));
  return result;
}

/** The bytes of a value in shared memory, which has no constructors. */
template <typename TValue>
struct alignas(TValue) ValueBytes
{
  unsigned char Bytes[sizeof(TValue)];
};

/** Reduces each leaf to a value. One block reduces one leaf at a time, with LeafThreads threads, of which each loads
 * all its pixels before it combines them. Shared memory has the values of the warps, of two leaves in turn. */
template <typename TReducer, typename TReader>
__global__ void
ReduceLeavesKernel(PixelGrid                      grid,
                   std::int64_t                   pixels,
                   TReducer                       reducer,
                   TReader                        reader,
                   std::int64_t                   firstLeaf,
                   std::int64_t                   leaves,
                   typename TReducer::ValueType * values)
{
  using Value = typename TReducer::ValueType;
  using Pixel = typename TReader::ValueType;
  constexpr int sumsPerThread = SumsPerThread<Value>;
  constexpr int round = LeafPack * LeafThreads;

  CUDAFILTERS_SHARED(ValueBytes<Value>, ofWarps, [2][LeafWarps]);
  const int thread = static_cast<int>(threadIdx.x);
  const int warp = thread / LeafWarp;
  int       turn = 0;
  for (std::int64_t leaf = blockIdx.x; leaf < leaves; leaf += gridDim.x, turn ^= 1)
  {
    const std::int64_t first = (firstLeaf + leaf) * LeafLength + thread * LeafPack;
    const int          count = pixels - first < LeafLength ? static_cast<int>(pixels - first) : LeafLength;
    Value              sums[sumsPerThread];
#pragma unroll
    for (int j = 0; j < sumsPerThread; ++j)
    {
      sums[j] = reducer.GetIdentity();
    }
    for (int skipped = 0; skipped < LeafLength; skipped += LeafPixels<Pixel>::Rounds * round)
    {
      LeafPixels<Pixel> loaded;
      reader.Load(loaded, first + skipped, count - skipped);
#pragma unroll
      for (int k = 0; k < LeafPixels<Pixel>::Rounds; ++k)
      {
#pragma unroll
        for (int j = 0; j < LeafPack; ++j)
        {
          const int inLeaf = skipped + k * round + j;
          if (inLeaf < count)
          {
            Value & sum = sums[j % sumsPerThread];
            if constexpr (ReducesPosition<TReducer, Pixel>)
            {
              sum = reducer.Combine(sum, reducer.Transform(loaded.Values[k][j], grid.GetPosition(first + inLeaf)));
            }
            else
            {
              sum = reducer.Combine(sum, reducer.Transform(loaded.Values[k][j]));
            }
          }
        }
      }
    }
    Value value = CombineSums(reducer, sums);
#pragma unroll
    for (int distance = LeafWarp / 2; distance > 0; distance /= 2)
    {
      value = reducer.Combine(value, ShuffleDown(value, distance));
    }
    if (thread % LeafWarp == 0)
    {
      std::memcpy(ofWarps[turn][warp].Bytes, &value, sizeof(value));
    }
    __syncthreads();
    if (thread == 0)
    {
      Value all[LeafWarps];
#pragma unroll
      for (int i = 0; i < LeafWarps; ++i)
      {
        std::memcpy(&all[i], ofWarps[turn][i].Bytes, sizeof(Value));
      }
      CombinePairs(reducer, all, LeafWarps / 2);
      values[leaf] = all[0];
    }
  }
}

/** Combines values that are transformed already. */
template <typename TReducer>
struct ValueReducer : TReducer
{
  using ValueType = typename TReducer::ValueType;

  CUDAFILTERS_HOST_DEVICE ValueType
  Transform(const ValueType & value) const
  {
    return value;
  }
};

template <typename TReducer, typename TReader>
void
RunReduction(const Execution &              execution,
             const PixelGrid &              grid,
             std::int64_t                   pixels,
             const TReducer &               reducer,
             const TReader &                reader,
             std::int64_t                   firstLeaf,
             std::int64_t                   leaves,
             typename TReducer::ValueType * values)
{
  Launch(execution,
         "ReduceLeavesKernel",
         ReduceLeavesKernel<TReducer, TReader>,
         { GridOf(leaves), dim3(LeafThreads) },
         grid,
         pixels,
         reducer,
         reader,
         firstLeaf,
         leaves,
         values);
}
} // namespace CudaFilters
} // namespace itk

#endif
