// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_TwoPassOperation_h
#define CudaFilters_detail_TwoPassOperation_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include <functional>

namespace itk
{
namespace CudaFilters
{
/** An operation that first reduces its input, and then computes its outputs by an operation that is made when the
 * result of the first one is known. */
CudaFilters_EXPORT OperationPointer
MakeTwoPassOperation(OperationPointer reduction, std::function<OperationPointer()> makeSecond);
} // namespace CudaFilters
} // namespace itk

#endif
