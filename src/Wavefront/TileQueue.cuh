// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersTileQueue_cuh
#define itkCudaFiltersTileQueue_cuh

#include "../Device/Warp.cuh"
#include <cstdint>
#include <cuda/atomic>

namespace itk
{
namespace CudaFilters
{
/** Acquire-release fence at device scope: orders the preceding accesses of this thread, and of the threads that it has
 * synchronised with, before its following accesses, as seen by all threads of the device. */
__device__ __forceinline__ void
Fence()
{
  cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
}

/** Not a valid tile number. In a ring slot, it signals termination to the warps that poll the slot. */
constexpr std::uint32_t NoTile = 0xffffffffu;

/** In a ring slot: the worker whose ticket names this slot has left. */
constexpr std::uint32_t Abandoned = 0xfffffffeu;

/** The clock of the multiprocessor, in cycles; comparable within one multiprocessor only. (nvcc does not declare
 * clock64() for the host pass.) */
__device__ __forceinline__ long long
ReadClock()
{
#if defined(__CUDACC__)
  long long cycles = 0;
#  if defined(__CUDA_ARCH__)
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles));
#  endif
  return cycles;
#else
  return clock64();
#endif
}

/** How long a kernel may run, and how long a worker may wait for a tile, in clock cycles. */
struct TimeLimits
{
  long long Run;
  long long Idle;
};

/** The time since a worker has started. */
class WorkTime
{
public:
  __device__ explicit WorkTime(const TimeLimits & limits)
    : m_Start(ReadClock())
    , m_Limits(limits)
  {}

  /** For kernels that take little time: without limits. */
  __device__
  WorkTime()
    : m_Start(0)
    , m_Limits{ INT64_MAX, INT64_MAX }
  {}

  /** Whether the kernel is to end. */
  __device__ bool
  IsOver() const
  {
    return ReadClock() - m_Start > m_Limits.Run;
  }

  /** Whether the worker has waited long enough since a time of ReadClock(). */
  __device__ bool
  IsIdleSince(long long since) const
  {
    return ReadClock() - since > m_Limits.Idle;
  }

private:
  long long  m_Start;
  TimeLimits m_Limits;
};

/** The neighbours of a tile are numbered from 0 to 26, with x changing fastest; 13 is the tile itself. */
constexpr int TilesAround = 27;
constexpr int TileItself = 13;

/** Counters of a queue. Those that many workers modify at the same time are in different cache lines. */
struct TileCounters
{
  /** The number of tickets issued to workers that take a tile. */
  alignas(128) std::uint32_t Taken;
  /** Upper half: the number of ring slots assigned to tiles so far. Lower half: the number of tiles in the queue or
   * being visited. One atomic operation modifies both, so that no worker sees an empty queue while tiles are being put
   * into it. */
  alignas(128) unsigned long long Put;
  /** The number of ring slots marked Abandoned that no tile has replaced yet. */
  alignas(128) std::uint32_t AbandonedSlots;
  /** The number of workers that have ended early, as surplus. */
  std::uint32_t EndedWorkers;
  /** Not 0 if all workers must end, so that the driver launches the kernel again: the time of a worker is over, or more
   * tiles wait than workers remain. */
  std::uint32_t IsEnding;
  /** Statistics. */
  alignas(128) unsigned long long Visits;
  unsigned long long Sweeps;
};

/** A queue of tiles for many workers without a lock. A worker is a warp. A worker that takes a tile gets a ticket, and
 * polls only the ring slot that the ticket names. A tile is in the queue at most once, and is visited by one worker at
 * a time: if a tile is requested while it is being visited, its visitor puts it back into the queue at the end of the
 * visit. So the ring never needs more slots than there are tiles. If a worker is delayed by a whole round of the ring,
 * its slot may still be occupied when the next tile is put there, or two workers may poll the same slot. In the first
 * case the putting worker waits until the slot is empty; in the second case each tile goes to one of the two
 * workers.
 *
 * Workers end when their time is over, wherever tiles are then: the state of each tile tells whether it is still to be
 * visited, and RequeueTilesKernel builds the queue again. Surplus workers end earlier, so that other streams can use
 * their multiprocessors. Such a worker marks the slot of its ticket; the next tile goes to another slot. */
