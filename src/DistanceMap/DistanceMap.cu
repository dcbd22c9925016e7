// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
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
namespace
{
constexpr std::size_t MostBytesBetweenPasses = std::size_t(256) << 20;

SlabShape
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

/** The number of slices between whose passes along y and x the distances are kept. */
std::int64_t
GetSlicesAtATime(const DistanceSlab & slab, std::size_t bytesPerCost)
{
  const auto perSlice = static_cast<std::int64_t>(slab.GetNumberOfColumns() * bytesPerCost);
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(MostBytesBetweenPasses) / perSlice, 1, slab.Size[2]);
}

/** The most blocks for lines in scratch memory: enough for large devices. */
constexpr unsigned int MostBlocksWithScratch = 264;

/** How many warps take a line. */
constexpr int MostPixelsForOneWarp = 1024;
constexpr int LinesOfOneWarp = 8; // along x, per block
constexpr int MostPixelsOfMediumLine = 4096;
constexpr int WarpsOfMediumLine = 4;
constexpr int WarpsOfLongLine = 16;

/** Launches a kernel for lines in shared memory, or another one if they are too long. groups: of lines, each of them
 * for one block. lineBytes, workBytes: of a block; work is always in shared memory. */
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
               std::size_t  workBytes)
{
  const std::size_t mostBytes = GetMostSharedBytes(execution);
  if (workBytes > mostBytes)
  {
    throw DeviceError(DeviceError::Kind::Unsuited, "the lines of the image are too long for the device");
  }
  const std::size_t allBytes = lineBytes + workBytes;
  if (allBytes <= mostBytes)
  {
    RequestSharedBytes(execution, sharedKernel, allBytes);
    Launch(execution, name, sharedKernel, { GridOf(groups), dim3(threads), allBytes }, pass);
    return;
  }
  const auto blocks = static_cast<unsigned int>(std::min<std::int64_t>(groups, MostBlocksWithScratch));
  const auto scratch = execution.Allocate(blocks * lineBytes);
  pass.Scratch = scratch->GetPointer();
  RequestSharedBytes(execution, scratchKernel, workBytes);
  Launch(execution, name, scratchKernel, { dim3(blocks), dim3(threads), workBytes }, pass);
}

template <int VWarps, typename TCost>
void
RunAlongYBy(const Execution & execution, const AlongY<TCost> & pass)
{
  using Pass = AlongY<TCost>;
  const int length = pass.Shape.Height;
  LaunchForLines(execution,
                 "DistancesAlongYKernel",
                 DistancesAlongYKernel<TCost, VWarps, true>,
                 DistancesAlongYKernel<TCost, VWarps, false>,
                 pass,
                 DivideUp(pass.Shape.Width, Pass::Lines) * pass.Slices,
                 VWarps * Pass::Lines * LanesPerWarp,
                 Pass::GetLineBytes(length),
                 Pass::Lines * LineMemory<TCost>::GetWorkBytes(length, VWarps));
}

template <typename TCost>
void
RunAlongY(const Execution & execution, const AlongY<TCost> & pass)
{
  pass.Shape.Height <= MostPixelsForOneWarp ? RunAlongYBy<1>(execution, pass)
                                            : RunAlongYBy<WarpsOfMediumLine>(execution, pass);
}

template <int VWarps, int VLines, typename TCost, typename TPixel>
void
RunAlongXBy(const Execution & execution, const AlongX<TCost, TPixel> & pass)
{
  using Lines = LineMemory<TCost>;
  const int length = pass.Shape.Width;
  LaunchForLines(execution,
                 "DistancesAlongXKernel",
                 DistancesAlongXKernel<TCost, TPixel, VWarps, VLines, true>,
                 DistancesAlongXKernel<TCost, TPixel, VWarps, VLines, false>,
                 pass,
                 DivideUp(static_cast<std::int64_t>(pass.Shape.Height) * pass.Slices, VLines),
                 VWarps * VLines * LanesPerWarp,
                 VLines * Lines::GetSiteBytes(length),
                 VLines * Lines::GetWorkBytes(length, VWarps));
}

