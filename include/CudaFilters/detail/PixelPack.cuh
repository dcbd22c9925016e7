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

/** The number of pixels that a thread processes at a time in images of two pixel types, such that no access exceeds 16
 * bytes. */
template <typename TPixel, typename TOther = TPixel>
constexpr int PackWidth = 16 / static_cast<int>(sizeof(TPixel) > sizeof(TOther) ? sizeof(TPixel) : sizeof(TOther));

/** Whether several pixels may be loaded, or stored, at once. */
template <typename TPixel>
constexpr bool HasPackableSize = (sizeof(TPixel) & (sizeof(TPixel) - 1)) == 0;
} // namespace CudaFilters
} // namespace itk

#endif
