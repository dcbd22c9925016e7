// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_PixelPacks_cuh
#define CudaFilters_detail_PixelPacks_cuh

#include "CudaFilters/detail/PixelPack.cuh"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** The threads of a block whose threads treat several packs of pixels each. The packs of a thread lie so many packs
 * apart: those of a block are adjacent. */
constexpr int PackThreads = 256;

/** Calls function(i, the number of the pack) for those of VPacks packs that exist, with constant distances between the
 * numbers. */
template <int VPacks, typename TFunction>
__device__ __forceinline__ void
ForEachPack(std::int64_t first, std::int64_t packs, TFunction function)
{
  if (first + (VPacks - 1) * PackThreads < packs)
  {
#pragma unroll
    for (int i = 0; i < VPacks; ++i)
    {
      function(i, first + i * PackThreads);
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < VPacks; ++i)
  {
    if (first + i * PackThreads < packs)
    {
      function(i, first + i * PackThreads);
    }
  }
}

/** Loads, and stores, those of VPacks packs of adjacent pixels that exist. get(i, j): the pixel j of pack i. */
template <typename TPixel, typename TValue, int VPacks, int VWidth>
__device__ __forceinline__ void
LoadPacks(const TPixel * pixels, TValue (&values)[VPacks][VWidth], std::int64_t first, std::int64_t packs)
{
  const auto * const from = reinterpret_cast<const PixelPack<TPixel, VWidth> *>(pixels);
  ForEachPack<VPacks>(first, packs, [&](int i, std::int64_t number) {
    const PixelPack<TPixel, VWidth> pack = from[number];
#pragma unroll
    for (int j = 0; j < VWidth; ++j)
    {
      values[i][j] = static_cast<TValue>(pack.Values[j]);
    }
  });
}
template <int VPacks, int VWidth, typename TPixel, typename TGet>
__device__ __forceinline__ void
StorePacks(TPixel * pixels, std::int64_t first, std::int64_t packs, TGet get)
{
  auto * const to = reinterpret_cast<PixelPack<TPixel, VWidth> *>(pixels);
  ForEachPack<VPacks>(first, packs, [&](int i, std::int64_t number) {
    PixelPack<TPixel, VWidth> pack;
#pragma unroll
    for (int j = 0; j < VWidth; ++j)
    {
      pack.Values[j] = get(i, j);
    }
    to[number] = pack;
  });
}
} // namespace CudaFilters
} // namespace itk

#endif
