// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDevicePixels_h
#define itkCudaDevicePixels_h

#include "CudaFiltersExport.h"
#include "itkCudaCopyCounters.h"
#include "itkCudaExecution.h"
#include "itkCudaGrid.h"
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace itk
{
namespace CudaFilters
{
/** A clock that goes forward by one each time it is asked; tells what happened before what. */
CudaFilters_EXPORT std::uint64_t
                   GetNextTick();

/** The device side of some pixels: memory on one device, copies from and to the host, and the count of those copies.
 *
 * There is memory if and only if its pixels are valid, except between BeginWrite() and EndWrite(). What is called
 * between a Begin and its End must be enqueued in the stream of the same Execution. Copies are finished when the call
 * returns. Not thread-safe, but for IsValid(). */
class CudaFilters_EXPORT DevicePixels
{
public:
  DevicePixels();
  ~DevicePixels();
  DevicePixels(const DevicePixels &) = delete;
  DevicePixels &
  operator=(const DevicePixels &) = delete;

  bool
  IsValid() const
  {
    return m_Valid;
  }

  /** The device where the pixels are; -1 if there are none. */
  int
  GetDevice() const;

  std::size_t
  GetBytes() const;

  /** When host and device were last known to be equal: the tick of the latest copy. */
  std::uint64_t
  GetCopyTick() const
  {
    return m_CopyTick;
  }

  const CudaCopyCounters &
  GetCopyCounters() const
  {
    return m_Counters;
  }

  /** Gives the memory back. */
  void
  Release();

  const void *
  BeginRead(const Execution & execution) const;
  void
  EndRead(const Execution & execution);

  /** Makes room for the bytes; what was there before is lost. */
  void *
  BeginWrite(const Execution & execution, std::size_t bytes);
  void
  EndWrite(const Execution & execution);

  /** Copies all pixels. */
  void
  Upload(const Execution & execution, const void * host, std::size_t bytes);
  void
  Download(void * host, std::size_t bytes) const;

  /** Copies a box of a host buffer into memory that holds just the box, or back. */
  void
  UploadBox(const Execution & execution,
            const void *      host,
            const Grid &      hostSize,
            const Grid &      start,
            const Grid &      size,
            std::size_t       bytesPerPixel);
  void
  DownloadBox(const Execution & execution,
              void *            host,
              const Grid &      hostSize,
              const Grid &      start,
              const Grid &      size,
              std::size_t       bytesPerPixel) const;

private:
  struct Implementation;

  std::unique_ptr<Implementation> m_Implementation;
  std::atomic<bool>               m_Valid{ false };
  mutable CudaCopyCounters        m_Counters;
  mutable std::uint64_t           m_CopyTick = 0;
};

/** Host memory for pixels: see src/Device/HostMemory.h. */
CudaFilters_EXPORT void *
AllocateHostPixels(std::size_t bytes);
CudaFilters_EXPORT bool
FreeHostPixels(void * pointer);
} // namespace CudaFilters
} // namespace itk

#endif
