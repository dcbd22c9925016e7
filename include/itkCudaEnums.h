// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaEnums_h
#define itkCudaEnums_h

#include "CudaFiltersExport.h"
#include <cstdint>
#include <iosfwd>

namespace itk
{
/** \class CudaBackendEnum
 * \brief Where a CUDA filter computes.
 * \ingroup CudaFilters
 */
enum class CudaBackendEnum : std::uint8_t
{
  /** On the device if there is a usable one, else on the CPU. */
  Auto,
  /** On the device, or an exception. */
  CUDA,
  /** On the CPU, by the ITK filter. */
  CPU
};

/** \class CudaPixelSideEnum
 * \brief Where the valid pixels of a container are.
 * \ingroup CudaFilters
 */
enum class CudaPixelSideEnum : std::uint8_t
{
  None,
  Host,
  Device,
  Both
};

/** \class CudaKernelFamilyEnum
 * \brief The groups of kernels for which CudaInterface::SetBlockSize() chooses the threads per block.
 *
 * The kernels that find Canny's edge candidates and the tile queue of morphological reconstruction are built for one
 * block size, which cannot be chosen.
 *
 * \ingroup CudaFilters
 */
enum class CudaKernelFamilyEnum : std::uint8_t
{
  /** Gaussian, separable convolution, and the smoothing of Canny. */
  SeparableConvolution,
  /** Pixels from their direct neighbours: Sobel, zero crossings. */
  Stencil,
  /** The hysteresis of Canny. */
  EdgeLinking
};

/** The number of kernel families. */
constexpr unsigned int CudaNumberOfKernelFamilies = 3;

/** \class CudaReconstructionStrategyEnum
 * \brief The ways in which morphological reconstruction propagates values. The result is always the same.
 * \ingroup CudaFilters
 */
enum class CudaReconstructionStrategyEnum : std::uint8_t
{
  /** The fastest: at present TileSweeps. */
  Automatic,
  /** Sweeps along all lines of the image, axis by axis, until nothing changes (Karas, 2010). */
  LineSweeps,
  /** A queue of small tiles; a warp sweeps each tile along its lines until it is stable. */
  TileSweeps,
  /** The same queue; each tile is swept by diagonal wavefronts from corner to corner. */
  TileDiagonals
};

/** \class CudaDistanceStrategyEnum
 * \brief The ways in which CudaSignedMaurerDistanceMapImageFilter finds distances.
 *
 * The wavefronts are for comparison: they are slower, and approximate. Offsets to the contour go from neighbour to
 * neighbour, with the tile queue of morphological reconstruction, until no pixel gets a smaller distance. (After
 * P.-E. Danielsson, Euclidean distance mapping, 1980, and M. Oliveira et al., The Megapixel Approach for Efficient
 * Execution of Irregular Wavefront Algorithms on GPUs, 2025.) The nearest contour pixel of a pixel need not be that of
 * a neighbour, so some distances are too large; which ones depends on the order of visits, and may differ from run to
 * run.
 *
 * \ingroup CudaFilters
 */
enum class CudaDistanceStrategyEnum : std::uint8_t
{
  /** Exact distances, axis by axis. */
  Exact,
  /** A wavefront from pixels to their neighbours along the axes: 4 in planes, 6 in volumes. */
  Wavefront,
  /** A wavefront from pixels to all neighbours: 8 in planes, 26 in volumes. */
  FullWavefront
};

CudaFilters_EXPORT std::ostream &
                   operator<<(std::ostream & out, CudaBackendEnum backend);
CudaFilters_EXPORT std::ostream &
                   operator<<(std::ostream & out, CudaDistanceStrategyEnum strategy);
CudaFilters_EXPORT std::ostream &
                   operator<<(std::ostream & out, CudaPixelSideEnum side);
CudaFilters_EXPORT std::ostream &
                   operator<<(std::ostream & out, CudaKernelFamilyEnum family);
CudaFilters_EXPORT std::ostream &
                   operator<<(std::ostream & out, CudaReconstructionStrategyEnum strategy);
} // namespace itk

#endif
