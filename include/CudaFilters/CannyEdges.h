// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_CannyEdges_h
#define CudaFilters_CannyEdges_h

#include "CudaFiltersExport.h"
#include "CudaFilters/EdgeLinker.h"
#include "CudaFilters/Execution.h"
#include "CudaFilters/LocalBox.h"
#include "CudaFilters/SeparableConvolution.h"
#include <cstddef>

namespace itk
{
namespace CudaFilters
{
/** How to find edges. */
struct CannyEdges
{
  unsigned int Dimension = 2;
  /** Masks and precision; the sizes are set by FindCannyEdges(). */
  SeparableConvolution Smoothing;
  double               UpperThreshold = 0.0;
  double               LowerThreshold = 0.0;
  /** Compute as ITK's CPU filter does, bit by bit. Otherwise in single precision throughout, if the smoothed image has
   * that. */
  bool IsExact = false;
};

/** How far around an output pixel smoothed pixels have a part in it. */
constexpr std::int64_t CannyRadius = 2;

/** The device memory that FindCannyEdges() takes for itself. */
CudaFilters_EXPORT std::size_t
                   GetScratchBytes(const CannyEdges & edges, const LocalBox & box, std::size_t bytesPerReal);

/** Enqueues the search for the pixels that hysteresis starts from. Non-maxima are suppressed: they count with the value
 * 0, the others with the magnitude of the gradient. Candidates are the pixels over one of the thresholds, strong are
 * those over the upper one. TReal: of the smoothed image. suppressed: where these values go, too; nullptr: nowhere.
 * Instantiated for inputs of CUDAFILTERS_FOR_EACH_PIXEL; with float for all but double, and with double for all. */
template <typename TReal, typename TInput>
CudaFilters_EXPORT void
FindCannyEdges(Execution &        execution,
               const CannyEdges & edges,
               const LocalBox &   box,
               const TInput *     input,
               const EdgeMasks &  masks,
               TReal *            suppressed = nullptr);
} // namespace CudaFilters
} // namespace itk

#endif
