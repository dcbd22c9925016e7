// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersHostMemory_h
#define itkCudaFiltersHostMemory_h

#include <cstddef>

namespace itk
{
namespace CudaFilters
{
/** Host memory for pixels that go to and come from a device: page-locked and kept for reuse, since locking pages is
 * slow, and copies from and to locked pages are several times faster. Ordinary memory if the device is -1 or no more
 * pages can be locked. Returns nullptr when there is no memory at all. Thread-safe. */
void *
AllocateHostMemory(std::size_t bytes, int device);

/** Takes back what AllocateHostMemory() gave. Returns false, and does nothing, for any other pointer. */
bool
FreeHostMemory(void * pointer);

/** Whether memory, from here or anywhere else, is page-locked. */
bool
IsPageLocked(const void * pointer);

/** Page-locked memory in use and kept ready. */
struct HostMemoryUse
{
  std::size_t InUse = 0;
  std::size_t Reserved = 0;
};

HostMemoryUse
GetHostMemoryUse();

/** Gives the page-locked memory that is kept ready back to the system. */
void
EmptyHostPool();
} // namespace CudaFilters
} // namespace itk

#endif
