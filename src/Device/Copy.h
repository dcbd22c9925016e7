// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersCopy_h
#define itkCudaFiltersCopy_h

#include "Stream.h"
#include "CudaFilters/CopyCounters.h"
#include "CudaFilters/Grid.h"
#include <cstddef>

namespace itk
{
namespace CudaFilters
{
/** A box inside a dense buffer of pixels, and where it starts there. */
struct BoxInBuffer
{
  Grid Buffer;
  Grid Start;
};

/** Enqueues the copy of a box of pixels between host and device; each counts as one copy. */
void
Upload(void *              device,
       const BoxInBuffer & to,
       const void *        host,
       const BoxInBuffer & from,
       const Grid &        size,
       std::size_t         bytesPerPixel,
       const Stream &      stream);
void
Download(void *              host,
         const BoxInBuffer & to,
         const void *        device,
         const BoxInBuffer & from,
         const Grid &        size,
         std::size_t         bytesPerPixel,
         const Stream &      stream);

/** Enqueues the copy of a dense buffer between host and device; each counts as one copy. */
void
Upload(void * device, const void * host, std::size_t bytes, const Stream & stream);
void
Download(void * host, const void * device, std::size_t bytes, const Stream & stream);

/** All copies of the program so far. */
CudaCopyCounters
GetCopyTotals();
} // namespace CudaFilters
} // namespace itk

#endif
