// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "HostMemory.h"
#include "Devices.h"
#include "CudaFilters/DeviceError.h"
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <unordered_map>
#if defined(__unix__) || defined(__APPLE__)
#  include <unistd.h>
#endif

namespace itk
{
namespace CudaFilters
{
namespace
{
class HostPool
{
public:
  static HostPool &
  GetInstance()
  {
    // Never destroyed: images with static lifetime still free their memory when the program exits.
    static HostPool & instance = *new HostPool;
    return instance;
  }

  void *
  Allocate(std::size_t bytes, int device)
  {
    // An idle block is reused if it is at most a quarter too large. Larger ones are kept for larger images.
    const std::size_t size = std::max<std::size_t>(RoundUp(bytes), Granularity);

    const std::lock_guard<std::mutex> lock(m_Mutex);

    const auto idle = m_Idle.lower_bound(size);
    if (device >= 0 && idle != m_Idle.end() && idle->first <= size + size / 4)
    {
      void * const      pointer = idle->second.Pointer;
      const std::size_t idleSize = idle->first;
      m_Idle.erase(idle);
      m_IdleBytes -= idleSize;
      return this->Remember(pointer, { idleSize, true });
    }

    Block  block{ size, true };
    void * pointer = this->Lock(size, device);
    if (pointer == nullptr && !m_Idle.empty())
    {
      this->ReleaseIdle(0);
      pointer = this->Lock(size, device);
    }
    if (pointer == nullptr)
    {
      pointer = ::operator new(size, std::align_val_t(Alignment), std::nothrow);
      block.PageLocked = false;
    }
    return pointer == nullptr ? nullptr : this->Remember(pointer, block);
  }

  bool
  Free(void * pointer)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    const auto                        entry = m_InUse.find(pointer);
    if (entry == m_InUse.end())
    {
      return false;
    }
    const Block block = entry->second;
    m_InUse.erase(entry);
    if (!block.PageLocked)
    {
      ::operator delete(pointer, std::align_val_t(Alignment));
      return true;
    }
    m_Idle.emplace(block.Bytes, IdleBlock{ pointer, ++m_Clock });
    m_IdleBytes += block.Bytes;
    m_LockedInUse -= block.Bytes;
    // The idle memory never exceeds the peak of the memory in use, nor a quarter of the physical memory. This is enough
    // to repeat the same work, and limits the pool if image sizes vary.
    this->ReleaseIdle(std::min(m_PeakInUse, GetPhysicalBytes() / 4));
    return true;
  }

  HostMemoryUse
  GetUse()
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    return { m_LockedInUse, m_LockedInUse + m_IdleBytes };
  }

  void
  Empty()
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    this->ReleaseIdle(0);
    m_PeakInUse = m_LockedInUse;
  }

private:
  static constexpr std::size_t Granularity = 4096;
  static constexpr std::size_t Alignment = 64;

  struct Block
  {
    std::size_t Bytes;
    bool        PageLocked;
  };
  struct IdleBlock
  {
    void *        Pointer;
    std::uint64_t Since; // a greater number is later
  };

  static std::size_t
  RoundUp(std::size_t bytes)
  {
    return (bytes + Granularity - 1) / Granularity * Granularity;
  }

  static std::size_t
  GetPhysicalBytes()
  {
#if defined(__unix__) || defined(__APPLE__)
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
#else
    return std::numeric_limits<std::size_t>::max();
#endif
  }

  void *
  Remember(void * pointer, const Block & block)
  {
    m_InUse.emplace(pointer, block);
    if (block.PageLocked)
    {
      m_LockedInUse += block.Bytes;
      m_PeakInUse = std::max(m_PeakInUse, m_LockedInUse);
    }
    return pointer;
  }

  /** Returns nullptr if no pages can be locked: without a device, or at the limit of the system. */
  static void *
  Lock(std::size_t bytes, int device)
  {
    if (device < 0)
    {
      return nullptr;
    }
    void * pointer = nullptr;
    try
    {
      const DeviceScope scope(device);
      if (cudaHostAlloc(&pointer, bytes, cudaHostAllocPortable) != cudaSuccess)
      {
        cudaGetLastError();
        pointer = nullptr;
      }
    }
    catch (const DeviceError &)
    {
      pointer = nullptr;
    }
    return pointer;
  }

  /** Frees idle blocks, the one unused for the longest time first, until at most bytesToKeep remain. */
  void
  ReleaseIdle(std::size_t bytesToKeep)
  {
    while (m_IdleBytes > bytesToKeep)
    {
      const auto oldest = std::min_element(
        m_Idle.begin(), m_Idle.end(), [](const auto & a, const auto & b) { return a.second.Since < b.second.Since; });
      m_IdleBytes -= oldest->first;
      cudaFreeHost(oldest->second.Pointer);
      m_Idle.erase(oldest);
    }
  }

  std::mutex                            m_Mutex;
  std::unordered_map<void *, Block>     m_InUse;
  std::multimap<std::size_t, IdleBlock> m_Idle; // by size
  std::uint64_t                         m_Clock = 0;
  std::size_t                           m_IdleBytes = 0;
  std::size_t                           m_LockedInUse = 0;
  std::size_t                           m_PeakInUse = 0;
};
} // namespace

void *
AllocateHostMemory(std::size_t bytes, int device)
{
  return HostPool::GetInstance().Allocate(bytes, device);
}

bool
FreeHostMemory(void * pointer)
{
  return HostPool::GetInstance().Free(pointer);
}

bool
IsPageLocked(const void * pointer)
{
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess)
  {
    cudaGetLastError();
    return false;
  }
  return attributes.type == cudaMemoryTypeHost;
}

HostMemoryUse
GetHostMemoryUse()
{
  return HostPool::GetInstance().GetUse();
}

void
EmptyHostPool()
{
  HostPool::GetInstance().Empty();
}
} // namespace CudaFilters
} // namespace itk
