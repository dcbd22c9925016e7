// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_KernelPixel_h
#define CudaFilters_KernelPixel_h

#include <type_traits>

/** Applies a macro to each pixel type for which the smoothing and edge kernels are compiled. */
#define CUDAFILTERS_FOR_EACH_PIXEL(macro) \
  macro(unsigned char) macro(unsigned short) macro(short) macro(float) macro(double)

namespace itk
{
namespace CudaFilters
{
template <typename TPixel>
constexpr bool
IsKernelPixel()
{
#define CUDAFILTERS_IS_ONE(type) || std::is_same<TPixel, type>::value
  return false CUDAFILTERS_FOR_EACH_PIXEL(CUDAFILTERS_IS_ONE);
#undef CUDAFILTERS_IS_ONE
}
} // namespace CudaFilters
} // namespace itk

#endif
