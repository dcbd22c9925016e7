// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaLockPages_h
#define itkCudaLockPages_h

#include "Device/HostMemory.h"
#include "itkMultiThreaderBase.h"
#include <algorithm>

namespace itk
{
namespace CudaFilters
{
/** MakePageLocked() with as many threads as the program allows ITK. */
inline bool
LockPages(const void * pointer, int device)
{
  constexpr unsigned int mostThreads = 16; // more are not faster
  return MakePageLocked(
    pointer, device, std::min<unsigned int>(MultiThreaderBase::GetGlobalDefaultNumberOfThreads(), mostThreads));
}
} // namespace CudaFilters
} // namespace itk

#endif
