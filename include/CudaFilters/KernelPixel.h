// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_KernelPixel_h
#define CudaFilters_KernelPixel_h

#include <type_traits>

/** Applies a macro to each pixel type for which the smoothing and edge kernels are compiled. */
#define CUDAFILTERS_FOR_EACH_PIXEL(macro) \
  macro(unsigned char) macro(unsigned short) macro(short) macro(float) macro(double)

/** Applies a macro to each pair of these types. */
#define CUDAFILTERS_FOR_EACH_PIXEL_PAIR(macro)             \
  CUDAFILTERS_FOR_EACH_SECOND_PIXEL(macro, unsigned char)  \
  CUDAFILTERS_FOR_EACH_SECOND_PIXEL(macro, unsigned short) \
  CUDAFILTERS_FOR_EACH_SECOND_PIXEL(macro, short)          \
  CUDAFILTERS_FOR_EACH_SECOND_PIXEL(macro, float)          \
  CUDAFILTERS_FOR_EACH_SECOND_PIXEL(macro, double)
#define CUDAFILTERS_FOR_EACH_SECOND_PIXEL(macro, first) \
  macro(first, unsigned char) macro(first, unsigned short) macro(first, short) macro(first, float) macro(first, double)

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
