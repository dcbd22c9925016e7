// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_Radius3_h
#define CudaFilters_detail_Radius3_h

#include "CudaFilters/Region3.h"
#include "itkSize.h"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** The radius of a neighbourhood along up to three axes; 0 along others. */
template <unsigned int VDimension>
Size3
GetRadius3(const Size<VDimension> & radius)
{
  Size3 converted{ { 0, 0, 0 } };
  for (unsigned int axis = 0; axis < VDimension && axis < 3; ++axis)
  {
    converted[axis] = static_cast<std::int64_t>(radius[axis]);
  }
  return converted;
}
} // namespace CudaFilters
} // namespace itk

#endif
