// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceMemory.h"
#include "CudaFilters/Check.cuh"
#include "Devices.h"
#include "CudaFilters/DeviceError.h"
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
std::atomic<double> cacheShare{ 0.25 };

/** The stream-ordered pool of one device; on a device without memory pools, plain allocations. */
class DevicePool
{
public:
  static DevicePool &
  Of(int device)
  {
    const std::lock_guard<std::mutex> lock(GetMutex());
    std::unique_ptr<DevicePool> &     pool = GetPools()[device];
    if (!pool)
    {
      pool.reset(new DevicePool(device));
    }
    return *pool;
  }

  /** Calls visit for every existing pool. */
  template <typename TVisit>
  static void
  ForEach(TVisit visit)
  {
    if (IsForkedAfterCuda())
    {
      return; // another thread may have locked the mutex when the process was forked
    }
    const std::lock_guard<std::mutex> lock(GetMutex());
    for (const auto & entry : GetPools())
    {
      visit(*entry.second);
    }
  }

  void *
  Allocate(std::size_t bytes, const Stream & stream)
  {
    const DeviceScope scope(m_Device);
    void *            pointer = nullptr;
    cudaError_t       error = this->TryToAllocate(pointer, bytes, stream);
    if (error == cudaErrorMemoryAllocation)
    {
      cudaGetLastError();
      this->Empty();
      error = this->TryToAllocate(pointer, bytes, stream);
    }
    if (error == cudaErrorMemoryAllocation)
    {
      cudaGetLastError();
      throw DeviceError(DeviceError::Kind::OutOfMemory,
                        "Out of memory on device " + std::to_string(m_Device) + " (" +
                          GetDeviceDescription(m_Device).Name + "): needed " + std::to_string(bytes) +
                          " bytes more, free " + std::to_string(GetFreeDeviceBytes(m_Device)) + " bytes");
    }
    Check(error, "Allocating device memory");
    m_InUse += bytes;
    return pointer;
  }

  void
  Free(void * pointer, std::size_t bytes, const Stream & stream) noexcept
  {
    try
    {
      const DeviceScope scope(m_Device);
      Check(m_Handle != nullptr ? cudaFreeAsync(pointer, stream.GetHandle()) : cudaFree(pointer),
            "Freeing device memory");
    }
    catch (const DeviceError &)
    {
      // An error cannot be handled here. If it is permanent, the next checked call reports it.
    }
    m_InUse -= bytes;
  }

  void
  Empty()
  {
    if (m_Handle != nullptr)
    {
      const DeviceScope scope(m_Device);
      SynchronizeDevice(m_Device);
      Check(cudaMemPoolTrimTo(m_Handle, 0), "Emptying the device memory pool");
    }
  }

  void
  SetCacheShare(double share)
  {
    if (m_Handle != nullptr)
    {
      const DeviceScope scope(m_Device);
      auto bytes = static_cast<std::uint64_t>(share * static_cast<double>(GetDeviceDescription(m_Device).TotalBytes));
      Check(cudaMemPoolSetAttribute(m_Handle, cudaMemPoolAttrReleaseThreshold, &bytes),
            "Setting up the device memory pool");
    }
  }

  DeviceMemoryUse
  GetUse() const
  {
    DeviceMemoryUse use;
    use.InUse = m_InUse;
    use.Reserved = m_InUse;
    if (m_Handle != nullptr && !IsForkedAfterCuda())
    {
      const DeviceScope scope(m_Device);
      std::uint64_t     reserved = 0;
      if (cudaMemPoolGetAttribute(m_Handle, cudaMemPoolAttrReservedMemCurrent, &reserved) == cudaSuccess)
      {
        use.Reserved = reserved;
      }
      else
      {
        cudaGetLastError();
      }
    }
    return use;
  }

private:
  explicit DevicePool(int device)
    : m_Device(device)
  {
    if (!GetDeviceDescription(device).HasMemoryPools)
    {
      return;
    }
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.handleTypes = cudaMemHandleTypeNone;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    Check(cudaMemPoolCreate(&m_Handle, &properties), "Creating the device memory pool");
    this->SetCacheShare(cacheShare);
  }

  cudaError_t
  TryToAllocate(void *& pointer, std::size_t bytes, const Stream & stream) const
  {
    return m_Handle != nullptr ? cudaMallocFromPoolAsync(&pointer, bytes, m_Handle, stream.GetHandle())
                               : cudaMalloc(&pointer, bytes);
  }

