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
/** Enqueues the copy of pixels between the host and device memory that holds the whole box densely: of those from
 * start, a position in the host's buffer, on. */
void
Upload(void * device, const HostBox & box, const Size3 & start, const Size3 & size, const Stream & stream);
void
Download(const HostBox & box, const Size3 & start, const Size3 & size, const void * device, const Stream & stream);

/** Enqueues the filling of device memory with zeros. */
void
Clear(void * device, std::size_t bytes, const Stream & stream);

/** Copies a few bytes that an algorithm has for itself, not pixels, and waits for the stream. */
void
CopyToDevice(void * device, const void * host, std::size_t bytes, const Stream & stream);
void
CopyToHost(void * host, const void * device, std::size_t bytes, const Stream & stream);

/** Counts a copy, which may have been made in several pieces. */
void
CountUpload(std::size_t bytes);
void
CountDownload(std::size_t bytes);

/** All copies of the program so far. */
CudaCopyCounters
GetCopyTotals();
} // namespace CudaFilters
} // namespace itk

#endif
