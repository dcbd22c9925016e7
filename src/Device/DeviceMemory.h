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
/** Device memory from the device's stream-ordered pool, which knows in which streams it is in use: an access that must
 * wait for another stream does, and the memory goes back to the pool only behind the last use. Accesses from one
 * stream cost nothing extra. Who accesses keeps the buffer alive from Begin to End; several threads may read. */
class DeviceBuffer
{
public:
  /** Throws a DeviceError of kind OutOfMemory if the memory cannot be had even after the pool was emptied. */
  DeviceBuffer(std::size_t bytes, Stream::Pointer stream);

  /** Memory of somebody else, who is kept until the last use is over. stream: where it was last written. */
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

  /** Whether others use the memory, too, in streams that are not known here: then it is not written again, and given
   * back only when the device has nothing left to do. */
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

  /** Before work that reads is enqueued in the stream, and after. */
  void
  BeginRead(const Stream & stream) const;
  void
  EndRead(const Stream::Pointer & stream);

  /** Before work that writes is enqueued in the stream, and after. */
  void
  BeginWrite(const Stream & stream) const;
  void
  EndWrite(const Stream::Pointer & stream);

private:
  void *                       m_Pointer = nullptr;
  std::size_t                  m_Bytes;
  int                          m_Device;
  bool                         m_IsBorrowed = false;
  std::shared_ptr<void>        m_Owner; // of memory that is borrowed
  std::atomic<bool>            m_IsShared{ false };
  mutable std::mutex           m_Mutex;   // guards the two below
  Stream::Pointer              m_Writer;  // where it was last written, or allocated
  std::vector<Stream::Pointer> m_Readers; // where it was read since
};

/** Device memory in use and kept ready by the pools of all devices. */
struct DeviceMemoryUse
{
  std::size_t InUse = 0;
  std::size_t Reserved = 0;
};

DeviceMemoryUse
GetDeviceMemoryUse();

/** Bytes that the pool of one device keeps ready for the next allocations. */
std::size_t
GetIdlePoolBytes(int device);

/** Gives the memory that the pools keep ready back to the driver. */
void
EmptyDevicePools();
} // namespace CudaFilters
} // namespace itk

#endif
