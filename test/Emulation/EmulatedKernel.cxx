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
#include <utility>
#include <vector>

#if defined(EMULATED_WITH_ADDRESS_SANITIZER)
#  include <sanitizer/asan_interface.h>
#  include <sanitizer/common_interface_defs.h>
#endif

// The threads of a kernel run as fibers of one host thread. A fiber runs one kernel thread after another as long as
// none of them has to wait, so that a kernel without barriers is little more than a loop. A thread that waits keeps its
// fiber, and another fiber continues. The scheduler selects the next thread at random each time.
//
// Kernels with warp functions switch fibers tens of times per pixel. So a fiber switches to the next one at once,
// without returning to the host's stack in between, and this file, other than the kernels, is built without sanitizers
// (CMakeLists.txt); the sanitizer is told of each switch.

namespace Emulation
{
namespace
{
std::atomic<std::uint64_t> totalOfSwitches{ 0 };
std::atomic<std::uint64_t> numberOfKernels{ 0 };

/** Thrown into waiting threads to end them when the kernel has failed. */
struct KernelAborted
{};

#if defined(EMULATED_WITH_ADDRESS_SANITIZER)
constexpr std::size_t stackBytes = 256 * 1024;
#else
constexpr std::size_t stackBytes = 64 * 1024;
#endif

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

/** Random numbers (SplitMix64). */
class RandomNumbers
{
public:
  using result_type = std::uint64_t;

  explicit RandomNumbers(std::uint64_t state)
    : m_State(state)
  {}

  static constexpr result_type
  min()
  {
    return 0;
  }
  static constexpr result_type
  max()
  {
    return ~result_type{ 0 };
  }

  result_type
  operator()()
  {
    m_State += 0x9e3779b97f4a7c15ull;
    std::uint64_t z = m_State;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

  /** A number below the bound. */
  std::uint32_t
  Draw(std::uint32_t bound)
  {
    return static_cast<std::uint32_t>(((*this)() >> 32) * bound >> 32);
  }

private:
  std::uint64_t m_State;
};

/** A stack on which threads of a kernel run, one after another; or, made by the default constructor, the stack of the
 * host's thread. */
class Fiber
{
public:
  Fiber() = default;

