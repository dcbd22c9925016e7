// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_PixelRows_h
#define CudaFilters_detail_PixelRows_h

#include "CudaFilters/HostDevice.h"
#include "CudaFilters/Operation.h"
#include <cstddef>
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** The pixels of a region as a kernel walks through them if it treats each by itself: rows, whose pixels are adjacent
 * in all images. If all images have the pixels of the region and no others, all are one row. */
struct PixelRows
{
  std::int64_t Length = 0;
  std::int64_t RowsPerSlice = 1;
  std::int64_t Slices = 1;
};

/** How far rows and slices are apart in one image, in pixels. */
struct RowStrides
{
  std::int64_t Row = 0;
  std::int64_t Slice = 0;

  CUDAFILTERS_HOST_DEVICE std::int64_t
                          GetOffset(std::int64_t x, std::int64_t y, std::int64_t z) const
  {
    return z * this->Slice + y * this->Row + x;
  }
};

inline PixelRows
MakePixelRows(const RegionOnDevice & region)
{
  for (std::size_t i = 0; i < region.Inputs.size(); ++i)
  {
    if (region.InputRegions[i] != region.OutputRegion)
    {
      return { region.OutputRegion.Size[0], region.OutputRegion.Size[1], region.OutputRegion.Size[2] };
    }
  }
  return { region.OutputRegion.GetNumberOfPixels(), 1, 1 };
}

inline RowStrides
MakeRowStrides(const Region3 & region)
{
  return { region.Size[0], region.Size[0] * region.Size[1] };
}

/** The number of pixels in an image before the first one of the output region. */
inline std::int64_t
GetFirstPixel(const Region3 & image, const Region3 & outputRegion)
{
  const Index3 start = GetStartWithin(image, outputRegion);
  return (start[2] * image.Size[1] + start[1]) * image.Size[0] + start[0];
}
} // namespace CudaFilters
} // namespace itk

#endif
