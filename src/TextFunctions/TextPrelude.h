// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// The beginning of all programs that are made from texts, behind TextArguments.h. NVRTC compiles them for a device, a
// C++ compiler for the CPU.
#if defined(__CUDACC_RTC__)
#  define TEXT_FUNCTION __device__ __forceinline__
#  define TEXT_MEMBER __device__ __forceinline__
#else
#  include <math.h>
#  include <stdlib.h>
#  define TEXT_FUNCTION static inline
#  define TEXT_MEMBER
// As CUDA has them, for all numbers.
template <typename TA, typename TB>
static inline auto
min(TA a, TB b) -> decltype(a + b)
{
  return b < a ? b : a;
}
template <typename TA, typename TB>
static inline auto
max(TA a, TB b) -> decltype(a + b)
{
  return a < b ? b : a;
}
#endif

using itk::CudaFilters::TextArguments;

/** index[axis]: the index of the pixel. */
struct TextIndex
{
  long long Values[3];

  TEXT_MEMBER long long
  operator[](int axis) const
  {
    return Values[axis];
  }
};

/** n(x, y), or n(x, y, z): the pixel of the first input at that offset, or the nearest one in the image. */
template <typename TPixel, bool VIsInside>
struct TextNeighbours
{
  const TextArguments & Arguments;
  const TPixel *        Center;
  long long             Place[3];

  TEXT_MEMBER TPixel
  operator()(int x, int y, int z = 0) const
  {
#if !defined(__CUDACC_RTC__)
    if (abs(x) > Arguments.Radius[0] || abs(y) > Arguments.Radius[1] || abs(z) > Arguments.Radius[2])
    {
      *Arguments.BeyondRadius = 1;
      return Center[0];
    }
#endif
    const long long dx = VIsInside ? x : Clamp(0, x);
    const long long dy = VIsInside ? y : Clamp(1, y);
    const long long dz = VIsInside ? z : Clamp(2, z);
    return Center[dz * Arguments.InputStrides[0][1] + dy * Arguments.InputStrides[0][0] + dx];
  }

private:
  /** The offset to the nearest pixel of the image. */
  TEXT_MEMBER long long
  Clamp(int axis, int offset) const
  {
    const long long place = Place[axis] + offset;
    return (place < Arguments.First[axis] ? Arguments.First[axis]
                                          : (place < Arguments.Last[axis] ? place : Arguments.Last[axis])) -
           Place[axis];
  }
};

TEXT_FUNCTION bool
IsTextPixelInside(const TextArguments & arguments, const long long (&place)[3])
{
  bool isInside = true;
  for (int axis = 0; axis < 3; ++axis)
  {
    isInside = isInside && place[axis] - arguments.Radius[axis] >= arguments.First[axis] &&
               place[axis] + arguments.Radius[axis] <= arguments.Last[axis];
  }
  return isInside;
}
