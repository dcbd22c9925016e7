// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// The beginning of all programs that are made from texts, behind TextArguments.h. NVRTC compiles them for a device, a
// C++ compiler for the CPU.
#if defined(__CUDACC_RTC__)
#  define TEXT_FUNCTION __device__ __forceinline__
#  define TEXT_MEMBER __device__ __forceinline__
#  define M_PI 3.14159265358979323846
#  define INFINITY __int_as_float(0x7f800000)
#  define NAN __int_as_float(0x7fffffff)
#else
#  include <math.h>
#  include <stdlib.h>
#  define TEXT_FUNCTION static inline
#  define TEXT_MEMBER
#endif
#if defined(_WIN32)
#  define TEXT_EXPORT __declspec(dllexport)
#else
#  define TEXT_EXPORT
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

/** The number of a bin, from the result of a text. Numbers that long long does not have become the lowest one. */
struct TextBin
{
  long long Value;

  template <typename TValue>
  TEXT_MEMBER
  TextBin(TValue value)
    : Value(static_cast<double>(value) > -9e18 && static_cast<double>(value) < 9e18 ? static_cast<long long>(value)
                                                                                    : -9223372036854775807ll - 1)
  {}
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

// Functions that texts call by the names of C. For float numbers they compute with float, for all others with double:
// on the device, C++ would not know which function is meant for integers. Extremes are those of C++'s operators also
// for NaN.

#define TEXT_OF_ONE(name)                                          \
  TEXT_FUNCTION float  Text_##name(float x) { return name##f(x); } \
  TEXT_FUNCTION double Text_##name(double x) { return name(x); }   \
  template <typename TX>                                           \
  TEXT_FUNCTION double Text_##name(TX x)                           \
  {                                                                \
    return name(static_cast<double>(x));                           \
  }
#define TEXT_OF_TWO(name)                                                     \
  TEXT_FUNCTION float Text_##name(float x, float y) { return name##f(x, y); } \
  template <typename TX, typename TY>                                         \
  TEXT_FUNCTION double Text_##name(TX x, TY y)                                \
  {                                                                           \
    return name(static_cast<double>(x), static_cast<double>(y));              \
  }

TEXT_OF_ONE(acos)
TEXT_OF_ONE(asin)
TEXT_OF_ONE(atan)
TEXT_OF_ONE(cbrt)
TEXT_OF_ONE(ceil)
TEXT_OF_ONE(cos)
TEXT_OF_ONE(cosh)
TEXT_OF_ONE(exp)
TEXT_OF_ONE(exp2)
TEXT_OF_ONE(expm1)
TEXT_OF_ONE(fabs)
TEXT_OF_ONE(floor)
TEXT_OF_ONE(log)
TEXT_OF_ONE(log10)
TEXT_OF_ONE(log1p)
TEXT_OF_ONE(log2)
TEXT_OF_ONE(round)
TEXT_OF_ONE(sin)
TEXT_OF_ONE(sinh)
TEXT_OF_ONE(sqrt)
TEXT_OF_ONE(tan)
TEXT_OF_ONE(tanh)
TEXT_OF_ONE(trunc)
TEXT_OF_TWO(atan2)
TEXT_OF_TWO(fmod)
TEXT_OF_TWO(hypot)
TEXT_OF_TWO(pow)

template <typename TX, typename TY>
TEXT_FUNCTION auto
TextMin(TX x, TY y) -> decltype(x + y)
{
  return y < x ? y : x;
}
template <typename TX, typename TY>
TEXT_FUNCTION auto
TextMax(TX x, TY y) -> decltype(x + y)
{
  return x < y ? y : x;
}
template <typename TX>
TEXT_FUNCTION bool
TextIsNan(TX x)
{
  return x != x;
}
template <typename TX>
TEXT_FUNCTION bool
TextIsInf(TX x)
{
  return x == x && x - x != x - x;
}

#define acos Text_acos
#define asin Text_asin
#define atan Text_atan
#define cbrt Text_cbrt
#define ceil Text_ceil
#define cos Text_cos
#define cosh Text_cosh
#define exp Text_exp
#define exp2 Text_exp2
#define expm1 Text_expm1
#define fabs Text_fabs
#define floor Text_floor
#define log Text_log
#define log10 Text_log10
#define log1p Text_log1p
#define log2 Text_log2
#define round Text_round
#define sin Text_sin
#define sinh Text_sinh
#define sqrt Text_sqrt
#define tan Text_tan
#define tanh Text_tanh
#define trunc Text_trunc
#define atan2 Text_atan2
#define fmod Text_fmod
#define hypot Text_hypot
#define pow Text_pow
#undef isnan
#undef isinf
#define min TextMin
#define max TextMax
#define isnan TextIsNan
#define isinf TextIsInf