class TileQueue
{
public:
  /** Tiles: the number of tiles per axis. States: one word per tile, initialised by ChooseTilesKernel. Ring: 2^n words,
   * at least as many as tiles, initialised to 0. */
  std::uint32_t   Tiles[3];
  std::uint32_t * States;
  std::uint32_t * Ring;
  std::uint32_t   RingMask;
  TileCounters *  Counters;

  /** Bits of a tile's state. A worker modifies the state before it puts the tile into the ring, and after it takes the
   * tile from the ring. An atomic that has returned its result has been performed, so that all workers see this
   * order. */
  static constexpr std::uint32_t Wanted = 1;  // in the queue, or to be put there by its visitor
  static constexpr std::uint32_t Visited = 2; // being visited

  /** Puts the tiles of the lanes with hasTile into the queue. The whole warp calls it. pending: the change of the
   * number of tiles in the queue or being visited. Returns true if this number becomes 0. */
  __device__ bool
  Push(bool hasTile, std::uint32_t tile, int pending, const WorkTime & time) const
  {
    const unsigned int votes = __ballot_sync(AllLanes, hasTile);
    if (votes == 0u && pending == 0)
    {
      return false;
    }
    unsigned long long before = 0;
    if (GetLaneOfWarp() == 0)
    {
      before = atomicAdd(&this->Counters->Put,
                         (static_cast<unsigned long long>(__popc(votes)) << 32) +
                           static_cast<unsigned long long>(static_cast<long long>(pending)));
    }
    const std::uint32_t first = __shfl_sync(AllLanes, static_cast<std::uint32_t>(before >> 32), 0);
    if (hasTile)
    {
      std::uint32_t place = first + __popc(votes & ((1u << GetLaneOfWarp()) - 1u));
      while (true)
      {
        std::uint32_t * const slot = this->Ring + (place & this->RingMask);
        const std::uint32_t   former = atomicCAS(slot, 0u, tile + 1u);
        if (former == 0u)
        {
          break;
        }
        if (former == Abandoned && atomicCAS(slot, Abandoned, 0u) == Abandoned)
        {
          atomicSub(&this->Counters->AbandonedSlots, 1u);
          place = static_cast<std::uint32_t>(atomicAdd(&this->Counters->Put, 1ull << 32) >> 32);
          continue;
        }
        // The worker that took the previous tile from this slot, one round of the ring ago, has not emptied it yet. If
        // it never will, the state of this tile tells that the tile is to be visited.
        if (time.IsOver())
        {
          break;
        }
        __nanosleep(20);
      }
    }
    const std::uint32_t after = static_cast<std::uint32_t>(before) + static_cast<std::uint32_t>(pending);
    return __shfl_sync(AllLanes, after, 0) == 0u;
  }

  /** Returns the next tile, or NoTile if the worker is to end: all work is done, the time is over, or more workers wait
   * than needed. Called by one lane. The lane polls only its own ring slot, with increasing pauses, so that waiting
   * warps do not take memory bandwidth from working ones. */
  __device__ std::uint32_t
             Pop(const WorkTime & time, std::uint32_t workers) const
  {
    long long             since = ReadClock();
    std::uint32_t * const slot = this->Ring + (atomicAdd(&this->Counters->Taken, 1u) & this->RingMask);
    unsigned int          pause = 25; // ns
    while (true)
    {
      const std::uint32_t found = *static_cast<volatile std::uint32_t *>(slot);
      if (found == NoTile)
      {
        return NoTile;
      }
      // A delayed worker may poll this slot for the tile of the previous round: each tile goes to one of the two
      // workers.
      if (found != 0u && found != Abandoned && atomicCAS(slot, found, 0u) == found)
      {
        atomicExch(this->States + (found - 1u), Visited);
        return found - 1u;
      }
      if (time.IsOver())
      {
        this->End();
        return NoTile;
      }
      if (found == 0u && time.IsIdleSince(since))
      {
        // Not at every poll, since working warps modify the counters.
        since = ReadClock();
        if (this->IsEnding() || this->TryToLeave(slot, workers))
        {
          return NoTile;
        }
      }
      __nanosleep(pause);
      pause = pause < 200 ? 2 * pause : pause;
    }
  }

