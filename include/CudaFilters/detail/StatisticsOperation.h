// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_StatisticsOperation_h
#define CudaFilters_detail_StatisticsOperation_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/ScalarType.h"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** What is known of the pixels of a region. Pixels that are not numbers (NaN) count for the sums only. */
struct PixelStatistics
{
  double Minimum = 0.0;
  double Maximum = 0.0;
  double Sum = 0.0;
  double SumOfSquares = 0.0;
};

/** Computes all statistics of a region of the input. */
CudaFilters_EXPORT OperationPointer
MakeStatisticsOperation(ScalarType type, const Region3 & region, PixelStatistics & result);

/** Computes minimum and maximum only. */
CudaFilters_EXPORT OperationPointer
MakeMinimumMaximumOperation(ScalarType type, const Region3 & region, PixelStatistics & result);

/** How many numbers are below and above a range. */
struct OutOfRangeCounts
{
  std::int64_t Below = 0;
  std::int64_t Above = 0;
};

/** What happens to a pixel, (pixel + Shift) * Scale, and the range of the result. */
struct ShiftAndScale
{
  double Shift = 0.0;
  double Scale = 1.0;
  double Lower = 0.0;
  double Upper = 0.0;
};

/** Counts the pixels of a region whose result is out of the range. */
CudaFilters_EXPORT OperationPointer
MakeOutOfRangeOperation(ScalarType            type,
                        const Region3 &       region,
                        const ShiftAndScale & parameters,
                        OutOfRangeCounts &    result);
} // namespace CudaFilters
} // namespace itk

#endif
