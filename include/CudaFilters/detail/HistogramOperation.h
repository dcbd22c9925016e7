// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_HistogramOperation_h
#define CudaFilters_detail_HistogramOperation_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/ScalarType.h"
#include <cstdint>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** Counts how often each value occurs in a region of the input. Pixels are integers of 8 or 16 bits. counts[i] is
 * increased for the value lowest + i; other values are left out. */
CudaFilters_EXPORT OperationPointer
MakeValueCountOperation(ScalarType                  type,
                        const Region3 &             region,
                        std::int64_t                lowest,
                        std::vector<std::int64_t> & counts);

/** The bins of an itk::Statistics::Histogram with one component. */
struct HistogramBins
{
  std::vector<double> Minimums;
  std::vector<double> Maximums;
  bool                ClipBinsAtEnds = true;
};

/** Counts the pixels of a region of the input, of any scalar type, in bins, as Histogram::GetIndex() finds them. */
CudaFilters_EXPORT OperationPointer
MakeHistogramOperation(ScalarType                  type,
                       const Region3 &             region,
                       const HistogramBins &       bins,
                       std::vector<std::int64_t> & counts);
} // namespace CudaFilters
} // namespace itk

#endif
