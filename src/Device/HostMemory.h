// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersHostMemory_h
#define itkCudaFiltersHostMemory_h

#include <cstddef>

namespace itk
{
namespace CudaFilters
{
/** Allocates host memory for pixels that are copied to or from a device. It is page-locked, which makes copies several
 * times faster, and kept for reuse, since locking pages is slow. Ordinary memory if the device is -1 or no more pages
 * can be locked. Returns nullptr if no memory is available. Thread-safe. */
void *
AllocateHostMemory(std::size_t bytes, int device);

/** Frees memory from AllocateHostMemory(). Returns false, and does nothing, for any other pointer. */
bool
FreeHostMemory(void * pointer);

/** Whether memory of any origin is page-locked. */
bool
IsPageLocked(const void * pointer);

/** Page-locked memory: in use, and in total, including memory kept for reuse. */
struct HostMemoryUse
{
  std::size_t InUse = 0;
  std::size_t Reserved = 0;
};

HostMemoryUse
GetHostMemoryUse();

/** Returns the page-locked memory that is kept for reuse to the system. */
void
EmptyHostPool();
} // namespace CudaFilters
} // namespace itk

#endif
