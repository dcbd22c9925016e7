// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_Region3_h
#define CudaFilters_Region3_h

#include <algorithm>
#include <array>
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** Extent and position of pixels along x, y and z, for operations and drivers: a 2-D image is a 3-D image with
 * one slice. */
using Size3 = std::array<std::int64_t, 3>;
using Index3 = std::array<std::int64_t, 3>;

constexpr std::int64_t
GetNumberOfPixels(const Size3 & size)
{
  return size[0] * size[1] * size[2];
}

/** The number of parts of a size, of which the last may be smaller. */
constexpr std::int64_t
DivideUp(std::int64_t all, std::int64_t part)
{
  return (all + part - 1) / part;
}

/** A radius of one pixel along each axis of an image of two or three dimensions. */
inline Size3
GetUnitRadius(unsigned int dimension)
{
  return { { 1, 1, dimension == 3 ? 1 : 0 } };
}

/** An ImageRegion of up to three dimensions. */
struct Region3
{
  Index3 Start{ { 0, 0, 0 } }; ///< the first index
  Size3  Size{ { 0, 0, 0 } };  ///< the number of pixels along each axis

  /** Of all axes. */
  std::int64_t
  GetNumberOfPixels() const
  {
    return CudaFilters::GetNumberOfPixels(this->Size);
  }

  /** The index after the last one along an axis. */
  std::int64_t
  GetEnd(unsigned int axis) const
  {
    return this->Start[axis] + this->Size[axis];
  }

  /** Whether all pixels are in another region, too. */
  bool
  IsInside(const Region3 & outer) const
  {
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      if (this->Start[axis] < outer.Start[axis] || this->GetEnd(axis) > outer.GetEnd(axis))
      {
        return false;
      }
    }
    return true;
  }

  friend bool
  operator==(const Region3 & a, const Region3 & b)
  {
    return a.Start == b.Start && a.Size == b.Size;
  }
  friend bool
  operator!=(const Region3 & a, const Region3 & b)
  {
    return !(a == b);
  }
};

/** The region with a margin on both sides of each axis. */
inline Region3
Pad(Region3 region, const Size3 & radius)
{
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    region.Start[axis] -= radius[axis];
    region.Size[axis] += 2 * radius[axis];
  }
  return region;
}

/** The pixels that two regions have in common; sizes are 0 where there are none. */
inline Region3
Intersect(const Region3 & a, const Region3 & b)
{
  Region3 common;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    common.Start[axis] = std::max(a.Start[axis], b.Start[axis]);
    common.Size[axis] = std::max<std::int64_t>(std::min(a.GetEnd(axis), b.GetEnd(axis)) - common.Start[axis], 0);
  }
  return common;
}

/** The position of the first pixel of a region within another region. */
inline Index3
GetStartWithin(const Region3 & outer, const Region3 & inner)
{
  return { { inner.Start[0] - outer.Start[0], inner.Start[1] - outer.Start[1], inner.Start[2] - outer.Start[2] } };
}
} // namespace CudaFilters
} // namespace itk

#endif
