// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersCopyNumbers_h
#define itkCudaFiltersCopyNumbers_h

#include "CudaFilters/Execution.h"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** Enqueues a copy of some numbers by a kernel, to any memory that the device can address. For few of them, that is
 * faster than a copy by the driver. */
void
CopyNumbers(const Execution & execution, const std::int64_t * from, std::int64_t count, std::int64_t * to);
} // namespace CudaFilters
} // namespace itk

#endif
