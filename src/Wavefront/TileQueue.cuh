// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersTileQueue_cuh
#define itkCudaFiltersTileQueue_cuh

#include "../Device/Launch.h"
#include <cstdint>
#include <cuda/atomic>

namespace itk
{
namespace CudaFilters
{
constexpr unsigned int AllLanes = 0xffffffffu;
constexpr int          LanesPerWarp = 32;

__device__ __forceinline__ int
GetLaneOfWarp()
{
  return static_cast<int>(threadIdx.x % LanesPerWarp);
}

/** Orders what this thread, and those it was synchronised with, did before for all others on the device; both ways. */
__device__ __forceinline__ void
Fence()
{
  cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
}

/** No tile has this number; in the ring, it tells those who wait there that nothing will come any more. */
constexpr std::uint32_t NoTile = 0xffffffffu;

/** The tiles around a tile are named by a number from 0 to 26, x changing fastest; 13 is the tile itself. */
constexpr int TilesAround = 27;
constexpr int TileItself = 13;

/** What the workers change; parts that many of them change at once lie in different cache lines. */
struct TileCounters
{
  /** Tickets that were given to those who take. */
  alignas(128) std::uint32_t Taken;
  /** Places that were given to those who put, in the upper half, and how many tiles are in the queue or being visited,
   * in the lower: both change in one go, so that nobody sees an empty queue while tiles are being put into it. */
  alignas(128) unsigned long long Put;
  /** For those who study. */
  alignas(128) unsigned long long Visits;
  unsigned long long Sweeps;
};

/** A queue of tiles for many workers, each a warp. Nobody locks it: a worker that takes gets a ticket and waits at the
 * place of the ring that the ticket names. A tile is in the queue at most once, and is visited by one worker at a time:
 * when it is wanted while being visited, its visitor puts it back in the end. So no more tiles are in the ring than it
 * has places; and where a place is still taken, or two wait at one, since somebody was held up for a whole round, they
 * wait for each other. */
class TileQueue
{
public:
  /** The tiles an axis has; one word for each tile, which ChooseTilesKernel sets; and the ring with 2^n words, at least
   * as many as tiles, all 0 at first. */
  std::uint32_t   Tiles[3];
  std::uint32_t * States;
  std::uint32_t * Ring;
  std::uint32_t   RingMask;
  TileCounters *  Counters;

  /** The states: combinations of these. A tile's state is changed before the tile is put into the ring, and after it
   * was taken from there; what an atomic function returned has been done, so that this order holds for all. */
  static constexpr std::uint32_t Wanted = 1;  // in the queue, or to be put there by the visitor
  static constexpr std::uint32_t Visited = 2; // being visited at present

  /** Puts the tiles of those lanes that have one; the whole warp calls it. pending: by how much the number of tiles in
   * work changes. Returns whether none is left then. */
  __device__ bool
  PutTogether(bool hasTile, std::uint32_t tile, int pending) const
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
      const std::uint32_t   place = first + __popc(votes & ((1u << GetLaneOfWarp()) - 1u));
      std::uint32_t * const slot = this->Ring + (place & this->RingMask);
      // Who took from this place a whole round ago may not have emptied it yet.
      while (atomicCAS(slot, 0u, tile + 1u) != 0u)
      {
        __nanosleep(20);
      }
    }
    const std::uint32_t after = static_cast<std::uint32_t>(before) + static_cast<std::uint32_t>(pending);
    return __shfl_sync(AllLanes, after, 0) == 0u;
  }

  /** The next tile; NoTile if all work is done. Called by one lane. Waits at a place of the ring, and looks nowhere
   * else meanwhile: those who wait must not keep the memory busy for those who work. */
  __device__ std::uint32_t
             Take() const
  {
    std::uint32_t * const slot = this->Ring + (atomicAdd(&this->Counters->Taken, 1u) & this->RingMask);
    unsigned int          pause = 25; // ns
    while (true)
    {
      const std::uint32_t found = *static_cast<volatile std::uint32_t *>(slot);
      if (found == NoTile)
      {
        return NoTile;
      }
      // Somebody who was held up may wait here, too, for the tile of a whole round ago: one of both gets each tile.
      if (found != 0u && atomicCAS(slot, found, 0u) == found)
      {
        atomicExch(this->States + (found - 1u), Visited);
        return found - 1u;
      }
      __nanosleep(pause);
      pause = pause < 200 ? 2 * pause : pause;
    }
  }

