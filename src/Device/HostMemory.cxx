// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "HostMemory.h"
#include "Devices.h"
#include "ForkSafeInstance.h"
#include "ThreadTeam.h"
#include "CudaFilters/DeviceError.h"
#include <cuda_runtime.h>
#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <system_error>
#include <thread>
#include <utility>
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

/** From this size on, the time that the system takes to provide the pages of memory is worth a few threads. */
constexpr std::size_t manyBytes = 8 * 1024 * 1024;

/** Asks the system for large pages: there are fewer of them to provide, and to lock. */
void
AskForLargePages(void * pointer, std::size_t bytes)
{
#ifdef MADV_HUGEPAGE
  const std::size_t page = GetPageBytes();
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(pointer) % page) % page;
  madvise(static_cast<char *>(pointer) + before, bytes / page * page, MADV_HUGEPAGE); // or else small ones will do
#else
  (void)pointer;
  (void)bytes;
#endif
}

/** Makes the system provide the pages of memory now, by several threads. The driver, which locks them, would make it do
 * so by one. The bytes stay as they are, even if another thread writes them at the same time. */
void
TouchPages(char * pointer, std::size_t bytes)
{
#if defined(__GNUC__)
  constexpr std::size_t atATime = 2 * 1024 * 1024;

  ThreadTeam team(std::min(std::max(std::thread::hardware_concurrency(), 1u), 16u));
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
    const std::size_t size = std::max<std::size_t>(RoundUp(bytes), GetPageBytes());

    std::unique_lock<std::mutex> lock(m_Mutex);
    m_IsProvided.wait(lock, [this, size] {
      const auto provided = m_Provided.find(size);
      return provided == m_Provided.end() || provided->second != nullptr;
    });

    const auto idle = this->FindIdle(size);
    if (idle != m_Idle.end())
    {
      void * const      pointer = idle->second.Pointer;
      const std::size_t idleSize = idle->first;
      m_Idle.erase(idle);
      m_IdleBytes -= idleSize;
      this->AddLocked(idleSize);
      m_Blocks.emplace(static_cast<char *>(pointer), Block{ idleSize, true, true, false });
      return pointer;
    }
    const bool isNew = this->IsNew(size);
    const auto provided = m_Provided.find(size);
    void *     pointer = nullptr;
    if (provided != m_Provided.end())
    {
      pointer = provided->second;
      m_Provided.erase(provided);
    }
    else
    {
      pointer = AllocateBlock(size);
    }
    if (pointer == nullptr && !m_Idle.empty())
    {
      this->ReleaseIdle(0);
      pointer = AllocateBlock(size);
    }
    if (pointer != nullptr)
    {
      if (size >= manyBytes)
      {
        m_KnownSizes.insert(size);
      }
      m_Blocks.emplace(static_cast<char *>(pointer), Block{ size, false, false, isNew });
    }
    return pointer;
  }

  /** Returns whether Provide() is worth it: blocks of this size take time, and none is there. Then it must follow. */
  bool
  BeginToProvide(std::size_t bytes)
  {
    const std::size_t                 size = RoundUp(bytes);
    const std::lock_guard<std::mutex> lock(m_Mutex);
    const bool                        isWorthIt = this->IsNew(size) && m_Provided.count(size) == 0;
    if (isWorthIt)
    {
      m_Provided.emplace(size, nullptr);
    }
    return isWorthIt;
  }

  /** Makes a block, without keeping others from the pool while it takes time. */
  void
  Provide(std::size_t bytes)
  {
    const std::size_t size = RoundUp(bytes);
    void * const      pointer = AllocateBlock(size);
    if (pointer != nullptr)
    {
      TouchPages(static_cast<char *>(pointer), size);
    }
    const std::lock_guard<std::mutex> lock(m_Mutex);
    if (pointer == nullptr)
    {
      m_Provided.erase(size);
    }
    else
    {
      m_Provided[size] = pointer;
    }
    m_IsProvided.notify_all();
  }

  /** Frees the block, if nobody has taken it. */
  void
  EndProviding(std::size_t bytes)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    const auto                        provided = m_Provided.find(RoundUp(bytes));
    if (provided != m_Provided.end())
    {
      ::operator delete[](provided->second);
      m_Provided.erase(provided);
      m_IsProvided.notify_all();
    }
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
  IsFirstCopyTo(const void * pointer)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    const auto                        entry = this->FindBlock(pointer);
    return entry != m_Blocks.end() && std::exchange(entry->second.IsNew, false);
  }

  bool
  MakeLocked(const void * pointer, int device)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    const auto                        entry = this->FindBlock(pointer);
    if (entry == m_Blocks.end())
    {
      return false;
    }
    Block & block = entry->second;
    block.IsNew = false;
    if (!block.WasLockingTried && m_LockedBytes + block.Bytes <= m_Limit)
    {
      this->ReleaseIdle(m_Limit - m_LockedBytes - block.Bytes);
      block.WasLockingTried = true;
      block.IsLocked = Lock(entry->first, block.Bytes, device);
      if (!block.IsLocked && !m_Idle.empty())
      {
        this->ReleaseIdle(0);
        block.IsLocked = Lock(entry->first, block.Bytes, device);
      }
      m_Device = block.IsLocked ? device : m_Device;
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
    bool        IsNew = false; // large, the first one of its size, and no copy has used it
  };
  struct IdleBlock
  {
    void *        Pointer;
    std::uint64_t Since; // a greater number is later
  };

  /** The block that contains an address. */
  std::map<char *, Block>::iterator
  FindBlock(const void * pointer)
  {
    const auto next = m_Blocks.upper_bound(static_cast<char *>(const_cast<void *>(pointer)));
    const auto entry = next == m_Blocks.begin() ? m_Blocks.end() : std::prev(next);
    const bool isInside =
      entry != m_Blocks.end() && static_cast<const char *>(pointer) < entry->first + entry->second.Bytes;
    return isInside ? entry : m_Blocks.end();
  }

  /** An idle block is reused if it is at most a quarter too large. Larger ones are kept for larger images. */
  std::multimap<std::size_t, IdleBlock>::iterator
  FindIdle(std::size_t size)
  {
    const auto idle = m_Idle.lower_bound(size);
    return idle != m_Idle.end() && idle->first <= size + size / 4 ? idle : m_Idle.end();
  }

  /** Whether a block of this size is the first one, and large. */
  bool
  IsNew(std::size_t size)
  {
    return size >= manyBytes && m_KnownSizes.count(size) == 0 && this->FindIdle(size) == m_Idle.end();
  }

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
    if (pointer != nullptr && bytes >= manyBytes)
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
  static bool
  Lock(void * pointer, std::size_t bytes, int device)
  {
    try
    {
      const DeviceScope scope(device);
      if (bytes >= manyBytes)
      {
        TouchPages(static_cast<char *>(pointer), bytes);
      }
      if (cudaHostRegister(pointer, bytes, cudaHostRegisterPortable) == cudaSuccess)
      {
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
  std::condition_variable               m_IsProvided;
  std::map<std::size_t, void *>         m_Provided;   // blocks by size; nullptr for one that is being made
  std::set<std::size_t>                 m_KnownSizes; // of all large blocks so far
  std::map<char *, Block>               m_Blocks;     // in use
  std::multimap<std::size_t, IdleBlock> m_Idle;       // page-locked blocks by size
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

HostMemoryInAdvance::HostMemoryInAdvance(std::size_t bytes)
{
  HostPool & pool = HostPool::GetInstance();
  if (pool.BeginToProvide(bytes))
  {
    m_Bytes = bytes;
    try
    {
      m_Thread = std::thread([&pool, bytes] { pool.Provide(bytes); });
    }
    catch (const std::system_error &)
    {
      pool.EndProviding(bytes); // there are no more threads
    }
  }
}

HostMemoryInAdvance::~HostMemoryInAdvance()
{
  if (m_Thread.joinable())
  {
    m_Thread.join();
    HostPool::GetInstance().EndProviding(m_Bytes);
  }
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
IsFirstCopyTo(const void * pointer)
{
  return HostPool::GetInstance().IsFirstCopyTo(pointer);
}

bool
MakePageLocked(const void * pointer, int device)
{
  if (HostPool::GetInstance().MakeLocked(pointer, device))
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

std::size_t
GetPhysicalBytes()
{
#if defined(__unix__) || defined(__APPLE__)
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * GetPageBytes();
#else
  return std::numeric_limits<std::size_t>::max();
#endif
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
