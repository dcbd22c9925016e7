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

/** Whether the sign changes between a pixel and its neighbour, and the pixel is the one nearer to zero. Of two that are
 * equally near, it is the one before the other along the axis. */
template <typename TValue>
__device__ __forceinline__ bool
IsZeroCrossing(TValue pixel, TValue neighbour, bool neighbourIsBehind)
{
  const TValue zero = 0;
  const bool   changes = (IsNegative(pixel) && neighbour > zero) || (pixel > zero && IsNegative(neighbour)) ||
                       (pixel == zero) != (neighbour == zero);
  // Of the lowest number of an integer type the negative is itself, here and there.
  const TValue size = IsNegative(pixel) ? static_cast<TValue>(-pixel) : pixel;
  const TValue neighbourSize = IsNegative(neighbour) ? static_cast<TValue>(-neighbour) : neighbour;
  return changes && (size < neighbourSize || (size == neighbourSize && neighbourIsBehind));
}

template <int VDimension, typename TInput, typename TOutput>
struct ZeroCrossing
{
  using ValueType = TInput;

  TOutput   Foreground;
  TOutput   Background;
  TOutput * Output;

  template <typename TView>
  __device__ __forceinline__ void
  operator()(const TView & v, std::int64_t place) const
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
    this->Output[place] = isCrossing ? this->Foreground : this->Background;
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
