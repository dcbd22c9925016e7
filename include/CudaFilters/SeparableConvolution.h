// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_SeparableConvolution_h
#define CudaFilters_SeparableConvolution_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Execution.h"
#include "CudaFilters/LocalBox.h"
#include <array>
#include <cstddef>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** What to convolve with what. */
struct SeparableConvolution
{
  LocalBox Box;

  /** One mask an axis, of odd length; none where it is empty. The first weight belongs to the pixel with the lowest
   * index. */
  std::array<std::vector<double>, 3> Masks;

  /** Compute in double precision, each product and sum rounded, from the last axis to the first and from the first
   * weight to the last: as ITK's CPU filters do. Otherwise in single precision, if the output is float and the
   * input is not double. */
  bool InDouble = true;

  /** Convert the values to the output's pixel type after each axis, and not just after the last. */
  bool ConvertAfterEachAxis = false;
};

/** The device memory that Convolve() takes for itself. */
CudaFilters_EXPORT std::size_t
                   GetScratchBytes(const SeparableConvolution & convolution, std::size_t bytesPerOutputPixel);

/** Enqueues the convolution. Instantiated for the pixel types of CUDAFILTERS_FOR_EACH_PIXEL; in single precision for
 * float output only. */
template <typename TInput, typename TOutput>
CudaFilters_EXPORT void
Convolve(Execution & execution, const SeparableConvolution & convolution, const TInput * input, TOutput * output);
} // namespace CudaFilters
} // namespace itk

#endif
