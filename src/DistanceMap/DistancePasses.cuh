// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersDistancePasses_cuh
#define itkCudaFiltersDistancePasses_cuh

// How the passes of the distance transform are launched.

#include "DistanceMap.h"
#include "DistanceMap.cuh"
#include "../Device/Execution.h"
#include "../Device/SharedMemory.h"
#include "CudaFilters/DeviceError.h"
#include <algorithm>
#include <limits>
#include <memory>

namespace itk
{
namespace CudaFilters
{
constexpr std::size_t MostBytesBetweenPasses = std::size_t(256) << 20;

inline SlabShape
MakeShape(const DistanceSlab & slab)
{
  SlabShape shape;
  shape.Width = static_cast<int>(slab.Size[0]);
  shape.Height = slab.LastAxis == 2 ? static_cast<int>(slab.Size[1]) : 1;
  shape.Length = static_cast<int>(slab.Size[slab.LastAxis]);
  shape.Begin = slab.MarginBefore;
  shape.End = shape.Length - slab.MarginAfter;
  shape.Columns = slab.GetNumberOfColumns();
  return shape;
}

/** Where signed distances go, and what becomes of them before. */
template <typename TPixel>
DistanceResult<TPixel>
MakeDistanceResult(const DistanceMapParameters & parameters,
                   const DistanceArithmetic &    arithmetic,
                   const SlabObjects &           objects,
                   TPixel *                      output)
{
  DistanceResult<TPixel> result;
  result.Inside = objects.Objects;
  result.Finish.Unit = arithmetic.Unit;
  result.Finish.IsSquared = parameters.IsSquared;
  result.Finish.InsideIsPositive = parameters.InsideIsPositive;
  result.Finish.Largest = std::numeric_limits<TPixel>::max();
  result.Output = output;
  return result;
}

/** The number of slices between whose passes along y and x so many bytes per pixel are kept. */
inline std::int64_t
GetSlicesAtATime(const DistanceSlab & slab, std::size_t bytesPerPixel)
{
  const auto perSlice = static_cast<std::int64_t>(slab.GetNumberOfColumns() * bytesPerPixel);
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(MostBytesBetweenPasses) / perSlice, 1, slab.Size[2]);
}

/** The most blocks for lines in scratch memory: three for each multiprocessor of large devices. */
constexpr unsigned int MostBlocksWithScratch = 396;

/** Launches a kernel for lines in shared memory. groups: of lines, each of them for one block. bytes: of a block. */
template <typename TPass>
void
LaunchForShared(const Execution & execution,
                const char *      name,
                void (*kernel)(TPass),
                const TPass & pass,
                std::int64_t  groups,
                unsigned int  threads,
                std::size_t   bytes)
{
  RequestSharedBytes(execution, kernel, bytes);
  Launch(execution, name, kernel, { GridOf(groups), dim3(threads), bytes }, pass);
}

/** Launches a kernel for lines in shared memory or, unless leastBlocks blocks fit into a multiprocessor's, another one.
 * lineBytes, workBytes: of a block; work is always in shared memory. */
template <typename TPass>
void
LaunchForLines(const Execution & execution,
               const char *      name,
               void (*sharedKernel)(TPass),
               void (*scratchKernel)(TPass),
               TPass        pass,
               std::int64_t groups,
               unsigned int threads,
               std::size_t  lineBytes,
               std::size_t  workBytes,
               unsigned int leastBlocks)
{
  const std::size_t mostBytes = GetMostSharedBytes(execution);
  if (workBytes > mostBytes)
  {
    throw DeviceError(DeviceError::Kind::Unsuited, "the lines of the image are too long for the device");
  }
  if (leastBlocks * (lineBytes + workBytes) <= mostBytes)
  {
    LaunchForShared(execution, name, sharedKernel, pass, groups, threads, lineBytes + workBytes);
    return;
  }
  const auto blocks = static_cast<unsigned int>(std::min<std::int64_t>(groups, MostBlocksWithScratch));
  const auto scratch = execution.Allocate(blocks * lineBytes);
  pass.Scratch = scratch->GetPointer();
  RequestSharedBytes(execution, scratchKernel, workBytes);
  Launch(execution, name, scratchKernel, { dim3(blocks), dim3(threads), workBytes }, pass);
}

constexpr const char * NameOfKernelAlongY = "DistancesAlongYKernel";

template <int VWarps, bool VIsNearest, typename TCost>
void
RunAlongYBy(const Execution & execution, const AlongY<TCost> & pass)
{
  using Block = BlockAlongY<TCost, VWarps, 1, VIsNearest>;
  const int length = pass.Shape.Height;
  LaunchForLines(execution,
                 NameOfKernelAlongY,
                 DistancesAlongYKernel<TCost, VWarps, 1, true, VIsNearest>,
                 DistancesAlongYKernel<TCost, VWarps, 1, false, VIsNearest>,
                 pass,
                 Block::CountBlocks(pass),
                 Block::Threads,
                 Block::GetLineBytes(length),
                 Block::Lines * EnvelopeMemory<TCost>::GetBytes(length, VWarps),
                 1);
}

template <bool VIsNearest, typename TCost>
void
RunAlongY(const Execution & execution, const AlongY<TCost> & pass)
{
  const int length = pass.Shape.Height;
  if (length > MostPixelsForOneWarp)
  {
    RunAlongYBy<WarpsOfMediumLine, VIsNearest>(execution, pass);
    return;
  }
  if constexpr (std::is_same<TCost, int>::value && !VIsNearest)
  {
    // Two slices together, if this does not reduce the number of resident warps.
    using Block = BlockAlongY<TCost, 1, 2, VIsNearest>;
    const auto countWarps = [&](auto block) {
      constexpr std::size_t most = 32; // as many as registers allow
      return std::min(most, GetMostSharedBytes(execution) / block.GetLineBytes(length) * block.Lines);
    };
    const std::size_t warps = countWarps(Block{});
    if (warps > 0 && warps >= countWarps(BlockAlongY<TCost, 1, 1, VIsNearest>{}))
    {
      LaunchForShared(execution,
                      NameOfKernelAlongY,
                      DistancesAlongYKernel<TCost, 1, 2, true, VIsNearest>,
                      pass,
                      Block::CountBlocks(pass),
                      Block::Threads,
                      Block::GetLineBytes(length));
      return;
    }
  }
  RunAlongYBy<1, VIsNearest>(execution, pass);
}

/** For how many blocks of a multiprocessor there must be shared memory, so that lines are there. A single block of 16
 * warps would leave most of a multiprocessor idle; sites of type double take registers for one block only. */
template <typename TCost>
constexpr unsigned int
GetLeastBlocksInShared(int warpsOfLine)
{
  return warpsOfLine == WarpsOfLongLine && std::is_same<TCost, int>::value ? 2 : 1;
}

template <int VWarps, int VLines, typename TCost, typename TResult>
void
RunAlongXBy(const Execution & execution, const AlongX<TCost, TResult> & pass)
{
  using Memory = EnvelopeMemory<TCost>;
  const int length = pass.Shape.Width;
  LaunchForLines(execution,
                 "DistancesAlongXKernel",
                 DistancesAlongXKernel<TCost, TResult, VWarps, VLines, true>,
                 DistancesAlongXKernel<TCost, TResult, VWarps, VLines, false>,
                 pass,
                 DivideUp(static_cast<std::int64_t>(pass.Shape.Height) * pass.Slices, VLines),
                 VWarps * VLines * LanesPerWarp,
                 VLines * Memory::GetSiteBytes(length, TResult::IsNearest),
                 VLines * Memory::GetBytes(length, VWarps),
                 GetLeastBlocksInShared<TCost>(VWarps));
}

/** The warps that take a line along x. */
inline int
GetWarpsAlongX(int width)
{
  return width <= MostPixelsForOneWarp ? 1 : width <= MostPixelsOfMediumLine ? WarpsOfMediumLine : WarpsOfLongLine;
}

template <typename TCost, typename TResult>
void
RunAlongX(const Execution & execution, const AlongX<TCost, TResult> & pass)
{
  switch (GetWarpsAlongX(pass.Shape.Width))
  {
    case 1:
      RunAlongXBy<1, LinesOfOneWarp>(execution, pass);
      break;
    case WarpsOfMediumLine:
      RunAlongXBy<WarpsOfMediumLine, 1>(execution, pass);
      break;
    default:
      RunAlongXBy<WarpsOfLongLine, 1>(execution, pass);
  }
}

/** Runs the passes along y, in volumes, and x. result: the results, from the first pixel of the slab on. */
template <typename TCost, typename TResult>
void
RunPasses(const Execution &          execution,
          const DistanceArithmetic & arithmetic,
          const DistanceSlab &       slab,
          const ObjectColumns &      columns,
          const TResult &            result)
{
  const SlabShape shape = MakeShape(slab);
  const auto      getWeight = [&](int axis) { return static_cast<TCost>(arithmetic.Weights[axis]); };

  AlongX<TCost, TResult> alongX{};
  alongX.Objects = columns;
  alongX.Shape = shape;
  alongX.FirstSlice = shape.Begin;
  alongX.Slices = shape.End - shape.Begin;
  alongX.ColumnWeight = getWeight(slab.LastAxis);
  alongX.Weight = getWeight(0);
  alongX.Result = result;
  if (slab.LastAxis == 1)
  {
    RunAlongX(execution, alongX);
    return;
  }

  if (shape.Columns > std::numeric_limits<std::uint32_t>::max())
  {
    throw DeviceError(DeviceError::Kind::Unsuited, "the slices of the image are too large for the device");
  }
  constexpr std::size_t perPixel = GetBytesBetweenPasses<TCost>(TResult::IsNearest);
  const auto            atATime = static_cast<int>(GetSlicesAtATime(slab, perPixel));
  const auto            pixels = static_cast<std::size_t>(atATime) * shape.Columns;
  const auto            between = execution.Allocate(pixels * perPixel);

  AlongY<TCost> alongY{};
  alongY.Objects = columns;
  alongY.Shape = shape;
  alongY.ColumnWeight = getWeight(2);
  alongY.Weight = getWeight(1);
  alongY.Output = static_cast<TCost *>(between->GetPointer());
  alongX.Input = alongY.Output;
  if constexpr (TResult::IsNearest)
  {
    alongY.NearestY = reinterpret_cast<int *>(alongY.Output + pixels);
    alongX.Result.NearestY = alongY.NearestY;
  }
  for (int slice = shape.Begin; slice < shape.End; slice += atATime)
  {
    alongY.FirstSlice = alongX.FirstSlice = slice;
    alongY.Slices = alongX.Slices = std::min(atATime, shape.End - slice);
    RunAlongY<TResult::IsNearest>(execution, alongY);
    RunAlongX(execution, alongX);
    alongX.Result.Advance(alongX.Slices * shape.Columns);
  }
}

/** Finds the nearest sites along the columns, and runs the other passes. */
template <typename TResult>
void
RunAllPasses(const Execution &          execution,
             const DistanceArithmetic & arithmetic,
             const DistanceSlab &       slab,
             const SlabObjects &        objects,
             const TResult &            result)
{
  const SlabShape   shape = MakeShape(slab);
  const std::size_t wordBytes = slab.GetNumberOfWords() * sizeof(int);
  const auto        before = execution.Allocate(wordBytes);
  const auto        after = execution.Allocate(wordBytes);
  FindNearestSites(
    execution, slab, objects, static_cast<int *>(before->GetPointer()), static_cast<int *>(after->GetPointer()));
  const ObjectColumns columns{ objects.Sites,
                               static_cast<const int *>(before->GetPointer()),
                               static_cast<const int *>(after->GetPointer()),
                               shape.Columns };
  arithmetic.IsInteger ? RunPasses<int>(execution, arithmetic, slab, columns, result)
                       : RunPasses<double>(execution, arithmetic, slab, columns, result);
}
} // namespace CudaFilters
} // namespace itk

#endif
