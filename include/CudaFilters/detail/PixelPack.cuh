// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_PixelPack_cuh
#define CudaFilters_detail_PixelPack_cuh

#include "CudaFilters/Launch.cuh"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** Adjacent values in memory that one instruction loads or stores. */
template <typename TValue, int VWidth>
struct alignas(sizeof(TValue) * VWidth) PixelPack
{
  TValue Values[VWidth];

  /** Loads, or stores, the first count values: with one access if all VWidth values exist and the address is aligned,
   * else one by one. Values that do not exist are loaded as 0. */
  __device__ void
  Load(const TValue * from, std::int64_t count)
  {
    if (IsWhole(from, count))
    {
      *this = *reinterpret_cast<const PixelPack *>(from);
      return;
    }
#pragma unroll
    for (int i = 0; i < VWidth; ++i)
    {
      this->Values[i] = i < count ? from[i] : TValue{};
    }
  }
  __device__ void
  Store(TValue * to, std::int64_t count) const
  {
    if (IsWhole(to, count))
    {
      *reinterpret_cast<PixelPack *>(to) = *this;
      return;
    }
#pragma unroll
    for (int i = 0; i < VWidth; ++i)
    {
      if (i < count)
      {
        to[i] = this->Values[i];
      }
    }
  }

private:
  __device__ static bool
  IsWhole(const TValue * memory, std::int64_t count)
  {
    return count >= VWidth && reinterpret_cast<std::uintptr_t>(memory) % sizeof(PixelPack) == 0;
  }
};

/** Whether memory is aligned to packs. Memory of an external library may begin anywhere. */
template <typename TPack>
bool
IsAligned(const void * memory)
{
  return reinterpret_cast<std::uintptr_t>(memory) % alignof(TPack) == 0;
}

/** Loads, and stores, those of VPacks packs of adjacent pixels that exist. They lie blockDim.x packs apart, so that the
 * packs of a block's threads are adjacent. get(i, j): the pixel j of pack i. */
template <typename TPixel, typename TValue, int VPacks, int VWidth>
__device__ __forceinline__ void
LoadPacks(const TPixel * pixels, TValue (&values)[VPacks][VWidth], std::int64_t first, std::int64_t packs)
{
  const auto * const from = reinterpret_cast<const PixelPack<TPixel, VWidth> *>(pixels);
#pragma unroll
  for (int i = 0; i < VPacks; ++i)
  {
    const std::int64_t place = first + i * static_cast<int>(blockDim.x);
    if (place < packs)
    {
      const PixelPack<TPixel, VWidth> pack = from[place];
#pragma unroll
      for (int j = 0; j < VWidth; ++j)
      {
        values[i][j] = static_cast<TValue>(pack.Values[j]);
      }
    }
  }
}
template <int VPacks, int VWidth, typename TPixel, typename TGet>
__device__ __forceinline__ void
StorePacks(TPixel * pixels, std::int64_t first, std::int64_t packs, TGet get)
{
  auto * const to = reinterpret_cast<PixelPack<TPixel, VWidth> *>(pixels);
#pragma unroll
  for (int i = 0; i < VPacks; ++i)
  {
    const std::int64_t place = first + i * static_cast<int>(blockDim.x);
    if (place < packs)
    {
      PixelPack<TPixel, VWidth> pack;
#pragma unroll
      for (int j = 0; j < VWidth; ++j)
      {
        pack.Values[j] = get(i, j);
      }
      to[place] = pack;
    }
  }
}

/** The number of pixels that a thread processes at a time in images of two pixel types, such that no access exceeds 16
 * bytes. */
template <typename TPixel, typename TOther = TPixel>
constexpr int PackWidth = 16 / static_cast<int>(sizeof(TPixel) > sizeof(TOther) ? sizeof(TPixel) : sizeof(TOther));
} // namespace CudaFilters
} // namespace itk

#endif
