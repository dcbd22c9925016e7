// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_ReconstructionStrategy_h
#define CudaFilters_ReconstructionStrategy_h

#include "CudaFiltersExport.h"
#include <cstdint>
#include <iosfwd>

namespace itk
{
/** \class CudaReconstructionStrategyEnum
 * \brief The ways in which morphological reconstruction can go over an image. The result is always the same.
 * \ingroup CudaFilters
 */
enum class CudaReconstructionStrategyEnum : std::uint8_t
{
  /** The fastest: at present TileSweeps. */
  Automatic,
  /** Sweeps along all lines of the image, axis by axis, until nothing changes (Karas, 2010). */
  LineSweeps,
  /** A queue of small tiles, each swept along its lines until it is stable (megapixels). */
  TileSweeps,
  /** The same queue, each tile swept by diagonal wavefronts from corner to corner. */
  TileDiagonals
};

extern CudaFilters_EXPORT std::ostream &
                          operator<<(std::ostream & out, CudaReconstructionStrategyEnum strategy);
} // namespace itk

#endif
