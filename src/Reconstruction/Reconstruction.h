// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersReconstruction_h
#define itkCudaFiltersReconstruction_h

#include "CudaFilters/Execution.h"
#include "CudaFilters/LocalBox.h"
#include "CudaFilters/detail/ReconstructionOperation.h"
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace itk
{
namespace CudaFilters
{
/** Reconstructs in place: image holds the marker, which must nowhere exceed the mask. Waits for the device. Calls
 * betweenLaunches from time to time, which may throw to abort the reconstruction. Instantiated for the pixel types of
 * CUDAFILTERS_FOR_EACH_PIXEL. */
template <typename TPixel>
WavefrontStatistics
Reconstruct(Execution &                      execution,
            const ReconstructionParameters & parameters,
            const Size3 &                    size,
            TPixel *                         image,
            const TPixel *                   mask,
            const std::function<void()> &    betweenLaunches);

/** The device memory that Reconstruct() allocates. */
std::size_t
GetReconstructionScratchBytes(const Size3 & size, unsigned int dimension, std::size_t bytesPerPixel);

/** Properties of the images that a marker was made from. */
struct MarkerProperties
{
  bool ExceedsMask = false;
  bool HasNaN = false;
  /** Whether all pixels of the input are equal; known after Kind::Step. */
  bool IsFlat = true;
};

/** Collects the properties of images while markers are made from them. */
class MarkerInspector
{
public:
  explicit MarkerInspector(Execution & execution);
  ~MarkerInspector();
  MarkerInspector(const MarkerInspector &) = delete;
  MarkerInspector &
  operator=(const MarkerInspector &) = delete;

  /** The properties found by the work enqueued so far. Waits for the device. */
  MarkerProperties
  Read() const;

  std::uint32_t *
  GetPointer() const;

private:
  class Implementation;
  std::unique_ptr<Implementation> m_Implementation;
};

/** Enqueues the making of a marker for the box's output, where mask and marker lie densely. The box's input must
 * contain a margin of the structuring element's radius, and at least one pixel, around its output, except beyond the
 * border of the image. Instantiated as Reconstruct(). */
template <typename TPixel>
void
MakeMarker(Execution &                      execution,
           const ReconstructionParameters & parameters,
           const MarkerRecipe &             recipe,
           const LocalBox &                 box,
           const TPixel *                   input,
           const TPixel *                   mask,
           TPixel *                         marker,
           const MarkerInspector &          inspector);

/** Enqueues the making of the output. Instantiated for the pairs of CUDAFILTERS_FOR_EACH_PIXEL_PAIR. */
template <typename TPixel, typename TOutput>
void
FinishReconstruction(Execution &                  execution,
                     const ReconstructionFinish & finish,
                     bool                         isErosion,
                     std::int64_t                 pixels,
                     const TPixel *               mask,
                     const TPixel *               reconstructed,
                     TOutput *                    output);
} // namespace CudaFilters
} // namespace itk

#endif
