// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_Reconstruction_h
#define CudaFilters_Reconstruction_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Execution.h"
#include "CudaFilters/LocalBox.h"
#include "CudaFilters/ReconstructionStrategy.h"
#include "CudaFilters/WavefrontEffort.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** How to reconstruct. */
struct Reconstruction
{
  unsigned int                   Dimension = 2;
  bool                           IsErosion = false;
  bool                           IsFullyConnected = false;
  CudaReconstructionStrategyEnum Strategy = CudaReconstructionStrategyEnum::Automatic;
};

/** Reconstructs in place: at first the image holds the marker, which nowhere goes beyond the mask. Waits for the
 * device. Instantiated for the pixel types of CUDAFILTERS_FOR_EACH_PIXEL. */
template <typename TPixel>
CudaFilters_EXPORT WavefrontEffort
Reconstruct(Execution &            execution,
            const Reconstruction & reconstruction,
            const Grid &           size,
            TPixel *               image,
            const TPixel *         mask);

/** The device memory, in bytes, that it takes for itself. */
CudaFilters_EXPORT std::size_t
                   GetReconstructionScratchBytes(const Grid & size, unsigned int dimension, std::size_t bytesPerPixel);

/** How the marker is made from an image. */
struct MarkerRecipe
{
  enum class Kind
  {
    /** It is the image. */
    Copy,
    /** Shift is added to the image, in double, and cut to what the pixel type can hold. */
    Shift,
    /** The nearest value that is further from the mask. */
    Step,
    /** At the edges of the image the image, and inside the value from which nothing comes. */
    Border,
    /** For dilation: the lowest pixel under a flat structuring element; for erosion: the highest. */
    Structure,
    /** Where the marker, which holds the image reconstructed so far, is as under Structure, the mask; elsewhere the
     * value from which nothing comes. */
    Restore
  };

  Kind         How = Kind::Copy;
  unsigned int Dimension = 2;
  double       Shift = 0.0;
  /** The structuring element, as distances from its centre. */
  std::vector<std::array<int, 3>> Offsets;
};

/** What was found in the images on the way. */
struct MarkerFindings
{
  bool IsBeyondMask = false;
  bool HasNaN = false;
  /** Whether the input is the same everywhere; known after Kind::Step. */
  bool IsFlat = true;
};

/** Looks at images while markers are made from them. */
class CudaFilters_EXPORT MarkerInspector
{
public:
  explicit MarkerInspector(Execution & execution);
  ~MarkerInspector();
  MarkerInspector(const MarkerInspector &) = delete;
  MarkerInspector &
  operator=(const MarkerInspector &) = delete;

  /** Of all that was enqueued so far. Waits for the device. */
  MarkerFindings
  Read() const;

  std::uint32_t *
  GetPointer() const;

private:
  class Implementation;
  std::unique_ptr<Implementation> m_Implementation;
};

/** Enqueues the making of a marker for the box's output, where mask and marker lie densely. The box's input must reach
 * as far as the structuring element, and at least one pixel, around its output, but for the edges of the image.
 * Instantiated as Reconstruct(). */
template <typename TPixel>
CudaFilters_EXPORT void
MakeMarker(Execution &             execution,
           const MarkerRecipe &    recipe,
           bool                    isErosion,
           const LocalBox &        box,
           const TPixel *          input,
           const TPixel *          mask,
           TPixel *                marker,
           const MarkerInspector & inspector);

/** What becomes of the reconstructed image. */
struct ReconstructionFinish
{
  enum class Kind
  {
    /** It is the result. */
    Cast,
    /** Its distance from the mask. */
    Difference,
    /** Whether it differs from the mask, which tells the regional extrema after Kind::Step. */
    Extrema,
    /** One value everywhere. */
    Background
  };

  Kind   How = Kind::Cast;
  double Foreground = 0.0;
  double Background = 0.0;
};

/** Enqueues the making of the result. Instantiated for the pairs of CUDAFILTERS_FOR_EACH_PIXEL_PAIR. */
template <typename TPixel, typename TOutput>
CudaFilters_EXPORT void
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