  /** Signals termination to all workers that wait or will wait, when all work is done. The whole warp calls it. Each
   * worker polls at most one slot, and all polled slots are behind the last tile, so one signal per worker suffices. */
  __device__ void
  SignalTermination(std::uint32_t workers) const
  {
    const auto behind = static_cast<std::uint32_t>(this->GetPutAndPending() >> 32);
    for (std::uint32_t i = GetLaneOfWarp(); i < workers; i += LanesPerWarp)
    {
      atomicExch(this->Ring + ((behind + i) & this->RingMask), NoTile);
    }
  }

  /** The number of tickets for which there is no tile yet; if negative, the number of tiles in the queue. */
  __device__ std::int32_t
             GetNumberOfWaiting() const
  {
    const auto          put = static_cast<std::uint32_t>(this->GetPutAndPending() >> 32);
    const std::uint32_t taken = *static_cast<volatile std::uint32_t *>(&this->Counters->Taken);
    return static_cast<std::int32_t>(taken - put);
  }

  /** The number of workers that have ended early. If more tiles wait than workers remain, the kernel must be launched
   * again. */
  __device__ std::uint32_t
             GetNumberOfEndedWorkers() const
  {
    return *static_cast<volatile std::uint32_t *>(&this->Counters->EndedWorkers);
  }

  /** Lets all workers end, so that the kernel is started again. */
  __device__ void
  End() const
  {
    *static_cast<volatile std::uint32_t *>(&this->Counters->IsEnding) = 1u;
  }
  __device__ bool
  IsEnding() const
  {
    return *static_cast<volatile std::uint32_t *>(&this->Counters->IsEnding) != 0u;
  }

  /** Whether no tile is in the queue or being visited. */
  __device__ bool
  IsDone() const
  {
    return static_cast<std::uint32_t>(this->GetPutAndPending()) == 0u;
  }

