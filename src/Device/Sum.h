// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersSum_h
#define itkCudaFiltersSum_h

#include "CudaFilters/Execution.h"
#include <cstddef>
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** Enqueues an operation that replaces each number by the sum of those before it. Behind the last one, there must be
 * memory for the sum of all. */
void
SumBefore(const Execution & execution, std::uint64_t * numbers, std::int64_t count);

/** The device memory, in bytes, that SumBefore() needs meanwhile. */
std::size_t
GetSumScratchBytes(std::int64_t count);
} // namespace CudaFilters
} // namespace itk

#endif
