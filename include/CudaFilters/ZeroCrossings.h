// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_ZeroCrossings_h
#define CudaFilters_ZeroCrossings_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Execution.h"
#include "CudaFilters/LocalBox.h"

namespace itk
{
namespace CudaFilters
{
/** Enqueues the search for the pixels at which the sign changes, in 2 or 3 dimensions. Instantiated for the pixel types
 * of CUDAFILTERS_FOR_EACH_PIXEL. */
template <typename TInput, typename TOutput>
CudaFilters_EXPORT void
FindZeroCrossings(Execution &      execution,
                  const LocalBox & box,
                  unsigned int     dimension,
                  TOutput          foreground,
                  TOutput          background,
                  const TInput *   input,
                  TOutput *        output);
} // namespace CudaFilters
} // namespace itk

#endif
