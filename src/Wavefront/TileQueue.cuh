// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersTileQueue_cuh
#define itkCudaFiltersTileQueue_cuh

#include "../Device/Launch.h"
#include <cstdint>

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

/** No tile has this number. */
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

  /** The states: combinations of these. */
  static constexpr std::uint32_t Wanted = 1;  // in the queue, or to be put there by the visitor
  static constexpr std::uint32_t Visited = 2; // being visited at present

  /** Puts the tiles of those lanes that have one; the whole warp calls it. pending: by how much the number of tiles in
   * work changes. */
  __device__ void
  PutTogether(bool hasTile, std::uint32_t tile, int pending) const
  {
    const unsigned int votes = __ballot_sync(AllLanes, hasTile);
    unsigned long long before = 0;
    if (GetLaneOfWarp() == 0 && (votes != 0 || pending != 0))
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
  }

  /** The next tile; NoTile if all work is done. Called by one lane. */
  __device__ std::uint32_t
             Take() const
  {
    std::uint32_t * const slot = this->Ring + (atomicAdd(&this->Counters->Taken, 1u) & this->RingMask);
    unsigned int          pause = 50; // ns
    for (unsigned int poll = 0;; ++poll)
    {
      // Somebody who was held up may wait here, too, for the tile of a whole round ago: one of both gets each tile.
      if (*static_cast<volatile std::uint32_t *>(slot) != 0u)
      {
        const std::uint32_t found = atomicExch(slot, 0u);
        if (found != 0u)
        {
          atomicExch(this->States + (found - 1u), Visited);
          return found - 1u;
        }
      }
      // Those who wait must not keep the memory busy for those who work.
      if (poll % 4 == 0 && this->GetPending() == 0u)
      {
        return NoTile;
      }
      __nanosleep(pause);
      pause = pause < 400 ? 2 * pause : pause;
    }
  }

  /** Whether the queue is empty, so that others may be waiting. */
  __device__ bool
  IsStarving() const
  {
    const auto put =
      static_cast<std::uint32_t>(*static_cast<volatile unsigned long long *>(&this->Counters->Put) >> 32);
    return static_cast<std::int32_t>(put - *static_cast<volatile std::uint32_t *>(&this->Counters->Taken)) <= 0;
  }

  /** Ends a visit; the whole warp calls it, with the tiles around that are to be visited. Returns a tile that the
   * caller is to visit next, without its having gone through the queue, if it wants to keep one; else NoTile. */
  __device__ std::uint32_t
             Finish(std::uint32_t tile, unsigned int around, bool keepsOne) const
  {
    const int     lane = GetLaneOfWarp();
    const int     keeper = keepsOne ? __ffs(static_cast<int>(around)) - 1 : -1;
    bool          isToPut = false;
    bool          isKept = false;
    std::uint32_t mine = tile;
    if (lane == TileItself)
    {
      isToPut = (atomicAnd(this->States + tile, ~Visited) & Wanted) != 0u;
    }
    else if (lane < TilesAround && (around >> lane & 1u) != 0u)
    {
      mine = tile + static_cast<std::uint32_t>((lane / 9 - 1) * static_cast<int>(this->Tiles[0] * this->Tiles[1]) +
                                               (lane / 3 % 3 - 1) * static_cast<int>(this->Tiles[0]) + (lane % 3 - 1));
      isKept = lane == keeper && atomicCAS(this->States + mine, 0u, Visited) == 0u;
      isToPut = !isKept && atomicOr(this->States + mine, Wanted) == 0u;
    }
    const unsigned int votes = __ballot_sync(AllLanes, isToPut);
    const bool         keeps = __any_sync(AllLanes, isKept) != 0;
    this->PutTogether(isToPut, mine, __popc(votes) + (keeps ? 1 : 0) - 1);
    return keeps ? __shfl_sync(AllLanes, mine, keeper) : NoTile;
  }

private:
  __device__ std::uint32_t
             GetPending() const
  {
    return static_cast<std::uint32_t>(*static_cast<volatile unsigned long long *>(&this->Counters->Put));
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

/** The work on tiles, until none is left. TOperation::Visit(queue, tile, storage, sweeps) does what is to be done in a
 * tile and returns which tiles around it are to be visited then; what it wrote must be seen by all before it returns.
 */
template <typename TOperation>
__global__ void
__launch_bounds__(TOperation::ThreadsPerBlock) VisitTilesKernel(TileQueue queue, TOperation operation)
{
  CUDAFILTERS_SHARED(typename TOperation::Storage, storages, [TOperation::ThreadsPerBlock / LanesPerWarp]);
  auto &             storage = storages[threadIdx.x / LanesPerWarp];
  unsigned long long visits = 0;
  unsigned long long sweeps = 0;
  std::uint32_t      tile = NoTile;
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
    __syncwarp();
    __threadfence();
    const bool isStarving = queue.IsStarving();
    ++visits;
    const unsigned int around = operation.Visit(queue, tile, storage, sweeps);
    __syncwarp();
    tile = queue.Finish(tile, around, __any_sync(AllLanes, isStarving) != 0);
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
