// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_DerivativeOperation_h
#define CudaFilters_detail_DerivativeOperation_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/PixelType.h"
#include "CudaFilters/detail/ScalarType.h"
#include <array>

namespace itk
{
namespace CudaFilters
{
/** The magnitude of the gradient by central differences. weights: of the difference along each axis, 0 along z in 2-D.
 */
CudaFilters_EXPORT OperationPointer
MakeGradientMagnitudeOperation(unsigned int                  dimension,
                               const std::array<double, 3> & weights,
                               PixelType                     input,
                               ScalarType                    output);

/** The sum of the 3 x 3 (x 3) pixels around each pixel, with weights in the order of memory; 9 of them in 2-D.
 * Input pixels are float or double, as LaplacianImageFilter demands. */
CudaFilters_EXPORT OperationPointer
MakeWeightedSumOperation(unsigned int                   dimension,
                         const std::array<double, 27> & weights,
                         PixelType                      input,
                         ScalarType                     output);
} // namespace CudaFilters
} // namespace itk

#endif
