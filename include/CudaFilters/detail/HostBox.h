// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_HostBox_h
#define CudaFilters_detail_HostBox_h

#include "CudaFilters/Region3.h"
#include <cstddef>

namespace itk
{
namespace CudaFilters
{
/** A box of pixels in a dense buffer on the host. */
struct HostBox
{
  /** All pixels of a buffer without shape. */
  static HostBox
  OfBuffer(const void * buffer, std::size_t pixels, std::size_t bytesPerPixel = 1)
  {
    const Size3 size{ { static_cast<std::int64_t>(pixels), 1, 1 } };
    return { const_cast<void *>(buffer), size, { { 0, 0, 0 } }, size, bytesPerPixel };
  }

  /** A region of an image whose buffered region lies densely in a buffer. */
  static HostBox
  OfRegion(const void * buffer, const Region3 & buffered, const Region3 & region, std::size_t bytesPerPixel)
  {
    return { const_cast<void *>(buffer), buffered.Size, GetStartWithin(buffered, region), region.Size, bytesPerPixel };
  }

  void *      Buffer;
  Size3       BufferSize;
  Index3      Start;
  Size3       Size;
  std::size_t BytesPerPixel;

  std::size_t
  GetBytes() const
  {
    return GetNumberOfPixels(this->Size) * this->BytesPerPixel;
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