  /** Ends the visit of a tile. The whole warp calls it. around: the neighbours to visit, one bit each. With keepsOne,
   * the caller tries to claim one of them without the queue. Returns the claimed tile, which the caller must visit
   * next, or NoTile. The worker that ends the last visit signals termination. */
  __device__ std::uint32_t
  Finish(std::uint32_t tile, unsigned int around, bool keepsOne, std::uint32_t workers, const WorkTime & time) const
  {
    const int     lane = GetLaneOfWarp();
    const int     keeper = keepsOne ? __ffs(static_cast<int>(around)) - 1 : -1;
    const bool    isAround = lane < TilesAround && (around >> lane & 1u) != 0u;
    std::uint32_t mine = tile;
    std::uint32_t former = 0;
    // Each lane issues at most one atomic here, so that the latencies of all lanes overlap.
    if (lane == TileItself)
    {
      former = atomicAnd(this->States + tile, ~Visited);
    }
    else if (isAround)
    {
      mine = tile + static_cast<std::uint32_t>((lane / 9 - 1) * static_cast<int>(this->Tiles[0] * this->Tiles[1]) +
                                               (lane / 3 % 3 - 1) * static_cast<int>(this->Tiles[0]) + (lane % 3 - 1));
      former = lane == keeper ? atomicCAS(this->States + mine, 0u, Visited) : atomicOr(this->States + mine, Wanted);
    }
    const bool isKept = lane == keeper && former == 0u;
    if (lane == keeper && !isKept)
    {
      former = atomicOr(this->States + mine, Wanted);
    }
    const bool         isToPut = lane == TileItself ? (former & Wanted) != 0u : isAround && !isKept && former == 0u;
    const unsigned int votes = __ballot_sync(AllLanes, isToPut);
    const bool         keeps = __any_sync(AllLanes, isKept) != 0;
    if (this->Push(isToPut, mine, __popc(votes) + (keeps ? 1 : 0) - 1, time))
    {
      this->SignalTermination(workers);
    }
    return keeps ? __shfl_sync(AllLanes, mine, keeper) : NoTile;
  }

private:
  /** Marks the slot as abandoned and returns true if more than an eighth of the workers wait. Otherwise returns false.
   */
  __device__ bool
  TryToLeave(std::uint32_t * slot, std::uint32_t workers) const
  {
    // Counted first, so that workers that leave at the same time see different numbers.
    const std::uint32_t left = atomicAdd(&this->Counters->AbandonedSlots, 1u);
    const std::int32_t  waiting = this->GetNumberOfWaiting() - static_cast<std::int32_t>(left);
    if (waiting > static_cast<std::int32_t>(workers / 8u) && atomicCAS(slot, 0u, Abandoned) == 0u)
    {
      atomicAdd(&this->Counters->EndedWorkers, 1u);
      return true;
    }
    atomicSub(&this->Counters->AbandonedSlots, 1u);
    return false;
  }

  __device__ unsigned long long
  GetPutAndPending() const
  {
    return *static_cast<volatile unsigned long long *>(&this->Counters->Put);
  }
};

/** Initialises the states and puts the tiles that must be visited into the queue. Each warp checks inARow consecutive
 * tiles at a time, and puts the chosen ones with one atomic operation. Shared memory holds one tile per warp. */
template <typename TOperation>
__global__ void
__launch_bounds__(TOperation::ThreadsPerBlock) ChooseTilesKernel(TileQueue queue, TOperation operation, int inARow)
{
  CUDAFILTERS_SHARED(typename TOperation::Storage, storages, [TOperation::ThreadsPerBlock / LanesPerWarp]);
  auto &              storage = storages[threadIdx.x / LanesPerWarp];
  const std::uint32_t tiles = queue.Tiles[0] * queue.Tiles[1] * queue.Tiles[2];
  const std::uint32_t warps = gridDim.x * blockDim.x / LanesPerWarp;
  const std::uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / LanesPerWarp;
  for (std::uint64_t first = static_cast<std::uint64_t>(warp) * inARow; first < tiles;
       first += static_cast<std::uint64_t>(warps) * inARow)
  {
    unsigned int chosen = 0;
    for (int i = 0; i < inARow && first + i < tiles; ++i)
    {
      chosen |= operation.IsToVisit(queue, static_cast<std::uint32_t>(first + i), storage) ? 1u << i : 0u;
    }
    const auto tile = static_cast<std::uint32_t>(first) + GetLaneOfWarp();
    const bool isChosen = (chosen >> GetLaneOfWarp() & 1u) != 0u;
    if (GetLaneOfWarp() < inARow && tile < tiles)
    {
      queue.States[tile] = isChosen ? TileQueue::Wanted : 0u;
    }
    queue.Push(isChosen, tile, __popc(chosen), WorkTime());
  }
}

/** Puts the tiles that are still to be visited into an empty queue, after a launch of VisitTilesKernel whose time was
 * over. The lanes of a warp check a tile each. */