  /** number: shifts the stack's beginning. Stacks that begin at the same address of a page compete for the same lines
   * of the processor's caches. */
  explicit Fiber(std::size_t number)
  {
    m_Memory = mmap(nullptr, stackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (m_Memory == MAP_FAILED)
    {
      throw std::bad_alloc();
    }
    boost::context::stack_context context;
    context.size = stackBytes - number * 11 % 64 * 64;
    context.sp = static_cast<char *>(m_Memory) + context.size;
    m_Bottom = m_Memory;
    m_Size = context.size;
    m_Context =
      boost::context::fiber(std::allocator_arg,
                            boost::context::preallocated(context.sp, context.size, context),
                            KeepStack(),
                            [this](boost::context::fiber && previous) {
                              this->Arrive(std::move(previous));
                              this->Work();
      // nullptr: this stack is not entered again, and AddressSanitizer releases its data.
#if defined(EMULATED_WITH_ADDRESS_SANITIZER)
                              __sanitizer_start_switch_fiber(nullptr, m_Previous->m_Bottom, m_Previous->m_Size);
#endif
                              m_Previous->m_Previous = this;
                              return std::move(m_Previous->m_Context);
                            });
  }

  ~Fiber()
  {
    if (m_Memory == nullptr)
    {
      return;
    }
    m_IsEnding = true;
    Fiber host;
    host.SwitchTo(*this);
#if defined(EMULATED_WITH_ADDRESS_SANITIZER)
    // The outermost functions of the fiber never return. Remove their poisoning, which would affect the next user of
    // these addresses.
    __asan_unpoison_memory_region(m_Memory, stackBytes);
#endif
    munmap(m_Memory, stackBytes);
  }

  Fiber(const Fiber &) = delete;
  Fiber &
  operator=(const Fiber &) = delete;

  /** Called on this stack: continues on the other, and returns when something switches back. */
  void
  SwitchTo(Fiber & other)
  {
    other.m_Previous = this;
#if defined(EMULATED_WITH_ADDRESS_SANITIZER)
    __sanitizer_start_switch_fiber(&m_FakeStack, other.m_Bottom, other.m_Size);
#endif
    this->Arrive(std::move(other.m_Context).resume());
  }

private:
  /** Notes where the stack that was left has to go on. */
  void
  Arrive(boost::context::fiber && previous)
  {
    m_Previous->m_Context = std::move(previous);
#if defined(EMULATED_WITH_ADDRESS_SANITIZER)
    __sanitizer_finish_switch_fiber(m_FakeStack, &m_Previous->m_Bottom, &m_Previous->m_Size);
#endif
  }

  void
  Work();

  void *                m_Memory = nullptr;
  const void *          m_Bottom = nullptr;
  std::size_t           m_Size = 0;
  void *                m_FakeStack = nullptr; // AddressSanitizer's, while another stack is running
  boost::context::fiber m_Context;             // where to go on, while another stack is running
  Fiber *               m_Previous = nullptr;  // the stack that was running before this one
  bool                  m_IsEnding = false;
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

  /** Selects a thread that is ready and makes it the current one. Requires that there is one. */
  void
  SelectReady();

  /** If the next thread can begin on the running fiber, makes it the current one. Else the fiber must be left. */
  bool
  StartReady();

  /** Leaves the running fiber for that of a thread that is ready, or for the host's stack if none is. */
  void
  ContinueElsewhere();

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

  std::string
  DescribeWaiting() const;

  const Launch                                m_Launch;
  const std::function<void()> &               m_Kernel;
  RandomNumbers                               m_Random;
  std::vector<std::uint64_t>                  m_BlockOrder;
  std::size_t                                 m_NextBlock = 0;
  std::vector<std::unique_ptr<Block>>         m_Blocks;
  std::vector<Thread *>                       m_Ready;
  std::vector<std::unique_ptr<MeetingRecord>> m_Records;
  std::vector<MeetingRecord *>                m_IdleRecords;
  std::vector<Fiber *>                        m_IdleFibers;
  std::vector<std::unique_ptr<Fiber>> &       m_Fibers;
  Fiber                                       m_Host;
  Fiber *                                     m_CurrentFiber = &m_Host;
  std::uint64_t                               m_NumberOfSwitches = 0;
  std::string                                 m_Failure;
  bool                                        m_IsAborting = false;
};

thread_local Scheduler * scheduler = nullptr;

void
Fiber::Work()
{
  while (!m_IsEnding)
  {
    Scheduler & master = *scheduler;
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
    master.EndThread(*master.Current);
    if (!master.StartReady())
    {
      master.m_IdleFibers.push_back(this);
      master.ContinueElsewhere();
    }
  }
}

/** Fibers are reused from kernel to kernel. */
std::vector<std::unique_ptr<Fiber>> &
GetFibersOfThisHostThread()
{
  static thread_local std::vector<std::unique_ptr<Fiber>> fibers;
  return fibers;
}

Scheduler::Scheduler(const Launch & launch, const std::function<void()> & kernel)
  : m_Launch(launch)
  , m_Kernel(kernel)
  , m_Random(RandomNumbers(GetSettings().Seed)() + ++numberOfKernels)
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
  std::fill_n(block->DynamicShared.get(), m_Launch.DynamicSharedBytes, static_cast<char>(m_Random.Draw(256)));
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

void
Scheduler::SelectReady()
{
  std::swap(m_Ready[m_Random.Draw(static_cast<std::uint32_t>(m_Ready.size()))], m_Ready.back());
  this->MakeCurrent(*m_Ready.back());
  m_Ready.pop_back();
}

bool
Scheduler::StartReady()
{
  this->Current = nullptr;
  if (m_Ready.empty())
  {
    return false;
  }
  this->SelectReady();
  return this->Current->Stack == nullptr;
}

void
Scheduler::ContinueElsewhere()
{
  Fiber & left = *m_CurrentFiber;
  m_CurrentFiber = &m_Host;
  if (this->Current != nullptr)
  {
    m_CurrentFiber = std::exchange(this->Current->Stack, nullptr);
    if (m_CurrentFiber == nullptr)
    {
      if (m_IdleFibers.empty())
      {
        m_Fibers.push_back(std::make_unique<Fiber>(m_Fibers.size()));
        m_IdleFibers.push_back(m_Fibers.back().get());
      }
      m_CurrentFiber = m_IdleFibers.back();
      m_IdleFibers.pop_back();
    }
  }
  if (m_CurrentFiber != &left)
  {
    ++m_NumberOfSwitches;
    left.SwitchTo(*m_CurrentFiber);
  }
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
    this->SelectReady();
    this->ContinueElsewhere();
  }
  totalOfSwitches += m_NumberOfSwitches;
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
  this->Current = nullptr;
  if (!m_Ready.empty())
  {
    this->SelectReady();
  }
  this->ContinueElsewhere();
  // This thread has been selected again.
  if (m_IsAborting)
  {
    throw KernelAborted();
  }
}

void
Scheduler::Interrupt(bool always)
{
  if (always || m_Random.Draw(8) == 0)
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
  std::fill_n(pieces.back().second.get(), bytes, static_cast<char>(m_Random.Draw(256)));
  return pieces.back().second.get();
}

void
Scheduler::EndThread(Thread & thread)
{
  Block & block = *thread.Home;
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
  return { totalOfSwitches, numberOfKernels };
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
