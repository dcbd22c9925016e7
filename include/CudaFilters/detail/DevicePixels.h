// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_DevicePixels_h
#define CudaFilters_detail_DevicePixels_h

#include "CudaFiltersExport.h"
#include "CudaFilters/CopyCounters.h"
#include "CudaFilters/Execution.h"
#include "CudaFilters/detail/HostBox.h"
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace itk
{
class CudaSharedPixels;

namespace CudaFilters
{
/** Returns the next value of a process-wide counter, which orders copies and modifications in time. Thread-safe. */
CudaFilters_EXPORT std::uint64_t
                   GetNextTick();

class DeviceBuffer;
class StagedUpload;

/** Access to device memory, during the lifetime of this object. Work that uses the pointer must be enqueued in the
 * stream of the execution during this lifetime. Keeps the memory allocated even if the image releases it. */
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

  /** Returns whether there is memory to access. */
  explicit operator bool() const { return m_Buffer != nullptr; }

private:
  friend class DevicePixels;

  /** Records in the buffer the stream that used it. */
  void
  End();

  std::shared_ptr<DeviceBuffer> m_Buffer;
  const Execution *             m_Execution = nullptr;
  bool                          m_IsForWriting = false;
};

/** The device copy of the pixels of a container: memory on one device, copies from and to the host, and the counters of
 * these copies. Memory is allocated if and only if the pixels are valid. Not thread-safe, except for IsValid(). */
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

  /** Returns the device of the pixels, or -1 if there are none. */
  int
  GetDevice() const;

  std::size_t
  GetBytes() const;

  /** Returns the tick of the latest copy between host and device, when both were last known to be equal. */
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

  /** Releases the memory. It is freed when no lease and no pending work uses it any more. */
  void
  Release();

  DeviceLease
  Read(const Execution & execution) const;

  /** Returns memory for new pixels. Releases the previous pixels. The new pixels are valid after Accept(). */
  DeviceLease
  Write(const Execution & execution, std::size_t bytes);
  void
  Accept(DeviceLease && written);

  /** Shares the memory with an external library, which may write it, or adopts memory of an external library. */
  void
  Share(CudaSharedPixels & pixels) const;
  void
  Adopt(const CudaSharedPixels & pixels);

  /** Uses the same memory as another object, and adds that object's copies to the counters. */
  void
  Adopt(const DevicePixels & other);

  /** Takes the memory of another object, whose pixels are of no use, so that Write() can use it again. */
  void
  TakeMemory(DevicePixels & other);

  /** Copies all pixels to the host. */
  void
  Download(void * host, std::size_t bytes) const;

  /** Enqueues the copy of a box of a host buffer to memory that holds only the box, or back. The host memory must stay
   * allocated until the caller has waited for the execution. UploadBox() returns access to the uploaded pixels, which
   * the caller may also overwrite while no other stream uses them; staging: if not null, copies pageable memory through
   * its page-locked buffers. The second
   * DownloadBox() accepts written pixels first. */
  DeviceLease
  UploadBox(const Execution & execution, const HostBox & box, StagedUpload * staging = nullptr);
  void
  DownloadBox(const Execution & execution, const HostBox & box) const;
  void
  DownloadBox(const Execution & execution, const HostBox & box, DeviceLease && written);

  /** Reports that host and device have the same pixels now. */
  void
  NoteEquality() const;

  /** Counts a finished copy that was made outside this class. */
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

/** Allocates and frees host memory for pixels, which is page-locked when it is first copied to or from a device; see
 * src/Device/HostMemory.h. HandOverHostPixels() gives the memory to a user, who frees it with delete[]. The last two
 * functions return false if the memory is not from AllocateHostPixels(). */
CudaFilters_EXPORT void *
AllocateHostPixels(std::size_t bytes);
CudaFilters_EXPORT bool
FreeHostPixels(void * pointer);
CudaFilters_EXPORT bool
HandOverHostPixels(void * pointer);
} // namespace CudaFilters
} // namespace itk

#endif
