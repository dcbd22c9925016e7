// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersRowBits_h
#define itkCudaFiltersRowBits_h

// Images with one bit per pixel. A word holds 32 pixels of a row, the first one in the lowest bit; each row begins with
// a new word.

#include "CudaFilters/Execution.h"
#include "CudaFilters/Region3.h"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
constexpr int PixelsPerWord = 32;

inline std::int64_t
GetWordsPerRow(const Size3 & size)
{
  return DivideUp(size[0], PixelsPerWord);
}

inline std::int64_t
GetNumberOfWords(const Size3 & size)
{
  return GetWordsPerRow(size) * size[1] * size[2];
}

/** Enqueues a kernel that sets the bits of the pixels of a dense image that are not 0, and clears those of others. With
 * intersect, bits that are not set stay so. hasNaN, in device memory: set to 1 if a pixel is not a number. */
template <typename TPixel>
void
PackRows(const Execution & execution,
         const Size3 &     size,
         const TPixel *    image,
         bool              intersect,
         std::uint32_t *   words,
         std::uint64_t *   hasNaN);
} // namespace CudaFilters
} // namespace itk

#endif
