// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersPixelFunctions_h
#define itkCudaFiltersPixelFunctions_h

#include "CudaFilters/detail/PixelFunctionOperation.h"

namespace itk
{
namespace CudaFilters
{
/** Enqueue the computation of a region. Each source file has the kernels of some functions. */
/**@{*/
void
RunUnaryPixelFunction(const Execution &               execution,
                      const RegionOnDevice &          region,
                      const PixelFunctionParameters & parameters);
void
RunArithmetic(const Execution & execution, const RegionOnDevice & region, const PixelFunctionParameters & parameters);
void
RunChoice(const Execution & execution, const RegionOnDevice & region, const PixelFunctionParameters & parameters);
/**@}*/
} // namespace CudaFilters
} // namespace itk

#endif