  // Never destroyed: images with static lifetime still free their memory when the program exits.
  static std::map<int, std::unique_ptr<DevicePool>> &
  GetPools()
  {
    static auto & pools = *new std::map<int, std::unique_ptr<DevicePool>>;
    return pools;
  }

  static std::mutex &
  GetMutex()
  {
    static auto & mutex = *new std::mutex;
    return mutex;
  }

  int                      m_Device;
  cudaMemPool_t            m_Handle = nullptr;
  std::atomic<std::size_t> m_InUse{ 0 };
};
} // namespace

DeviceBuffer::DeviceBuffer(std::size_t bytes, Stream::Pointer stream)
  : m_Bytes(bytes)
  , m_Device(stream->GetDevice())
  , m_Writer(std::move(stream))
{
  if (bytes > 0)
  {
    m_Pointer = DevicePool::Of(m_Device).Allocate(bytes, *m_Writer);
  }
}

DeviceBuffer::DeviceBuffer(void * pointer, std::size_t bytes, Stream::Pointer stream, std::shared_ptr<void> owner)
  : m_Pointer(pointer)
  , m_Bytes(bytes)
  , m_Device(stream->GetDevice())
  , m_IsBorrowed(true)
  , m_Owner(std::move(owner))
  , m_IsShared(true)
  , m_Writer(std::move(stream))
{}

DeviceBuffer::~DeviceBuffer()
{
  if (m_Pointer == nullptr || IsForkedAfterCuda())
  {
    return;
  }
  try
  {
    this->BeginWrite(*m_Writer);
    if (m_IsBorrowed)
    {
      m_Writer->Synchronize();
    }
    else if (m_IsShared)
    {
      SynchronizeDevice(m_Device);
    }
  }
  catch (const DeviceError &)
  {
    // The device has failed permanently: no work that could use this memory is running.
  }
  if (m_IsBorrowed)
  {
    return;
  }
  DevicePool::Of(m_Device).Free(m_Pointer, m_Bytes, *m_Writer);
}

void
DeviceBuffer::BeginRead(const Stream & stream) const
{
  const std::lock_guard<std::mutex> lock(m_Mutex);
  stream.WaitFor(*m_Writer);
}

void
DeviceBuffer::EndRead(const Stream::Pointer & stream)
{
  const Stream::Pointer             lasting = Stream::GetLasting(stream);
  const std::lock_guard<std::mutex> lock(m_Mutex);
  if (std::find(m_Readers.begin(), m_Readers.end(), lasting) == m_Readers.end())
  {
    m_Readers.push_back(lasting);
  }
}

void
DeviceBuffer::BeginWrite(const Stream & stream) const
{
  const std::lock_guard<std::mutex> lock(m_Mutex);
  stream.WaitFor(*m_Writer);
  for (const Stream::Pointer & reader : m_Readers)
  {
    stream.WaitFor(*reader);
  }
}

void
DeviceBuffer::EndWrite(const Stream::Pointer & stream)
{
  const Stream::Pointer             lasting = Stream::GetLasting(stream);
  const std::lock_guard<std::mutex> lock(m_Mutex);
  m_Writer = lasting;
  m_Readers.clear();
}

DeviceMemoryUse
GetDeviceMemoryUse()
{
  DeviceMemoryUse total;
  DevicePool::ForEach([&total](const DevicePool & pool) {
    const DeviceMemoryUse use = pool.GetUse();
    total.InUse += use.InUse;
    total.Reserved += use.Reserved;
  });
  return total;
}

std::size_t
GetIdlePoolBytes(int device)
{
  const DeviceMemoryUse use = DevicePool::Of(device).GetUse();
  return use.Reserved > use.InUse ? use.Reserved - use.InUse : 0;
}

void
SetDeviceCacheShare(double share)
{
  cacheShare = share;
  DevicePool::ForEach([share](DevicePool & pool) { pool.SetCacheShare(share); });
}

double
GetDeviceCacheShare()
{
  return cacheShare;
}

void
EmptyDevicePools()
{
  DevicePool::ForEach([](DevicePool & pool) { pool.Empty(); });
}
} // namespace CudaFilters
} // namespace itk
