// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersCombineWindows_cuh
#define itkCudaFiltersCombineWindows_cuh

#include "CudaFilters/Launch.cuh"

namespace itk
{
namespace CudaFilters
{
/** Combines, for VNumber adjacent positions along a line, the values at the offsets from first to last of each position
 * into its result: sums, or extremes. A value is loaded once, and what adjacent positions have in common is combined
 * once. load(i): the value at an offset from the first position. combine(a, b): both together. */
template <int VNumber, typename TValue, typename TLoad, typename TCombine>
__device__ __forceinline__ void
CombineWindows(TValue (&results)[VNumber], int first, int last, const TLoad & load, const TCombine & combine)
{
  const int length = last - first + 1;
  if (length >= VNumber)
  {
    // Before what all windows have in common: a position lacks what is before its own window.
    TValue part{};
#pragma unroll
    for (int i = VNumber - 2; i >= 0; --i)
    {
      const TValue value = load(first + i);
      part = i == VNumber - 2 ? value : combine(part, value);
      results[i] = combine(results[i], part);
    }
    part = load(first + VNumber - 1);
    for (int offset = first + VNumber; offset <= last; ++offset)
    {
      part = combine(part, load(offset));
    }
#pragma unroll
    for (int i = 0; i < VNumber; ++i)
    {
      results[i] = combine(results[i], part);
    }
    // Behind it.
#pragma unroll
    for (int i = 1; i < VNumber; ++i)
    {
      const TValue value = load(last + i);
      part = i == 1 ? value : combine(part, value);
      results[i] = combine(results[i], part);
    }
  }
  else
  {
    // Short windows, which may have nothing in common.
    TValue values[2 * VNumber];
#pragma unroll
    for (int k = 0; k < 2 * VNumber - 2; ++k)
    {
      if (k < length + VNumber - 1)
      {
        values[k] = load(first + k);
      }
    }
#pragma unroll
    for (int k = 0; k < VNumber - 1; ++k)
    {
      if (k < length)
      {
#pragma unroll
        for (int i = 0; i < VNumber; ++i)
        {
          results[i] = combine(results[i], values[i + k]);
        }
      }
    }
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
