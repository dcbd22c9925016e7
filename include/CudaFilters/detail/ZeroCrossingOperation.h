// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_ZeroCrossingOperation_h
#define CudaFilters_detail_ZeroCrossingOperation_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/PixelType.h"

namespace itk
{
namespace CudaFilters
{
struct ZeroCrossingParameters
{
  unsigned int Dimension = 2;
  /** Pixels of the output; each is a value of the output's pixel type. */
  double Foreground = 1.0;
  double Background = 0.0;
};

/** Marks the pixels at which the sign of the input changes. */
CudaFilters_EXPORT OperationPointer
MakeZeroCrossingOperation(const ZeroCrossingParameters & parameters, const PixelTypes & types);
} // namespace CudaFilters
} // namespace itk

#endif
