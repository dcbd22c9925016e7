// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// The beginning of all programs that are made from texts, behind TextArguments.h. NVRTC compiles them for a device, a
// C++ compiler for the CPU.
#if defined(__CUDACC_RTC__)
#  define TEXT_FUNCTION __device__ __forceinline__
#  define TEXT_MEMBER __device__ __forceinline__
#  define M_E 2.7182818284590452354
#  define M_LOG2E 1.4426950408889634074
#  define M_LOG10E 0.43429448190325182765
#  define M_LN2 0.69314718055994530942
#  define M_LN10 2.30258509299404568402
#  define M_PI 3.14159265358979323846
#  define M_PI_2 1.57079632679489661923
#  define M_PI_4 0.78539816339744830962
#  define M_1_PI 0.31830988618379067154
#  define M_2_PI 0.63661977236758134308
#  define M_2_SQRTPI 1.12837916709551257390
#  define M_SQRT2 1.41421356237309504880
#  define M_SQRT1_2 0.70710678118654752440
#  define HUGE_VAL __longlong_as_double(0x7ff0000000000000ll)
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
TEXT_OF_ONE(acosh)
TEXT_OF_ONE(asin)
TEXT_OF_ONE(asinh)
TEXT_OF_ONE(atan)
TEXT_OF_ONE(atanh)
TEXT_OF_ONE(cbrt)
TEXT_OF_ONE(ceil)
TEXT_OF_ONE(cos)
TEXT_OF_ONE(cosh)
TEXT_OF_ONE(erf)
TEXT_OF_ONE(erfc)
TEXT_OF_ONE(exp)
TEXT_OF_ONE(exp2)
TEXT_OF_ONE(expm1)
TEXT_OF_ONE(fabs)
TEXT_OF_ONE(floor)
TEXT_OF_ONE(lgamma)
TEXT_OF_ONE(log)
TEXT_OF_ONE(log10)
TEXT_OF_ONE(log1p)
TEXT_OF_ONE(log2)
TEXT_OF_ONE(logb)
TEXT_OF_ONE(nearbyint)
TEXT_OF_ONE(rint)
TEXT_OF_ONE(round)
TEXT_OF_ONE(sin)
TEXT_OF_ONE(sinh)
TEXT_OF_ONE(sqrt)
TEXT_OF_ONE(tan)
TEXT_OF_ONE(tanh)
TEXT_OF_ONE(tgamma)
TEXT_OF_ONE(trunc)
TEXT_OF_TWO(atan2)
TEXT_OF_TWO(copysign)
TEXT_OF_TWO(fdim)
TEXT_OF_TWO(fmax)
TEXT_OF_TWO(fmin)
TEXT_OF_TWO(fmod)
TEXT_OF_TWO(hypot)
TEXT_OF_TWO(nextafter)
TEXT_OF_TWO(pow)
TEXT_OF_TWO(remainder)

TEXT_FUNCTION float
Text_fma(float x, float y, float z)
{
  return fmaf(x, y, z);
}
template <typename TX, typename TY, typename TZ>
TEXT_FUNCTION double
Text_fma(TX x, TY y, TZ z)
{
  return fma(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
}
TEXT_FUNCTION float
Text_ldexp(float x, int n)
{
  return ldexpf(x, n);
}
template <typename TX>
TEXT_FUNCTION double
Text_ldexp(TX x, int n)
{
  return ldexp(static_cast<double>(x), n);
}
template <typename TX>
TEXT_FUNCTION int
Text_ilogb(TX x)
{
  return ilogb(static_cast<double>(x));
}
/** lround and llround, lrint and llrint. */
template <typename TX>
TEXT_FUNCTION long long
TextRound(TX x)
{
  return static_cast<long long>(Text_round(x));
}
template <typename TX>
TEXT_FUNCTION long long
TextRint(TX x)
{
  return static_cast<long long>(Text_rint(x));
}

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

template <typename TX>
TEXT_FUNCTION bool
TextIsFinite(TX x)
{
  return x - x == x - x;
}
template <typename TX>
TEXT_FUNCTION bool
TextSignBit(TX x)
{
  return copysign(1.0, static_cast<double>(x)) < 0.0;
}
TEXT_FUNCTION bool
TextIsNormal(float x)
{
  return TextIsFinite(x) && fabsf(x) >= 1.17549435e-38f;
}
template <typename TX>
TEXT_FUNCTION bool
TextIsNormal(TX x)
{
  return TextIsFinite(x) && fabs(static_cast<double>(x)) >= 2.2250738585072014e-308;
}

#define acos Text_acos
#define acosh Text_acosh
#define asin Text_asin
#define asinh Text_asinh
#define atan Text_atan
#define atanh Text_atanh
#define cbrt Text_cbrt
#define ceil Text_ceil
#define cos Text_cos
#define cosh Text_cosh
#define erf Text_erf
#define erfc Text_erfc
#define exp Text_exp
#define exp2 Text_exp2
#define expm1 Text_expm1
#define fabs Text_fabs
#define floor Text_floor
#define lgamma Text_lgamma
#define log Text_log
#define log10 Text_log10
#define log1p Text_log1p
#define log2 Text_log2
#define logb Text_logb
#define nearbyint Text_nearbyint
#define rint Text_rint
#define round Text_round
#define sin Text_sin
#define sinh Text_sinh
#define sqrt Text_sqrt
#define tan Text_tan
#define tanh Text_tanh
#define tgamma Text_tgamma
#define trunc Text_trunc
#define atan2 Text_atan2
#define copysign Text_copysign
#define fdim Text_fdim
#define fmax Text_fmax
#define fmin Text_fmin
#define fmod Text_fmod
#define hypot Text_hypot
#define nextafter Text_nextafter
#define pow Text_pow
#define remainder Text_remainder
#define fma Text_fma
#define ldexp Text_ldexp
#define ilogb Text_ilogb
#define lround TextRound
#define llround TextRound
#define lrint TextRint
#define llrint TextRint
#undef isnan
#undef isinf
#undef isfinite
#undef isnormal
#undef signbit
#define min TextMin
#define max TextMax
#define isnan TextIsNan
#define isinf TextIsInf
#define isfinite TextIsFinite
#define isnormal TextIsNormal
#define signbit TextSignBit
