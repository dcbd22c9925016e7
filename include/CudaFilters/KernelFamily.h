// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_KernelFamily_h
#define CudaFilters_KernelFamily_h

#include "CudaFiltersExport.h"
#include <cstdint>
#include <iosfwd>

namespace itk
{
/** \class CudaKernelFamilyEnum
 * \brief The groups of kernels for which a block size can be chosen.
 * \ingroup CudaFilters
 */
enum class CudaKernelFamilyEnum : std::uint8_t
{
  SeparableConvolution,
  /** Pixels from those around them: Sobel, zero crossings. */
  Stencil,
  /** The hysteresis of Canny. */
  EdgeLinking
};

/** How many families there are. */
constexpr unsigned int CudaNumberOfKernelFamilies = 3;

extern CudaFilters_EXPORT std::ostream &
                          operator<<(std::ostream & out, CudaKernelFamilyEnum family);
} // namespace itk

#endif
