// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_DevicePixels_h
#define CudaFilters_DevicePixels_h

#include "CudaFiltersExport.h"
#include "CudaFilters/CopyCounters.h"
#include "CudaFilters/Execution.h"
#include "CudaFilters/Grid.h"
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace itk
{
class CudaSharedPixels;

namespace CudaFilters
{
/** A clock that goes forward by one each time it is asked; tells what happened before what. */
CudaFilters_EXPORT std::uint64_t
                   GetNextTick();

class DeviceBuffer;

/** Access to device memory, from its beginning to its end: work that uses the pointer must be enqueued in the stream of
 * the execution while this lives. Keeps the memory alive, whatever becomes of the image meanwhile. */
class CudaFilters_EXPORT DeviceLease
{
public:
  DeviceLease() = default;
  ~DeviceLease();
  DeviceLease(DeviceLease && other) noexcept;
  DeviceLease &
  operator=(DeviceLease && other) noexcept;

  void *
  GetPointer() const;

private:
  friend class DevicePixels;

  /** Tells the buffer in which stream it was used. */
  void
  End();

  std::shared_ptr<DeviceBuffer> m_Buffer;
  const Execution *             m_Execution = nullptr;
  bool                          m_IsForWriting = false;
};

/** A box of pixels in a dense buffer on the host. */
struct HostBox
{
  /** All pixels of a buffer without shape. */
  static HostBox
  OfBuffer(const void * buffer, std::size_t pixels, std::size_t bytesPerPixel = 1)
  {
    const Grid size{ { static_cast<std::int64_t>(pixels), 1, 1 } };
    return { const_cast<void *>(buffer), size, { { 0, 0, 0 } }, size, bytesPerPixel };
  }

  void *      Buffer;
  Grid        BufferSize;
  Grid        Start;
  Grid        Size;
  std::size_t BytesPerPixel;

  std::size_t
  GetBytes() const
  {
    return GetNumberOfPixels(this->Size) * this->BytesPerPixel;
  }
};

/** The device side of some pixels: memory on one device, copies from and to the host, and the count of those copies.
 * There is memory if and only if its pixels are valid. Not thread-safe, but for IsValid(). */
class CudaFilters_EXPORT DevicePixels
{
public:
  DevicePixels() = default;
  DevicePixels(const DevicePixels &) = delete;
  DevicePixels &
  operator=(const DevicePixels &) = delete;

  bool
  IsValid() const
  {
    return m_IsValid;
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

  /** Gives the memory back, as soon as nobody uses it any more. */
  void
  Release();

  DeviceLease
  Read(const Execution & execution) const;

  /** Memory for new pixels. What was there before is lost; what is written counts after Accept(). */
  DeviceLease
  Write(const Execution & execution, std::size_t bytes);
  void
  Accept(DeviceLease && written);

  /** Lends the memory to others, who may write it, too; or takes theirs. */
  void
  Share(CudaSharedPixels & pixels) const;
  void
  Adopt(const CudaSharedPixels & pixels);

  /** Copies all pixels to the host. */
  void
  Download(void * host, std::size_t bytes) const;

  /** Enqueues the copy of a box of a host buffer into memory that holds just the box, or back. The host's memory must
   * stay until somebody has waited for the execution. */
  void
  UploadBox(const Execution & execution, const HostBox & box);
  void
  DownloadBox(const Execution & execution, const HostBox & box) const;

  /** Counts a copy that somebody else has made, and finished. */
  void
  NoteUpload(std::size_t bytes) const;
  void
  NoteDownload(std::size_t bytes) const;

private:
  std::shared_ptr<DeviceBuffer> m_Buffer;
  std::atomic<bool>             m_IsValid{ false };
  mutable CudaCopyCounters      m_Counters;
  mutable std::uint64_t         m_CopyTick = 0;
};

/** Host memory for pixels, page-locked where the process's CudaInterface has a usable device: see
 * src/Device/HostMemory.h. */
CudaFilters_EXPORT void *
AllocateHostPixels(std::size_t bytes);
CudaFilters_EXPORT bool
FreeHostPixels(void * pointer);
} // namespace CudaFilters
} // namespace itk

#endif