template <typename TCost, typename TPixel>
void
RunAlongX(const Execution & execution, const AlongX<TCost, TPixel> & pass)
{
  if (pass.Shape.Width <= MostPixelsForOneWarp)
  {
    RunAlongXBy<1, LinesOfOneWarp>(execution, pass);
  }
  else if (pass.Shape.Width <= MostPixelsOfMediumLine)
  {
    RunAlongXBy<WarpsOfMediumLine, 1>(execution, pass);
  }
  else
  {
    RunAlongXBy<WarpsOfLongLine, 1>(execution, pass);
  }
}

template <typename TCost, typename TPixel>
void
RunPasses(const Execution &              execution,
          const DistanceArithmetic &     arithmetic,
          const DistanceSlab &           slab,
          const ObjectColumns &          columns,
          const unsigned int *           objects,
          const DistanceFinish<TPixel> & finish,
          TPixel *                       output)
{
  const SlabShape shape = MakeShape(slab);
  const auto      getWeight = [&](int axis) { return static_cast<TCost>(arithmetic.Weights[axis]); };

  AlongX<TCost, TPixel> alongX{};
  alongX.Objects = columns;
  alongX.Inside = objects;
  alongX.Shape = shape;
  alongX.FirstSlice = shape.Begin;
  alongX.Slices = shape.End - shape.Begin;
  alongX.ColumnWeight = getWeight(slab.LastAxis);
  alongX.Weight = getWeight(0);
  alongX.Finish = finish;
  alongX.Output = output;
  if (slab.LastAxis == 1)
  {
    RunAlongX(execution, alongX);
    return;
  }

  if (shape.Columns > std::numeric_limits<std::uint32_t>::max())
  {
    throw DeviceError(DeviceError::Kind::Unsuited, "the slices of the image are too large for the device");
  }
  const auto atATime = static_cast<int>(GetSlicesAtATime(slab, sizeof(TCost)));
  const auto between = execution.Allocate(static_cast<std::size_t>(atATime) * shape.Columns * sizeof(TCost));

  AlongY<TCost> alongY{};
  alongY.Objects = columns;
  alongY.Shape = shape;
  alongY.ColumnWeight = getWeight(2);
  alongY.Weight = getWeight(1);
  alongY.Output = static_cast<TCost *>(between->GetPointer());
  alongX.Input = alongY.Output;
  for (int slice = shape.Begin; slice < shape.End; slice += atATime)
  {
    alongY.FirstSlice = alongX.FirstSlice = slice;
    alongY.Slices = alongX.Slices = std::min(atATime, shape.End - slice);
    alongX.Output = output + (slice - shape.Begin) * shape.Columns;
    RunAlongY(execution, alongY);
    RunAlongX(execution, alongX);
  }
}
} // namespace

template <typename TPixel>
void
FindObjects(const Execution &             execution,
            const DistanceMapParameters & parameters,
            const DistanceSlab &          slab,
            const TPixel *                image,
            unsigned int *                objects,
            unsigned int *                sites)
{
  constexpr unsigned int threads = 128;
  const SlabShape        shape = MakeShape(slab);
  const std::int64_t     packers = DivideUp(shape.Columns, PackWidth<TPixel>) * shape.GetBands();
  Launch(execution,
         "PackObjectsKernel",
         PackObjectsKernel<TPixel>,
         { GridOf(DivideUp(packers, threads)), dim3(threads) },
         image,
         shape,
         static_cast<TPixel>(parameters.Background),
         objects);
  Launch(execution,
         "ChooseObjectsKernel",
         parameters.IsToContour ? ChooseObjectsKernel<true> : ChooseObjectsKernel<false>,
         { GridOf(DivideUp(slab.GetNumberOfWords(), threads)), dim3(threads) },
         objects,
         shape,
         sites);
}

void
FindEndsOfColumns(const Execution &    execution,
                  const DistanceSlab & slab,
                  const unsigned int * sites,
                  int *                firsts,
                  int *                lasts)
{
  constexpr unsigned int threads = 128;
  Launch(execution,
         "FindEndsKernel",
         FindEndsKernel,
         { GridOf(DivideUp(slab.GetNumberOfColumns(), threads)), dim3(threads) },
         sites,
         MakeShape(slab),
         firsts,
         lasts);
}

