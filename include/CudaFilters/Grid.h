// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_Grid_h
#define CudaFilters_Grid_h

#include <array>
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** Extent or position of pixels along x, y and z, for kernels and drivers: 2-D is 3-D with one slice. */
using Grid = std::array<std::int64_t, 3>;

constexpr std::int64_t
GetNumberOfPixels(const Grid & size)
{
  return size[0] * size[1] * size[2];
}
} // namespace CudaFilters
} // namespace itk

#endif
