// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersCopy_h
#define itkCudaFiltersCopy_h

#include "Stream.h"
#include "CudaFilters/CopyCounters.h"
#include "CudaFilters/detail/HostBox.h"
#include <cstddef>

namespace itk
{
namespace CudaFilters
{
/** Enqueues the copy of pixels between the host and device memory that holds the whole box densely. start and size give
 * the part of the box to copy; start is a position in the host buffer. */
void
Upload(void * device, const HostBox & box, const Size3 & start, const Size3 & size, const Stream & stream);
void
Download(const HostBox & box, const Size3 & start, const Size3 & size, const void * device, const Stream & stream);

/** Enqueues an operation that sets device memory to zero. */
void
Clear(void * device, std::size_t bytes, const Stream & stream);

/** Copies a few bytes of an algorithm's own data, not pixels, and waits for the stream. */
void
CopyToDevice(void * device, const void * host, std::size_t bytes, const Stream & stream);
void
CopyToHost(void * host, const void * device, std::size_t bytes, const Stream & stream);

/** Counts a copy of pixels, which may have been made in several pieces. */
void
CountUpload(std::size_t bytes);
void
CountDownload(std::size_t bytes);

/** The counts of all copies since the program started. */
CudaCopyCounters
GetCopyTotals();
} // namespace CudaFilters
} // namespace itk

#endif
