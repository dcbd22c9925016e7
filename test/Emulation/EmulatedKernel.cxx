// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "EmulatedKernel.h"
#include "EmulatedRuntime.h"
#include <boost/context/fiber.hpp>
#include <boost/context/preallocated.hpp>
#include <sys/mman.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#  include <sanitizer/asan_interface.h>
#  include <sanitizer/common_interface_defs.h>
#endif

// The threads of a kernel run as fibers of one host thread. A fiber runs one kernel thread after another as long as
// none of them has to wait, so that a kernel without barriers is little more than a loop. A thread that waits keeps its
// fiber, and another fiber continues. The scheduler selects the next thread at random each time.

namespace Emulation
{
namespace
{
std::atomic<std::uint64_t> numberOfSwitches{ 0 };
std::atomic<std::uint64_t> numberOfKernels{ 0 };

/** Thrown into waiting threads to end them when the kernel has failed. */
struct KernelAborted
{};

#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t stackBytes = 256 * 1024;
#else
constexpr std::size_t stackBytes = 64 * 1024;
#endif

/** The bounds of a stack, and the data that AddressSanitizer needs while another stack is running. */
struct StackNotes
{
  const void * Bottom = nullptr;
  std::size_t  Size = 0;
  void *       FakeStack = nullptr;

  void
  BeforeSwitchTo(const StackNotes & other)
  {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&this->FakeStack, other.Bottom, other.Size);
#else
    static_cast<void>(other);
#endif
  }

  /** cameFrom: receives the bounds of the stack that was left. */
  void
  AfterSwitch(StackNotes * cameFrom)
  {
#if defined(__SANITIZE_ADDRESS__)
    const void * bottom = nullptr;
    std::size_t  size = 0;
    __sanitizer_finish_switch_fiber(this->FakeStack, &bottom, &size);
    if (cameFrom != nullptr)
    {
      cameFrom->Bottom = bottom;
      cameFrom->Size = size;
    }
#else
    static_cast<void>(cameFrom);
#endif
  }
};

struct KeepStack
{
  boost::context::stack_context
  allocate()
  {
    return {};
  }
  void
  deallocate(boost::context::stack_context &)
  {}
};

struct MeetingRecord
{
  Meeting       Result{};
  std::uint32_t Required = 0;
  std::uint32_t Arrived = 0;
  unsigned int  Users = 0;
};

class Fiber;
struct Block;

struct Thread
{
  uint3           Index{};
  unsigned int    Rank = 0;
  Block *         Home = nullptr;
  Fiber *         Stack = nullptr; // set while the thread waits or has been interrupted
  MeetingRecord * LastMeeting = nullptr;
  const char *    WaitsFor = nullptr;
};

struct Warp
{
  std::vector<MeetingRecord *> Open;
};

struct Block
{
  uint3                                                         Index{};
  std::vector<Thread>                                           Threads;
  std::vector<Warp>                                             Warps;
  unsigned int                                                  NumberAlive = 0;
  std::vector<Thread *>                                         AtBarrier;
  std::array<std::vector<Thread *>, 16>                         AtNumberedBarriers;
  std::vector<std::pair<const void *, std::unique_ptr<char[]>>> Shared;
  std::unique_ptr<char[]>                                       DynamicShared;
};

/** Runs one kernel on the calling host thread. */
class Scheduler
{
public:
  Scheduler(const Launch & launch, const std::function<void()> & kernel);
  ~Scheduler();

  cudaError_t
  Run(std::string & failure);

  /** Called by the running thread of the kernel. */
  void
  WaitAtBarrier();
  void
  WaitAtBarrier(unsigned int number, unsigned int threads);
  const Meeting &
  Meet(std::uint32_t mask, std::uint64_t value);
  void
  Interrupt(bool always);
  void *
  GetSharedMemory(const void * tag, std::size_t bytes);

  /** The running thread of the kernel. */
  Thread * Current = nullptr;

private:
  friend class Fiber;

  void
  MakeCurrent(Thread & thread)
  {
    this->Current = &thread;
    threadIdx = thread.Index;
    blockIdx = thread.Home->Index;
    blockDim = m_Launch.Block;
    gridDim = m_Launch.Grid;
  }

  void
  Fail(const std::string & why);

