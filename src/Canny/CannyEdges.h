// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersCannyEdges_h
#define itkCudaFiltersCannyEdges_h

#include "EdgeLinker.h"
#include "CudaFilters/Execution.h"
#include "CudaFilters/LocalBox.h"
#include "CudaFilters/detail/CannyOperation.h"
#include <cstddef>

namespace itk
{
namespace CudaFilters
{
/** How far around an output pixel the smoothed pixels contribute to it. */
constexpr std::int64_t CannyRadius = 2;

/** The device memory that FindCannyEdges() allocates. */
std::size_t
GetCannyScratchBytes(const CannyParameters & parameters, const LocalBox & box, std::size_t bytesPerReal);

/** Enqueues the search for the pixels that hysteresis starts from. Non-maxima are suppressed: they have the value 0,
 * the others the magnitude of the gradient. Candidates are the pixels above the lower threshold, strong are those above
 * the upper one. TReal: the pixel type of the smoothed image. suppressed: where these values are written, too, unless
 * it is nullptr. Instantiated for inputs of CUDAFILTERS_FOR_EACH_PIXEL; with float for all but double, and with double
 * for all. */
template <typename TReal, typename TInput>
void
FindCannyEdges(Execution &             execution,
               const CannyParameters & parameters,
               const LocalBox &        box,
               const TInput *          input,
               const EdgeMasks &       masks,
               TReal *                 suppressed = nullptr);

/** Enqueues the computation of the masks from the values that FindCannyEdges() has written to suppressed. */
template <typename TReal>
void
ApplyEdgeThresholds(Execution &             execution,
                    const CannyParameters & parameters,
                    const TReal *           suppressed,
                    const EdgeMasks &       masks);
} // namespace CudaFilters
} // namespace itk

#endif
