// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_SeparableConvolutionOperation_h
#define CudaFilters_detail_SeparableConvolutionOperation_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/PixelType.h"
#include <array>
#include <vector>

namespace itk
{
namespace CudaFilters
{
struct SeparableConvolutionParameters
{
  /** One mask per axis, of odd length; an empty mask leaves the axis alone. The first weight belongs to the pixel with
   * the lowest index. */
  std::array<std::vector<double>, 3> Masks;

  /** Compute in double precision, each product and sum rounded, from the last axis to the first and from the first
   * weight to the last, as ITK's CPU filters do. Otherwise in single precision, if the output is float and the input
   * is not double. */
  bool InDouble = false;

  /** Convert the values to the output's pixel type after each axis, and not just after the last one. */
  bool ConvertAfterEachAxis = false;
};

/** Convolution with one mask per axis. Neighbours outside the image are replaced by the nearest pixel of the image. */
CudaFilters_EXPORT OperationPointer
MakeSeparableConvolutionOperation(const SeparableConvolutionParameters & parameters, const PixelTypes & types);
} // namespace CudaFilters
} // namespace itk

#endif
