// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersSharedMemory_h
#define itkCudaFiltersSharedMemory_h

// How much shared memory the blocks of a kernel may use.

#include "Execution.h"
#include "CudaFilters/Check.cuh"
#include <cstddef>

namespace itk
{
namespace CudaFilters
{
/** The shared memory of a block that every kernel has on every device, without a request. */
constexpr std::size_t LeastSharedBytes = 48 * 1024;

/** The most that a block has on the device of an execution, on request. */
inline std::size_t
GetMostSharedBytes(const Execution & execution)
{
  return GetDeviceDescription(execution.GetDevice()).SharedBytesPerBlock;
}

/** Requests what launches of a kernel with so many bytes of dynamic shared memory need. */
template <typename TKernel>
void
RequestSharedBytes(const Execution & execution, TKernel kernel, std::size_t bytes)
{
  if (bytes > LeastSharedBytes)
  {
    // The same number for all launches of the kernel, which other threads may launch at the same time.
    Check(cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel),
                               cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(GetMostSharedBytes(execution))),
          "Requesting shared memory");
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