  /** Sends those home who wait, or will, when all work is done; the whole warp calls it. Each of the workers waits at
   * one place at most, and all these are behind the last tile. */
  __device__ void
  Close(std::uint32_t workers) const
  {
    const auto behind = static_cast<std::uint32_t>(this->GetPutAndPending() >> 32);
    for (std::uint32_t i = GetLaneOfWarp(); i < workers; i += LanesPerWarp)
    {
      atomicExch(this->Ring + ((behind + i) & this->RingMask), NoTile);
    }
  }

  /** Whether tiles wait in the queue. */
  __device__ bool
  IsBusy() const
  {
    // What was put but not yet asked for; negative where some wait for tiles.
    const auto          put = static_cast<std::uint32_t>(this->GetPutAndPending() >> 32);
    const std::uint32_t taken = *static_cast<volatile std::uint32_t *>(&this->Counters->Taken);
    return static_cast<std::int32_t>(put - taken) > 0;
  }

  /** Whether no tile is in the queue or being visited. */
  __device__ bool
  IsDone() const
  {
    return static_cast<std::uint32_t>(this->GetPutAndPending()) == 0u;
  }

  /** Ends a visit; the whole warp calls it, with the tiles around that are to be visited. Returns a tile that the
   * caller is to visit next, without its having gone through the queue, if it wants to keep one; else NoTile. The last
   * of the workers to finish closes the queue. */
  __device__ std::uint32_t
             Finish(std::uint32_t tile, unsigned int around, bool keepsOne, std::uint32_t workers) const
  {
    const int     lane = GetLaneOfWarp();
    const int     keeper = keepsOne ? __ffs(static_cast<int>(around)) - 1 : -1;
    const bool    isAround = lane < TilesAround && (around >> lane & 1u) != 0u;
    std::uint32_t mine = tile;
    std::uint32_t former = 0;
    // All are under way before the first answer is waited for.
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
    if (this->PutTogether(isToPut, mine, __popc(votes) + (keeps ? 1 : 0) - 1))
    {
      this->Close(workers);
    }
    return keeps ? __shfl_sync(AllLanes, mine, keeper) : NoTile;
  }

private:
  __device__ unsigned long long
  GetPutAndPending() const
  {
    return *static_cast<volatile unsigned long long *>(&this->Counters->Put);
  }
};

/** Puts the tiles that are to be visited into the queue. Each warp looks at some tiles in
 * a row and puts what it found in one go. */
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
    queue.PutTogether(isChosen, tile, __popc(chosen));
  }
}

/** The work on tiles, until none is left. TOperation::Visit(queue, tile, storage, isBusy, sweeps) does what is to be
 * done in a tile and returns which tiles around it are to be visited then. */
template <typename TOperation>
__global__ void
__launch_bounds__(TOperation::ThreadsPerBlock) VisitTilesKernel(TileQueue queue, TOperation operation)
{
  CUDAFILTERS_SHARED(typename TOperation::Storage, storages, [TOperation::ThreadsPerBlock / LanesPerWarp]);
  auto &              storage = storages[threadIdx.x / LanesPerWarp];
  const std::uint32_t workers = gridDim.x * blockDim.x / LanesPerWarp;
  unsigned long long  visits = 0;
  unsigned long long  sweeps = 0;
  std::uint32_t       tile = NoTile;
  if (__any_sync(AllLanes, queue.IsDone()) != 0)
  {
    return;
  }
  while (true)
  {
    if (tile == NoTile)
    {
      if (GetLaneOfWarp() == 0)
      {
        tile = queue.Take();
      }
      tile = __shfl_sync(AllLanes, tile, 0);
      if (tile == NoTile)
      {
        break;
      }
    }
    // What others wrote before they wanted this tile is seen from here on.
    Fence();
    __syncwarp();
    const bool isBusy = queue.IsBusy();
    ++visits;
    const unsigned int around = operation.Visit(queue, tile, storage, isBusy, sweeps);
    // What was written here is seen by those who come because of it.
    __syncwarp();
    Fence();
    tile = queue.Finish(tile, around, __any_sync(AllLanes, !isBusy) != 0, workers);
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
