// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersWavefront_h
#define itkCudaFiltersWavefront_h

#include "LineSweeps.cuh"
#include "TileDiagonals.cuh"
#include "TileRelaxation.cuh"
#include "TileSweeps.cuh"
#include "CudaFilters/DeviceError.h"
#include "CudaFilters/detail/WavefrontStatistics.h"
#include "../Device/Copy.h"
#include <algorithm>
#include <functional>
#include <string>

namespace itk
{
namespace CudaFilters
{
// Propagation until nothing changes, on one device. The tiles of this folder are small parts of an image in device
// memory, each visited by one warp; the tiles of the runner are large parts of an image that does not fit into device
// memory.

/** The memory of a queue for the tiles of an image. */
class TileQueueMemory
{
public:
  TileQueueMemory(const Size3 & size, const Size3 & tileSize)
  {
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      m_Tiles[axis] = DivideUp(size[axis], tileSize[axis]);
    }
    while (m_RingSize < this->GetNumberOfTiles())
    {
      m_RingSize *= 2;
    }
  }

  std::int64_t
  GetNumberOfTiles() const
  {
    return GetNumberOfPixels(m_Tiles);
  }

  /** The memory begins with the counters and the ring, which are to be cleared, and ends with the states. */
  std::size_t
  GetBytes() const
  {
    return this->GetBytesToClear() + this->GetNumberOfTiles() * sizeof(std::uint32_t);
  }
  std::size_t
  GetBytesToClear() const
  {
    return sizeof(TileCounters) + m_RingSize * sizeof(std::uint32_t);
  }

