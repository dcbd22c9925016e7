// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersAdjacentPixels_h
#define itkCudaFiltersAdjacentPixels_h

#include "CudaFilters/DeviceError.h"
#include "CudaFilters/Region3.h"
#include "CudaFilters/detail/PixelRows.h"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** The place of the first pixel of a region in memory that holds the pixels of another one. It may lie before the
 * memory, if that holds a part of the region only. Throws unless the pixels of the region that are there are adjacent.
 */
inline std::int64_t
FindAdjacentPixels(const Region3 & memory, const Region3 & region)
{
  const bool isRow = region.Size[1] == 1 && region.Size[2] == 1;
  const bool hasWholeSlices = region.Size[2] == 1 || region.Size[1] == memory.Size[1];
  if (!isRow && (region.Size[0] != memory.Size[0] || !hasWholeSlices))
  {
    throw DeviceError(DeviceError::Kind::Unsuited, "the input has a buffer of another region than the one to reduce");
  }
  return GetFirstPixel(memory, region);
}

/** Throws unless the tiles of a run, which are those of its outputs, cover the region to reduce. */
inline void
CheckTiledRegion(const Region3 & outputRegion, const Region3 & region)
{
  if (outputRegion != region)
  {
    throw DeviceError(DeviceError::Kind::Unsuited, "tiles of a part of the image do not contain all of it");
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
