// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_HostPosition_h
#define CudaFilters_detail_HostPosition_h

#include "CudaFilters/ImageList.h"
#include "CudaFilters/PixelFunction.h"
#include "itkImageRegion.h"

namespace itk
{
namespace CudaFilters
{
/** The position of a pixel of an image, as functors take it. */
template <unsigned int VDimension>
PixelPosition
GetHostPosition(const Index<VDimension> & index, const ImageRegion<VDimension> & image)
{
  const Region3 all = GetRegion3(image);
  PixelPosition position{};
  for (unsigned int axis = 0; axis < VDimension && axis < 3; ++axis)
  {
    position.Index[axis] = index[axis];
  }
  for (int axis = 2; axis >= 0; --axis)
  {
    position.Offset = position.Offset * all.Size[axis] + position.Index[axis] - all.Start[axis];
  }
  return position;
}
} // namespace CudaFilters
} // namespace itk

#endif
