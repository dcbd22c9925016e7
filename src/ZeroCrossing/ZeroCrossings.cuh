// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersZeroCrossings_cuh
#define itkCudaFiltersZeroCrossings_cuh

#include "../Stencil/Stencil.cuh"
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
template <typename TValue>
__device__ __forceinline__ bool
IsNegative(TValue value)
{
  if constexpr (std::is_unsigned<TValue>::value)
  {
    return false;
  }
  else
  {
    return value < TValue(0);
  }
}

/** The absolute value, in a type that can hold it. The lowest value of a signed integer type gives itself, as on the
 * CPU, where its absolute value overflows. */
template <typename TValue>
__device__ __forceinline__ auto
GetDistanceFromZero(TValue value)
{
  if constexpr (std::is_integral<TValue>::value)
  {
    const int     distance = IsNegative(value) ? -static_cast<int>(value) : static_cast<int>(value);
    constexpr int bits = 8 * sizeof(TValue) - (std::is_signed<TValue>::value ? 1 : 0);
    return distance >> bits != 0 ? -distance : distance;
  }
  else
  {
    return value < TValue(0) ? -value : value;
  }
}

/** Whether the sign changes between a pixel and its neighbour, and the pixel is the one nearer to zero. If both are
 * equally near, the one that precedes the other along the axis counts as nearer. The sign of zero differs from that of
 * all other values. */
template <typename TValue>
__device__ __forceinline__ bool
IsZeroCrossing(TValue pixel, TValue neighbour, bool neighbourIsBehind)
{
  const auto distance = GetDistanceFromZero(pixel);
  const auto neighbourDistance = GetDistanceFromZero(neighbour);
  const bool isNearer = neighbourIsBehind ? distance <= neighbourDistance : distance < neighbourDistance;
  const bool isZero = pixel == TValue(0);
  const bool isNeighbourZero = neighbour == TValue(0);
  if constexpr (std::is_floating_point<TValue>::value)
  {
    // No value is nearer to zero than zero itself. NaN is never nearer, because comparisons with NaN are false.
    return isNearer && !isNeighbourZero && (isZero || IsNegative(pixel) != IsNegative(neighbour));
  }
  else
  {
    return isNearer &&
           (isZero || isNeighbourZero ? isZero != isNeighbourZero : IsNegative(pixel) != IsNegative(neighbour));
  }
}

template <int VDimension, typename TInput, typename TOutput>
struct ZeroCrossing
{
  struct ResultType
  {
    TOutput Value;
  };
  using ValueType = TInput;
  using PartType = NoStencilPart;

  template <typename TView>
  __device__ __forceinline__ static PartType
  GetPart(const TView &)
  {
    return {};
  }

  TOutput   Foreground;
  TOutput   Background;
  TOutput * Output;

  template <typename TView>
  __device__ __forceinline__ ResultType
  operator()(const TView & v) const
  {
    bool isCrossing;
    if constexpr (VDimension == 2)
    {
      const TInput pixel = v(0, 0);
      isCrossing = IsZeroCrossing(pixel, v(-1, 0), false) || IsZeroCrossing(pixel, v(0, -1), false) ||
                   IsZeroCrossing(pixel, v(1, 0), true) || IsZeroCrossing(pixel, v(0, 1), true);
    }
    else
    {
      const TInput pixel = v(0, 0, 0);
      isCrossing = IsZeroCrossing(pixel, v(-1, 0, 0), false) || IsZeroCrossing(pixel, v(0, -1, 0), false) ||
                   IsZeroCrossing(pixel, v(0, 0, -1), false) || IsZeroCrossing(pixel, v(1, 0, 0), true) ||
                   IsZeroCrossing(pixel, v(0, 1, 0), true) || IsZeroCrossing(pixel, v(0, 0, 1), true);
    }
    return { isCrossing ? this->Foreground : this->Background };
  }

  template <int VWidth>
  __device__ __forceinline__ void
  Store(const ResultType (&results)[VWidth], std::int64_t place) const
  {
    StorePack(this->Output + place, results, &ResultType::Value);
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
