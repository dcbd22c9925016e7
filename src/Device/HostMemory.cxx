// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "HostMemory.h"
#include "Devices.h"
#include "ForkSafeInstance.h"
#include "PhysicalMemory.h"
#include "ThreadTeam.h"
#include "CudaFilters/DeviceError.h"
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#if defined(__unix__) || defined(__APPLE__)
#  include <unistd.h>
#endif
#ifdef __linux__
#  include <sys/mman.h>
#endif

namespace itk
{
namespace CudaFilters
{
namespace
{
std::size_t
GetPageBytes()
{
#if defined(__unix__) || defined(__APPLE__)
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
#else
  return 4096;
#endif
}

/** From this size on, large pages are worth it, and so are several threads that fault in pages. */
constexpr std::size_t minimumLargeBytes = 8 * 1024 * 1024;

/** Asks the system for large pages: there are fewer of them to fault in, and to lock. Small ones will do, too. */
void
AskForLargePages(void * pointer, std::size_t bytes)
{
#ifdef MADV_HUGEPAGE
  const std::size_t page = GetPageBytes();
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(pointer) % page) % page;
  if (bytes > before)
  {
    madvise(static_cast<char *>(pointer) + before, (bytes - before) / page * page, MADV_HUGEPAGE);
  }
#else
  (void)pointer;
  (void)bytes;
#endif
}

/** Touches each page of the memory, by several threads: cudaHostRegister() would fault in the pages by one. On a server
 * with 16 cores, 226 MB take 11 ms with the locking that follows, in place of 64. The bytes stay as they are, even if
 * another thread writes them at the same time. */
void
PrefaultPages(char * pointer, std::size_t bytes, unsigned int threads)
{
#if defined(__GNUC__)
  constexpr std::size_t atATime = 2 * 1024 * 1024;

  ThreadTeam team(threads);
  team.ForEach((bytes + atATime - 1) / atATime, [pointer, bytes](std::size_t i) {
    char * const end = pointer + std::min(bytes, (i + 1) * atATime);
    for (volatile char * byte = pointer + i * atATime; byte < end; byte += GetPageBytes())
    {
      __atomic_fetch_or(byte, 0, __ATOMIC_RELAXED);
    }
  });
#else
  (void)pointer;
  (void)bytes;
  (void)threads;
#endif
}

class HostPool
{
public:
  static HostPool &
  GetInstance()
  {
    // The pool of a forked process does not know the blocks of the former one, which can be freed with delete[].
    return GetForkSafeInstance<HostPool>();
  }

  void *
  Allocate(std::size_t bytes)
  {
    // An idle block is reused if it is at most a quarter too large. Larger ones are kept for larger images.
    const std::size_t size = std::max<std::size_t>(RoundUp(bytes), GetPageBytes());

    const std::lock_guard<std::mutex> lock(m_Mutex);

    const auto idle = m_Idle.lower_bound(size);
    if (idle != m_Idle.end() && idle->first <= size + size / 4)
    {
      void * const      pointer = idle->second.Pointer;
      const std::size_t idleSize = idle->first;
      m_Idle.erase(idle);
      m_IdleBytes -= idleSize;
      this->AddLocked(idleSize);
      m_Blocks.emplace(static_cast<char *>(pointer), Block{ idleSize, true, true });
      return pointer;
    }
    void * pointer = AllocateBlock(size);
    if (pointer == nullptr && !m_Idle.empty())
    {
      this->ReleaseIdle(0);
      pointer = AllocateBlock(size);
    }
    if (pointer != nullptr)
    {
      m_Blocks.emplace(static_cast<char *>(pointer), Block{ size, false, false });
    }
    return pointer;
  }

  bool
  Free(void * pointer)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    const Block                       block = this->Forget(pointer);
    if (block.IsLocked)
    {
      m_Idle.emplace(block.Bytes, IdleBlock{ pointer, ++m_Clock });
      m_IdleBytes += block.Bytes;
      // The idle memory never exceeds the peak of the memory in use, nor half of the limit. This is enough to repeat
      // the same work, and limits the pool if image sizes vary.
      this->ReleaseIdle(std::min(m_PeakBytes, m_Limit / 2));
    }
    else if (block.Bytes > 0)
    {
      ::operator delete[](pointer);
    }
    return block.Bytes > 0;
  }

  bool
  HandOver(void * pointer)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    const Block                       block = this->Forget(pointer);
    if (block.IsLocked)
    {
      this->Unlock(pointer);
    }
    return block.Bytes > 0;
  }