  /** Makes the next block resident. Returns false if there is none. */
  bool
  AdmitBlock();

  void
  EndThread(Thread & thread);

  Thread *
  DrawReady();

  void
  MakeReady(Thread & thread)
  {
    thread.WaitsFor = nullptr;
    m_Ready.push_back(&thread);
  }

  void
  ReleaseBarrierIfComplete(Block & block);

  /** Leaves the fiber of the running thread. It is resumed when the scheduler selects the thread again. waitsFor: what
   * the thread waits for; nullptr if it is ready. */
  void
  Suspend(const char * waitsFor);

  void
  LeaveMeeting(Thread & thread);

  std::uint64_t
  Draw(std::uint64_t bound)
  {
    return m_Random() % bound;
  }

  std::string
  DescribeWaiting() const;

  const Launch                                m_Launch;
  const std::function<void()> &               m_Kernel;
  std::mt19937_64                             m_Random;
  std::vector<std::uint64_t>                  m_BlockOrder;
  std::size_t                                 m_NextBlock = 0;
  std::vector<std::unique_ptr<Block>>         m_Blocks;
  std::vector<Thread *>                       m_Ready;
  std::vector<std::unique_ptr<MeetingRecord>> m_Records;
  std::vector<MeetingRecord *>                m_IdleRecords;
  std::vector<Fiber *>                        m_IdleFibers;
  std::vector<std::unique_ptr<Fiber>> &       m_Fibers;
  Fiber *                                     m_CurrentFiber = nullptr;
  StackNotes                                  m_HostStack;
  std::string                                 m_Failure;
  bool                                        m_IsAborting = false;
};

thread_local Scheduler * scheduler = nullptr;

class Fiber
{
public:
  Fiber()
  {
    m_Memory = mmap(nullptr, stackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (m_Memory == MAP_FAILED)
    {
      throw std::bad_alloc();
    }
    m_Notes.Bottom = m_Memory;
    m_Notes.Size = stackBytes;
    boost::context::stack_context context;
    context.size = stackBytes;
    context.sp = static_cast<char *>(m_Memory) + stackBytes;
    m_Context = boost::context::fiber(std::allocator_arg,
                                      boost::context::preallocated(context.sp, context.size, context),
                                      KeepStack(),
                                      [this](boost::context::fiber && host) {
                                        m_Host = std::move(host);
                                        this->Work();
      // nullptr: this stack is not entered again, and AddressSanitizer releases its data.
#if defined(__SANITIZE_ADDRESS__)
                                        __sanitizer_start_switch_fiber(nullptr, m_HostNotes->Bottom, m_HostNotes->Size);
#endif
                                        return std::move(m_Host);
                                      });
  }

  ~Fiber()
  {
    m_IsEnding = true;
    StackNotes host;
    this->Resume(host);
#if defined(__SANITIZE_ADDRESS__)
    // The outermost functions of the fiber never return. Remove their poisoning, which would affect the next user of
    // these addresses.
    __asan_unpoison_memory_region(m_Memory, stackBytes);
#endif
    munmap(m_Memory, stackBytes);
  }

  Fiber(const Fiber &) = delete;
  Fiber &
  operator=(const Fiber &) = delete;

  /** Switches from the host's stack to this fiber. */
  void
  Resume(StackNotes & host)
  {
    ++numberOfSwitches;
    m_HostNotes = &host;
    host.BeforeSwitchTo(m_Notes);
    m_Context = std::move(m_Context).resume();
    host.AfterSwitch(nullptr);
  }

  /** Switches back to the host's stack. */
  void
  Leave()
  {
    m_Notes.BeforeSwitchTo(*m_HostNotes);
    m_Host = std::move(m_Host).resume();
    m_Notes.AfterSwitch(m_HostNotes);
  }

private:
  void
  Work()
  {
    m_Notes.AfterSwitch(m_HostNotes);
    while (!m_IsEnding)
    {
      Scheduler & master = *scheduler;
      Thread *    thread = master.Current;
      while (thread != nullptr)
      {
        master.MakeCurrent(*thread);
        try
        {
          master.m_Kernel();
        }
        catch (const KernelAborted &)
        {}
        catch (const std::exception & error)
        {
          master.Fail(std::string("the kernel threw an exception: ") + error.what());
        }
        master.EndThread(*thread);
        thread = nullptr;
        if (!master.m_Ready.empty())
        {
          thread = master.DrawReady();
          if (thread->Stack != nullptr)
          {
            master.m_Ready.push_back(thread);
            thread = nullptr;
          }
        }
      }
      master.m_IdleFibers.push_back(this);
      this->Leave();
    }
  }

  void *                m_Memory = nullptr;
  StackNotes            m_Notes;
  StackNotes *          m_HostNotes = nullptr;
  boost::context::fiber m_Context;
  boost::context::fiber m_Host;
  bool                  m_IsEnding = false;
};

/** Fibers are reused from kernel to kernel. */
std::vector<std::unique_ptr<Fiber>> &
GetFibersOfThisHostThread()
{
  static thread_local std::vector<std::unique_ptr<Fiber>> fibers;
  return fibers;
}

std::uint64_t
Mix(std::uint64_t a, std::uint64_t b)
{
  std::uint64_t z = a + 0x9e3779b97f4a7c15ull * (b + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

Scheduler::Scheduler(const Launch & launch, const std::function<void()> & kernel)
  : m_Launch(launch)
  , m_Kernel(kernel)
  , m_Random(Mix(GetSettings().Seed, ++numberOfKernels))
  , m_BlockOrder(std::uint64_t(launch.Grid.x) * launch.Grid.y * launch.Grid.z)
  , m_Fibers(GetFibersOfThisHostThread())
{
  std::iota(m_BlockOrder.begin(), m_BlockOrder.end(), 0);
  std::shuffle(m_BlockOrder.begin(), m_BlockOrder.end(), m_Random);
  for (const auto & fiber : m_Fibers)
  {
    m_IdleFibers.push_back(fiber.get());
  }
  scheduler = this;
}

Scheduler::~Scheduler() { scheduler = nullptr; }

bool
Scheduler::AdmitBlock()
{
  if (m_NextBlock == m_BlockOrder.size() || m_IsAborting)
  {
    return false;
  }
  const std::uint64_t number = m_BlockOrder[m_NextBlock++];
  const dim3 &        grid = m_Launch.Grid;
  const dim3 &        size = m_Launch.Block;
  const unsigned int  count = size.x * size.y * size.z;

  auto block = std::make_unique<Block>();
  block->Index = { static_cast<unsigned int>(number % grid.x),
                   static_cast<unsigned int>(number / grid.x % grid.y),
                   static_cast<unsigned int>(number / grid.x / grid.y) };
  block->Threads.resize(count);
  block->Warps.resize((count + 31) / 32);
  block->NumberAlive = count;
  block->DynamicShared.reset(new char[m_Launch.DynamicSharedBytes]);
  std::fill_n(block->DynamicShared.get(), m_Launch.DynamicSharedBytes, static_cast<char>(this->Draw(256)));
  for (unsigned int rank = 0; rank < count; ++rank)
  {
    Thread & thread = block->Threads[rank];
    thread.Index = { rank % size.x, rank / size.x % size.y, rank / size.x / size.y };
    thread.Rank = rank;
    thread.Home = block.get();
    this->MakeReady(thread);
  }
  m_Blocks.push_back(std::move(block));
  return true;
}

Thread *
Scheduler::DrawReady()
{
  std::swap(m_Ready[this->Draw(m_Ready.size())], m_Ready.back());
  Thread * const thread = m_Ready.back();
  m_Ready.pop_back();
  return thread;
}

cudaError_t
Scheduler::Run(std::string & failure)
{
  while (m_Blocks.size() < GetSettings().ResidentBlocks && this->AdmitBlock())
  {}
  for (;;)
  {
    if (m_Ready.empty())
    {
      if (m_Blocks.empty())
      {
        break;
      }
      // Deadlock: no thread is ready, and some threads wait.
      if (!m_IsAborting)
      {
        this->Fail("threads wait for each other for ever: " + this->DescribeWaiting());
      }
      m_IsAborting = true;
      for (const auto & block : m_Blocks)
      {
        block->AtBarrier.clear();
        for (auto & waiting : block->AtNumberedBarriers)
        {
          waiting.clear();
        }
        for (Thread & thread : block->Threads)
        {
          if (thread.WaitsFor != nullptr)
          {
            this->MakeReady(thread);
          }
        }
      }
      continue;
    }
    this->MakeCurrent(*this->DrawReady());
    Fiber * fiber = std::exchange(this->Current->Stack, nullptr);
    if (fiber == nullptr)
    {
      if (m_IdleFibers.empty())
      {
        m_Fibers.push_back(std::make_unique<Fiber>());
        m_IdleFibers.push_back(m_Fibers.back().get());
      }
      fiber = m_IdleFibers.back();
      m_IdleFibers.pop_back();
    }
    m_CurrentFiber = fiber;
    fiber->Resume(m_HostStack);
  }
  failure = m_Failure;
  return m_Failure.empty() ? cudaSuccess : cudaErrorLaunchFailure;
}

void
Scheduler::Fail(const std::string & why)
{
  if (m_Failure.empty())
  {
    m_Failure = why;
  }
}

std::string
Scheduler::DescribeWaiting() const
{
  std::string text;
  for (const auto & block : m_Blocks)
  {
    std::map<std::string, unsigned int> counts;
    for (const Thread & thread : block->Threads)
    {
      if (thread.WaitsFor != nullptr)
      {
        ++counts[thread.WaitsFor];
      }
    }
    const uint3 & index = block->Index;
    text += text.empty() ? "" : "; ";
    text += "of block (" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " + std::to_string(index.z) +
            "), with " + std::to_string(block->NumberAlive) + " threads that have not ended,";
    for (const auto & entry : counts)
    {
      text += " " + std::to_string(entry.second) + " wait at " + entry.first;
    }
  }
  return text;
}

void
Scheduler::Suspend(const char * waitsFor)
{
  Thread * const self = this->Current;
  self->WaitsFor = waitsFor;
  self->Stack = m_CurrentFiber;
  m_CurrentFiber->Leave();
  // Resumed: the host's loop has made this thread the current one.
  if (m_IsAborting)
  {
    throw KernelAborted();
  }
}

void
Scheduler::Interrupt(bool always)
{
  if (always || this->Draw(8) == 0)
  {
    m_Ready.push_back(this->Current);
    this->Suspend(nullptr);
  }
}

void
Scheduler::ReleaseBarrierIfComplete(Block & block)
{
  if (!block.AtBarrier.empty() && block.AtBarrier.size() == block.NumberAlive)
  {
    for (Thread * const thread : block.AtBarrier)
    {
      this->MakeReady(*thread);
    }
    block.AtBarrier.clear();
  }
}

void
Scheduler::WaitAtBarrier()
{
  Block & block = *this->Current->Home;
  block.AtBarrier.push_back(this->Current);
  this->ReleaseBarrierIfComplete(block);
  this->Suspend(block.AtBarrier.empty() ? nullptr : "__syncthreads()");
}

void
Scheduler::WaitAtBarrier(unsigned int number, unsigned int threads)
{
  auto & barriers = this->Current->Home->AtNumberedBarriers;
  if (number == 0 || number >= barriers.size() || threads % 32 != 0)
  {
    // On a device, __syncthreads() uses barrier 0.
    this->Fail("a thread called __barrier_sync_count() with a barrier, or a number of threads, that is not supported");
    m_IsAborting = true;
    throw KernelAborted();
  }
  auto & waiting = barriers[number];
  waiting.push_back(this->Current);
  const bool isComplete = waiting.size() == threads;
  if (isComplete)
  {
    for (Thread * const thread : waiting)
    {
      this->MakeReady(*thread);
    }
    waiting.clear();
  }
  this->Suspend(isComplete ? nullptr : "__barrier_sync_count()");
}

void
Scheduler::LeaveMeeting(Thread & thread)
{
  MeetingRecord * const record = std::exchange(thread.LastMeeting, nullptr);
  if (record != nullptr && --record->Users == 0)
  {
    m_IdleRecords.push_back(record);
  }
}

const Meeting &
Scheduler::Meet(std::uint32_t mask, std::uint64_t value)
{
  Thread &            thread = *this->Current;
  Block &             block = *thread.Home;
  Warp &              warp = block.Warps[thread.Rank / 32];
  const unsigned int  lane = thread.Rank % 32;
  const std::size_t   lanes = std::min<std::size_t>(block.Threads.size() - thread.Rank / 32 * 32, 32);
  const std::uint32_t existing = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1u;

  this->LeaveMeeting(thread);
  if ((mask >> lane & 1u) == 0)
  {
    this->Fail("a thread called a warp function with a mask that does not name its lane");
    m_IsAborting = true;
    throw KernelAborted();
  }

  const auto open = std::find_if(
    warp.Open.begin(), warp.Open.end(), [mask](const MeetingRecord * record) { return record->Result.Mask == mask; });
  MeetingRecord * record = nullptr;
  if (open != warp.Open.end())
  {
    record = *open;
  }
  else
  {
    if (m_IdleRecords.empty())
    {
      m_Records.push_back(std::make_unique<MeetingRecord>());
      m_IdleRecords.push_back(m_Records.back().get());
    }
    record = m_IdleRecords.back();
    m_IdleRecords.pop_back();
    record->Result.Mask = mask;
    record->Required = mask & existing;
    record->Arrived = 0;
    record->Users = 0;
    warp.Open.push_back(record);
  }

  thread.LastMeeting = record;
  record->Result.Values[lane] = value;
  record->Arrived |= 1u << lane;
  ++record->Users;
  if (record->Arrived != record->Required)
  {
    this->Suspend("a warp function");
    return record->Result;
  }
  warp.Open.erase(std::find(warp.Open.begin(), warp.Open.end(), record));
  for (unsigned int other = 0; other < 32; ++other)
  {
    if (other != lane && (record->Required >> other & 1u) != 0)
    {
      this->MakeReady(block.Threads[thread.Rank / 32 * 32 + other]);
    }
  }
  // The last lane to arrive must not always be the first to continue.
  this->Interrupt(true);
  return record->Result;
}

void *
Scheduler::GetSharedMemory(const void * tag, std::size_t bytes)
{
  auto & pieces = this->Current->Home->Shared;
  for (const auto & piece : pieces)
  {
    if (piece.first == tag)
    {
      return piece.second.get();
    }
  }
  pieces.emplace_back(tag, std::unique_ptr<char[]>(new char[bytes]));
  std::fill_n(pieces.back().second.get(), bytes, static_cast<char>(this->Draw(256)));
  return pieces.back().second.get();
}

void
Scheduler::EndThread(Thread & thread)
{
  Block & block = *thread.Home;
  this->Current = nullptr;
  this->LeaveMeeting(thread);
  if (--block.NumberAlive > 0)
  {
    this->ReleaseBarrierIfComplete(block);
    return;
  }
  for (const Warp & warp : block.Warps)
  {
    m_IdleRecords.insert(m_IdleRecords.end(), warp.Open.begin(), warp.Open.end());
  }
  m_Blocks.erase(
    std::find_if(m_Blocks.begin(), m_Blocks.end(), [&block](const auto & other) { return other.get() == &block; }));
  this->AdmitBlock();
}
} // namespace

cudaError_t
RunKernel(const Launch & launch, const std::function<void()> & kernel, std::string & failure)
{
  return Scheduler(launch, kernel).Run(failure);
}

Statistics
GetStatistics()
{
  return { numberOfSwitches, numberOfKernels };
}

void *
GetSharedMemory(const void * tag, std::size_t bytes)
{
  return scheduler->GetSharedMemory(tag, bytes);
}

void *
GetDynamicSharedMemory()
{
  return scheduler->Current->Home->DynamicShared.get();
}

void
SynchronizeBlock()
{
  scheduler->WaitAtBarrier();
}

void
SynchronizeThreads(unsigned int barrier, unsigned int threads)
{
  scheduler->WaitAtBarrier(barrier, threads);
}

const Meeting &
Meet(std::uint32_t mask, std::uint64_t value)
{
  return scheduler->Meet(mask, value);
}

unsigned int
GetLane()
{
  return scheduler->Current->Rank % 32;
}

long long
GetClock()
{
  static std::atomic<long long> clock{ 0 };
  return clock += 1000;
}

void
Yield()
{
  scheduler->Interrupt(true);
}

void
MaybeYield()
{
  scheduler->Interrupt(false);
}
} // namespace Emulation
