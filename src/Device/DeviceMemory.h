// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersDeviceMemory_h
#define itkCudaFiltersDeviceMemory_h

#include "Stream.h"
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** Device memory from the stream-ordered pool of a device. The buffer knows the streams that use it: an access waits
 * for other streams if necessary, and the memory returns to the pool after its last use. Accesses from a single stream
 * cause no overhead. The caller must keep the buffer alive from Begin to End. Several threads may read. */
class DeviceBuffer
{
public:
  /** Throws a DeviceError of kind OutOfMemory if the allocation fails even after the pool has been emptied. */
  DeviceBuffer(std::size_t bytes, Stream::Pointer stream);

  /** Wraps memory of an external owner, which is kept alive until the last use has finished. stream: the stream in
   * which the memory was last written. */
  DeviceBuffer(void * pointer, std::size_t bytes, Stream::Pointer stream, std::shared_ptr<void> owner);

  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &
  operator=(const DeviceBuffer &) = delete;

  void *
  GetPointer() const
  {
    return m_Pointer;
  }

  std::size_t
  GetBytes() const
  {
    return m_Bytes;
  }

  int
  GetDevice() const
  {
    return m_Device;
  }

  /** Whether an external library also uses the memory, in streams that are not known here. This library does not write
   * shared memory again, and returns it to the pool only when the device is idle. */
  bool
  IsShared() const
  {
    return m_IsShared;
  }
  void
  SetShared()
  {
    m_IsShared = true;
  }

  /** To be called before, and after, work that reads is enqueued in the stream. */
  void
  BeginRead(const Stream & stream) const;
  void
  EndRead(const Stream::Pointer & stream);

  /** To be called before, and after, work that writes is enqueued in the stream. */
  void
  BeginWrite(const Stream & stream) const;
  void
  EndWrite(const Stream::Pointer & stream);

private:
  void *                       m_Pointer = nullptr;
  std::size_t                  m_Bytes;
  int                          m_Device;
  bool                         m_IsBorrowed = false;
  std::shared_ptr<void>        m_Owner; // of borrowed memory
  std::atomic<bool>            m_IsShared{ false };
  mutable std::mutex           m_Mutex;   // guards the two members below
  Stream::Pointer              m_Writer;  // stream of the last write, or of the allocation
  std::vector<Stream::Pointer> m_Readers; // streams that have read since then
};

/** Device memory of all pools: in use, and in total, including memory kept for reuse. */
struct DeviceMemoryUse
{
  std::size_t InUse = 0;
  std::size_t Reserved = 0;
};

DeviceMemoryUse
GetDeviceMemoryUse();

/** The bytes that the pool of one device keeps for reuse. */
std::size_t
GetIdlePoolBytes(int device);

/** Set/Get the share of a device's memory that its pool keeps for reuse; the pool returns memory beyond it to the
 * driver when a thread waits for the device. Default: 0.25. */
void
SetDeviceCacheShare(double share);
double
GetDeviceCacheShare();

/** Returns the memory that the pools keep for reuse to the driver. */
void
EmptyDevicePools();
} // namespace CudaFilters
} // namespace itk

#endif