  bool
  MakeLocked(const void * pointer, int device, unsigned int threads)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    const auto                        next = m_Blocks.upper_bound(static_cast<char *>(const_cast<void *>(pointer)));
    if (next == m_Blocks.begin())
    {
      return false;
    }
    const auto entry = std::prev(next);
    Block &    block = entry->second;
    if (static_cast<const char *>(pointer) >= entry->first + block.Bytes)
    {
      return false;
    }
    if (!block.WasLockingTried && m_LockedBytes + block.Bytes <= m_Limit)
    {
      this->ReleaseIdle(m_Limit - m_LockedBytes - block.Bytes);
      block.WasLockingTried = true;
      // The mutex is held meanwhile, so that no other thread frees the block.
      if (block.Bytes >= minimumLargeBytes)
      {
        PrefaultPages(entry->first, block.Bytes, threads);
      }
      block.IsLocked = this->Lock(entry->first, block.Bytes, device);
      if (!block.IsLocked && !m_Idle.empty())
      {
        this->ReleaseIdle(0);
        block.IsLocked = this->Lock(entry->first, block.Bytes, device);
      }
      this->AddLocked(block.IsLocked ? block.Bytes : 0);
    }
    return block.IsLocked;
  }

  void
  SetLimit(std::size_t bytes)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_Limit = bytes;
    this->ReleaseIdle(m_Limit > m_LockedBytes ? m_Limit - m_LockedBytes : 0);
  }

  std::size_t
  GetLimit()
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    return m_Limit;
  }

  HostMemoryUse
  GetUse()
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    return { m_LockedBytes, m_LockedBytes + m_IdleBytes };
  }

  void
  Empty()
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    this->ReleaseIdle(0);
    m_PeakBytes = m_LockedBytes;
  }

private:
  struct Block
  {
    std::size_t Bytes = 0;
    bool        WasLockingTried = false;
    bool        IsLocked = false;
  };
  struct IdleBlock
  {
    void *        Pointer;
    std::uint64_t Since; // a greater number is later
  };

  static std::size_t
  RoundUp(std::size_t bytes)
  {
    const std::size_t page = GetPageBytes();
    return (bytes + page - 1) / page * page;
  }

  /** The memory can be freed with delete[], since a program may take it over. A page can be locked only once: two
   * unused pages at the end keep the pages of two blocks apart. */
  static void *
  AllocateBlock(std::size_t bytes)
  {
    void * const pointer = ::operator new[](bytes + 2 * GetPageBytes(), std::nothrow);
    if (pointer != nullptr && bytes >= minimumLargeBytes)
    {
      AskForLargePages(pointer, bytes);
    }
    return pointer;
  }

  /** Returns the description of a block, which is no longer in use now; of size 0 if there is none at the address. */
  Block
  Forget(void * pointer)
  {
    const auto entry = m_Blocks.find(static_cast<char *>(pointer));
    if (entry == m_Blocks.end())
    {
      return {};
    }
    const Block block = entry->second;
    m_Blocks.erase(entry);
    m_LockedBytes -= block.IsLocked ? block.Bytes : 0;
    return block;
  }

  void
  AddLocked(std::size_t bytes)
  {
    m_LockedBytes += bytes;
    m_PeakBytes = std::max(m_PeakBytes, m_LockedBytes);
  }

  /** Returns false if the system locks no more pages. */
  bool
  Lock(void * pointer, std::size_t bytes, int device)
  {
    try
    {
      const DeviceScope scope(device);
      if (cudaHostRegister(pointer, bytes, cudaHostRegisterPortable) == cudaSuccess)
      {
        m_Device = device;
        return true;
      }
      cudaGetLastError();
    }
    catch (const DeviceError &)
    {
      // Ordinary memory will do.
    }
    return false;
  }

  void
  Unlock(void * pointer)
  {
    try
    {
      const DeviceScope scope(m_Device);
      if (cudaHostUnregister(pointer) != cudaSuccess)
      {
        cudaGetLastError();
      }
    }
    catch (const DeviceError &)
    {
      // The device has failed: it has no access to the memory any more.
    }
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
      this->Unlock(oldest->second.Pointer);
      ::operator delete[](oldest->second.Pointer);
      m_Idle.erase(oldest);
    }
  }

  std::mutex                            m_Mutex;
  std::map<char *, Block>               m_Blocks; // in use
  std::multimap<std::size_t, IdleBlock> m_Idle;   // page-locked blocks by size
  std::uint64_t                         m_Clock = 0;
  std::size_t                           m_IdleBytes = 0;
  std::size_t                           m_LockedBytes = 0; // in use
  std::size_t                           m_PeakBytes = 0;   // of m_LockedBytes
  std::size_t                           m_Limit = GetPhysicalBytes() / 2;
  int                                   m_Device = 0; // of the last locked block; Unlock() needs any used device
};
} // namespace

void *
AllocateHostMemory(std::size_t bytes)
{
  return HostPool::GetInstance().Allocate(bytes);
}

bool
FreeHostMemory(void * pointer)
{
  return HostPool::GetInstance().Free(pointer);
}

bool
HandOverHostMemory(void * pointer)
{
  return HostPool::GetInstance().HandOver(pointer);
}

bool
MakePageLocked(const void * pointer, int device, unsigned int threads)
{
  if (HostPool::GetInstance().MakeLocked(pointer, device, threads))
  {
    return true;
  }
  const DeviceScope     scope(device);
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess)
  {
    cudaGetLastError();
    return false;
  }
  return attributes.type == cudaMemoryTypeHost;
}

void
SetPageLockedLimit(std::size_t bytes)
{
  HostPool::GetInstance().SetLimit(bytes);
}

std::size_t
GetPageLockedLimit()
{
  return HostPool::GetInstance().GetLimit();
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
