// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_SobelEdges_h
#define CudaFilters_SobelEdges_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Execution.h"
#include "CudaFilters/LocalBox.h"

namespace itk
{
namespace CudaFilters
{
/** Where the results of ComputeSobelEdges() go. The angles are all there, or nullptr: not wanted. */
template <typename TOutput>
struct SobelOutputs
{
  TOutput * Magnitude = nullptr;
  TOutput * Azimuth = nullptr;   // of the gradient in the x-y plane
  TOutput * Elevation = nullptr; // of the gradient above the x-y plane; of 3-D images only
};

/** Enqueues the computation of the gradient by Sobel's operators, in 2 or 3 dimensions. inDouble: as ITK's CPU filter
 * computes it, bit by bit but for the angles; otherwise in single precision, if the output is float and the input is
 * not double. Instantiated for inputs of CUDAFILTERS_FOR_EACH_PIXEL and outputs of float and double. */
template <typename TInput, typename TOutput>
CudaFilters_EXPORT void
ComputeSobelEdges(Execution &                   execution,
                  const LocalBox &              box,
                  unsigned int                  dimension,
                  bool                          inDouble,
                  const TInput *                input,
                  const SobelOutputs<TOutput> & outputs);
} // namespace CudaFilters
} // namespace itk

#endif
