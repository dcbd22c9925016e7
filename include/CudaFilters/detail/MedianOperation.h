// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_MedianOperation_h
#define CudaFilters_detail_MedianOperation_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/PixelType.h"
#include "CudaFilters/detail/ScalarType.h"

namespace itk
{
namespace CudaFilters
{
/** The median of the pixels in a box around each pixel. */
CudaFilters_EXPORT OperationPointer
MakeMedianOperation(const Size3 & radius, PixelType input, ScalarType output);
} // namespace CudaFilters
} // namespace itk

#endif
