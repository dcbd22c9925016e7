// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_PixelGrid_cuh
#define CudaFilters_detail_PixelGrid_cuh

#include "CudaFilters/Launch.cuh"
#include "CudaFilters/PixelFunction.h"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** A region of pixels, and the image in which their positions are counted, as an argument of a kernel. */
struct PixelGrid
{
  std::int64_t Size[3];
  std::int64_t Start[3];
  std::int64_t ImageStart[3];
  std::int64_t ImageSize[2];

  PixelGrid(const Region3 & region, const Region3 & image)
    : Size{ region.Size[0], region.Size[1], region.Size[2] }
    , Start{ region.Start[0], region.Start[1], region.Start[2] }
    , ImageStart{ image.Start[0], image.Start[1], image.Start[2] }
    , ImageSize{ image.Size[0], image.Size[1] }
  {}

  /** The position of the pixel with a number in the region. */
  __device__ PixelPosition
  GetPosition(std::int64_t number) const
  {
    const std::int64_t line = number / this->Size[0];
    PixelPosition      position;
    position.Index[0] = this->Start[0] + number - line * this->Size[0];
    position.Index[1] = this->Start[1] + line % this->Size[1];
    position.Index[2] = this->Start[2] + line / this->Size[1];
    position.Offset =
      ((position.Index[2] - this->ImageStart[2]) * this->ImageSize[1] + position.Index[1] - this->ImageStart[1]) *
        this->ImageSize[0] +
      position.Index[0] - this->ImageStart[0];
    return position;
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