template <int VThreadsPerBlock>
__global__ void
__launch_bounds__(VThreadsPerBlock) RequeueTilesKernel(TileQueue queue)
{
  const std::uint32_t tiles = queue.Tiles[0] * queue.Tiles[1] * queue.Tiles[2];
  const std::uint32_t threads = gridDim.x * blockDim.x;
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (std::uint64_t first = thread - GetLaneOfWarp(); first < tiles; first += threads)
  {
    const auto         tile = static_cast<std::uint32_t>(first) + GetLaneOfWarp();
    const bool         isWanted = tile < tiles && queue.States[tile] != 0u;
    const unsigned int votes = __ballot_sync(AllLanes, isWanted);
    if (isWanted)
    {
      queue.States[tile] = TileQueue::Wanted;
    }
    queue.Push(isWanted, tile, __popc(votes), WorkTime());
  }
}

/** Visits tiles until none is left, or the time is over. Each warp is a worker: it takes a tile from the queue, visits
 * it, and requests visits of its neighbours. The driver starts as many blocks as the device executes at the same time;
 * more would find no work. Shared memory holds one tile per warp. TOperation::Visit(queue, tile, storage, isBusy,
 * sweeps) processes a tile and returns the neighbours to visit, one bit each. */
template <typename TOperation>
__global__ void
__launch_bounds__(TOperation::ThreadsPerBlock, TOperation::LeastBlocks)
  VisitTilesKernel(TileQueue queue, TOperation operation, TimeLimits limits)
{
  constexpr unsigned int visitsPerCheck = 8; // a visit takes some microseconds
  const WorkTime         time(limits);
  CUDAFILTERS_SHARED(typename TOperation::Storage, storages, [TOperation::ThreadsPerBlock / LanesPerWarp]);
  auto &              storage = storages[threadIdx.x / LanesPerWarp];
  const std::uint32_t workers = gridDim.x * blockDim.x / LanesPerWarp;
  unsigned long long  visits = 0;
  unsigned long long  sweeps = 0;
  std::uint32_t       tile = NoTile;
  bool                isToCheck = false; // whether it is time to check isEnding and the time
  bool                isEnding = false;
  // A block that starts late finds tickets of workers that have ended.
  if (__any_sync(AllLanes, queue.IsDone() || queue.IsEnding()) != 0)
  {
    return;
  }
  while (true)
  {
    if (tile == NoTile || isToCheck)
    {
      if (GetLaneOfWarp() == 0)
      {
        // Each launch visits a tile at least.
        if (visits != 0 && (time.IsOver() || isEnding))
        {
          queue.End();
          if (tile != NoTile)
          {
            atomicExch(queue.States + tile, TileQueue::Wanted);
            tile = NoTile;
          }
        }
        else if (tile == NoTile)
        {
          tile = queue.Pop(time, workers);
        }
      }
      tile = __shfl_sync(AllLanes, tile, 0);
      if (tile == NoTile)
      {
        break;
      }
    }
    // Acquire: the writes of the workers that requested this tile are visible from here on.
    Fence();
    __syncwarp();
    ++visits;
    isToCheck = visits % visitsPerCheck == 0;
    const std::int32_t  waiting = queue.GetNumberOfWaiting();
    const bool          isBusy = waiting < 0;
    const std::uint32_t ended = isToCheck ? queue.GetNumberOfEndedWorkers() : 0u;
    const bool          isEndingNow = isToCheck && queue.IsEnding();
    const unsigned int  around = operation.Visit(queue, tile, storage, isBusy, sweeps);
    // Release: the writes of this visit are visible to the workers that visit the requested tiles.
    __syncwarp();
    Fence();
    tile = queue.Finish(tile, around, __any_sync(AllLanes, !isBusy) != 0, workers, time);
    // Computed here, since the loads take as long as the visit.
    isEnding = isEndingNow || (ended != 0u && -waiting > static_cast<std::int32_t>(workers - ended));
  }
  if (GetLaneOfWarp() == 0)
  {
    atomicAdd(&queue.Counters->Visits, visits);
    atomicAdd(&queue.Counters->Sweeps, sweeps);
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
