// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersHostMemory_h
#define itkCudaFiltersHostMemory_h

#include <cstddef>

namespace itk
{
namespace CudaFilters
{
/** Allocates host memory for pixels that may be copied to or from a device, with operator new[]. MakePageLocked() locks
 * its pages, which makes copies several times faster. Locking is slow: locked memory is kept for reuse. Returns nullptr
 * if no memory is available. All functions are thread-safe. */
void *
AllocateHostMemory(std::size_t bytes);

/** Frees memory from AllocateHostMemory(). Returns false, and does nothing, for any other memory. */
bool
FreeHostMemory(void * pointer);

/** Makes memory from AllocateHostMemory() ordinary memory, to be freed with delete[]. Returns false, and does nothing,
 * for any other memory. */
bool
HandOverHostMemory(void * pointer);

/** Returns whether the pages of memory of any origin are locked. Those of memory from AllocateHostMemory() are locked
 * now if they were not, unless that would exceed the limit of SetPageLockedLimit() or of the system. device: the device
 * that the caller uses. threads: how many may fault in the pages of large memory first. */
bool
MakePageLocked(const void * pointer, int device, unsigned int threads);

/** Set/Get the maximum of page-locked memory in use, in bytes. Default: half of GetPhysicalBytes(). */
void
SetPageLockedLimit(std::size_t bytes);
std::size_t
GetPageLockedLimit();

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