template <typename TPixel>
void
ComputeDistances(const Execution &             execution,
                 const DistanceMapParameters & parameters,
                 const DistanceArithmetic &    arithmetic,
                 const DistanceSlab &          slab,
                 const unsigned int *          objects,
                 const unsigned int *          sites,
                 const int *                   lastsBefore,
                 const int *                   firstsAfter,
                 TPixel *                      output)
{
  const SlabShape   shape = MakeShape(slab);
  const std::size_t wordBytes = slab.GetNumberOfWords() * sizeof(int);
  const auto        before = execution.Allocate(wordBytes);
  const auto        after = execution.Allocate(wordBytes);
  const auto        parts = static_cast<unsigned int>(std::min(shape.GetBands(), MostPartsOfColumn));
  Launch(execution,
         "FindNearestObjectsKernel",
         FindNearestObjectsKernel,
         { GridOf(DivideUp(shape.Columns, LanesPerWarp)), dim3(LanesPerWarp, parts) },
         sites,
         shape,
         lastsBefore,
         firstsAfter,
         static_cast<int *>(before->GetPointer()),
         static_cast<int *>(after->GetPointer()));

  const ObjectColumns columns{
    sites, static_cast<const int *>(before->GetPointer()), static_cast<const int *>(after->GetPointer()), shape.Columns
  };
  DistanceFinish<TPixel> finish;
  finish.Unit = arithmetic.Unit;
  finish.IsSquared = parameters.IsSquared;
  finish.IsSigned = parameters.IsSigned;
  finish.InsideIsPositive = parameters.InsideIsPositive;
  finish.Largest = std::numeric_limits<TPixel>::max();
  if (arithmetic.IsInteger)
  {
    RunPasses<int>(execution, arithmetic, slab, columns, objects, finish, output);
  }
  else
  {
    RunPasses<double>(execution, arithmetic, slab, columns, objects, finish, output);
  }
}

namespace
{
template <typename TCost>
std::size_t
CountScratchBytes(const DistanceSlab & slab)
{
  using Lines = LineMemory<TCost>;
  std::size_t bytes = 2 * slab.GetNumberOfWords() * sizeof(int);
  std::size_t lineBytes = 0; // of a block, if they may be too long for shared memory
  const auto  count = [&lineBytes](std::size_t ofBlock, std::size_t workBytes) {
    lineBytes = ofBlock + workBytes > LeastSharedBytes ? std::max(lineBytes, ofBlock) : lineBytes;
  };
  const auto width = static_cast<int>(slab.Size[0]);
  const int  lines = width <= MostPixelsForOneWarp ? LinesOfOneWarp : 1;
  count(lines * Lines::GetSiteBytes(width), lines * Lines::GetWorkBytes(width, WarpsOfLongLine));
  if (slab.LastAxis == 2)
  {
    const auto height = static_cast<int>(slab.Size[1]);
    bytes += GetSlicesAtATime(slab, sizeof(TCost)) * slab.GetNumberOfColumns() * sizeof(TCost);
    count(AlongY<TCost>::GetLineBytes(height), AlongY<TCost>::Lines * Lines::GetWorkBytes(height, WarpsOfMediumLine));
  }
  return bytes + MostBlocksWithScratch * lineBytes;
}
} // namespace

std::size_t
GetDistanceScratchBytes(const DistanceSlab & slab, bool isInteger)
{
  return isInteger ? CountScratchBytes<int>(slab) : CountScratchBytes<double>(slab);
}

#define CUDAFILTERS_INSTANTIATE_INPUT(TPixel)                      \
  template void FindObjects<TPixel>(const Execution &,             \
                                    const DistanceMapParameters &, \
                                    const DistanceSlab &,          \
                                    const TPixel *,                \
                                    unsigned int *,                \
                                    unsigned int *);
CUDAFILTERS_FOR_EACH_PIXEL(CUDAFILTERS_INSTANTIATE_INPUT)

#define CUDAFILTERS_INSTANTIATE_OUTPUT(TPixel)                          \
  template void ComputeDistances<TPixel>(const Execution &,             \
                                         const DistanceMapParameters &, \
                                         const DistanceArithmetic &,    \
                                         const DistanceSlab &,          \
                                         const unsigned int *,          \
                                         const unsigned int *,          \
                                         const int *,                   \
                                         const int *,                   \
                                         TPixel *);
CUDAFILTERS_INSTANTIATE_OUTPUT(float)
CUDAFILTERS_INSTANTIATE_OUTPUT(double)
} // namespace CudaFilters
} // namespace itk
