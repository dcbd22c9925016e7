// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_BoxSumOperation_h
#define CudaFilters_detail_BoxSumOperation_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/PixelType.h"
#include "CudaFilters/detail/ScalarType.h"

namespace itk
{
namespace CudaFilters
{
/** The mean of the pixels in a box around each pixel. Outside the image is the nearest pixel. */
CudaFilters_EXPORT OperationPointer
MakeBoxMeanOperation(const Size3 & radius, PixelType input, ScalarType output);

/** The standard deviation of those pixels of a box that are in the image. */
CudaFilters_EXPORT OperationPointer
MakeBoxSigmaOperation(const Size3 & radius, PixelType input, ScalarType output);
} // namespace CudaFilters
} // namespace itk

#endif