  TileQueue
  MakeQueue(void * memory) const
  {
    constexpr std::int64_t most = 1ll << 31;
    if (this->GetNumberOfTiles() >= most)
    {
      throw DeviceError(DeviceError::Kind::OutOfMemory,
                        "an image of " + std::to_string(this->GetNumberOfTiles()) + " tiles is too large for one run");
    }
    TileQueue queue{};
    std::copy(m_Tiles.begin(), m_Tiles.end(), queue.Tiles);
    queue.Counters = static_cast<TileCounters *>(memory);
    queue.Ring = reinterpret_cast<std::uint32_t *>(queue.Counters + 1);
    queue.RingMask = static_cast<std::uint32_t>(m_RingSize - 1);
    queue.States = queue.Ring + m_RingSize;
    return queue;
  }

private:
  Size3        m_Tiles{ { 0, 0, 0 } };
  std::int64_t m_RingSize = 1;
};

/** The size of the tiles into which an image is divided. */
template <typename TExtent>
Size3
GetTileSize()
{
  return { { TExtent::X, TExtent::Y, TExtent::Z } };
}

/** Called between two launches of a propagation that takes long; throws to abort it. */
using BetweenLaunches = std::function<void()>;

/** The limits for the kernels of a run, from its settings and the clock of its device. */
inline TimeLimits
GetTimeLimits(const Execution & execution)
{
  constexpr double          idleMilliseconds = 5.0;
  constexpr double          mostWithDisplay = 100.0; // the driver stops kernels after some seconds there
  const DeviceDescription & device = GetDeviceDescription(execution.GetDevice());
  const double              limit = execution.GetSettings().KernelMilliseconds;
  const double              milliseconds = device.StopsLongKernels ? std::min(limit, mostWithDisplay) : limit;
  return { static_cast<long long>(std::min(milliseconds * device.ClockKilohertz, 1e18)),
           static_cast<long long>(idleMilliseconds * device.ClockKilohertz) };
}

/** Propagates in an image until nothing changes, tile by tile. Waits for the device. */
template <typename TOperation>
WavefrontStatistics
PropagateInTiles(const Execution &       execution,
                 const Size3 &           size,
                 TOperation              operation,
                 const BetweenLaunches & betweenLaunches)
{
  const TileQueueMemory layout(size, GetTileSize<typename TOperation::Extent>());
  const auto            memory = execution.Allocate(layout.GetBytes());
  const Stream &        stream = *execution.GetStream();
  const TileQueue       queue = layout.MakeQueue(memory->GetPointer());
  std::copy(size.begin(), size.end(), operation.Size);
  Clear(memory->GetPointer(), layout.GetBytesToClear(), stream);

  constexpr unsigned int threads = TOperation::ThreadsPerBlock;
  constexpr unsigned int warps = threads / LanesPerWarp;
  constexpr std::int64_t mostInARow = 8;
  const std::int64_t     tiles = layout.GetNumberOfTiles();
  const auto             getBlocks = [&](auto kernel) {
    return static_cast<unsigned int>(
      std::min<std::int64_t>(GetResidentBlocks(execution, kernel, threads), DivideUp(tiles, warps)));
  };
  const unsigned int choosers = getBlocks(ChooseTilesKernel<TOperation>);
  Launch(execution,
         "ChooseTilesKernel",
         ChooseTilesKernel<TOperation>,
         { dim3(choosers), dim3(threads) },
         queue,
         operation,
         static_cast<int>(std::min(DivideUp(tiles, choosers * warps), mostInARow)));

  WavefrontStatistics statistics;
  statistics.Tiles = static_cast<std::uint64_t>(tiles);
  while (true)
  {
    Launch(execution,
           "VisitTilesKernel",
           VisitTilesKernel<TOperation>,
           { dim3(getBlocks(VisitTilesKernel<TOperation>)), dim3(threads) },
           queue,
           operation,
           GetTimeLimits(execution));
    TileCounters counters{};
    CopyToHost(&counters, queue.Counters, sizeof(counters), stream);
    statistics.Visits += counters.Visits;
    statistics.Sweeps += counters.Sweeps;
    ++statistics.Launches;
    if (static_cast<std::uint32_t>(counters.Put) == 0u)
    {
      return statistics;
    }
    betweenLaunches();
    Clear(memory->GetPointer(), layout.GetBytesToClear(), stream);
    Launch(execution,
           "RequeueTilesKernel",
           RequeueTilesKernel<threads>,
           { dim3(getBlocks(RequeueTilesKernel<threads>)), dim3(threads) },
           queue);
  }
}

/** Propagates in an image until nothing changes, line by line. Waits for the device. */
template <int VDimension, bool VIsFull, typename TRule>
WavefrontStatistics
PropagateAlongLines(const Execution &       execution,
                    const Size3 &           size,
                    const TRule &           rule,
                    const BetweenLaunches & betweenLaunches)
{
  constexpr unsigned int threads = 64;
  const auto             memory = execution.Allocate(sizeof(std::uint32_t));
  const Stream &         stream = *execution.GetStream();
  SweptImage<TRule>      image{ rule, {}, static_cast<std::uint32_t *>(memory->GetPointer()) };
  std::copy(size.begin(), size.end(), image.Size);

  const auto start = [&](const char * name, auto kernel, std::int64_t blocks, unsigned int threadsPerBlock) {
    Launch(execution, name, kernel, { GridOf(blocks), dim3(threadsPerBlock) }, image);
  };
  WavefrontStatistics statistics;
  std::uint32_t       hasChanged = 1;
  while (hasChanged != 0)
  {
    Clear(image.HasChanged, sizeof(std::uint32_t), stream);
    start("SweepRowsKernel", SweepRowsKernel<TRule>, DivideUp(size[1] * size[2], LanesPerWarp), LanesPerWarp);
    start("SweepLinesKernel",
          SweepLinesKernel<TRule, VDimension, VIsFull, 1>,
          DivideUp(size[0] * size[2], threads),
          threads);
    if constexpr (VDimension == 3)
    {
      start("SweepLinesKernel",
            SweepLinesKernel<TRule, VDimension, VIsFull, 2>,
            DivideUp(size[0] * size[1], threads),
            threads);
    }
    CopyToHost(&hasChanged, image.HasChanged, sizeof(hasChanged), stream);
    statistics.Sweeps += 2 * VDimension;
    if (hasChanged != 0)
    {
      betweenLaunches();
    }
  }
  return statistics;
}
} // namespace CudaFilters
} // namespace itk

#endif
