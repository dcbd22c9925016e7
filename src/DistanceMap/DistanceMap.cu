// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "DistanceMap.h"
#include "DistancePasses.cuh"
#include "FindObjects.cuh"

namespace itk
{
namespace CudaFilters
{
template <typename TPixel>
void
FindObjects(const Execution &    execution,
            const ObjectChoice & choice,
            const DistanceSlab & slab,
            const TPixel *       image,
            unsigned int *       objects,
            unsigned int *       sites)
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
         static_cast<TPixel>(choice.Value),
         choice.ValueIsObject,
         objects);
  if (choice.IsToContour)
  {
    const std::int64_t warps =
      DivideUp(shape.Width, ContourColumns) * DivideUp(shape.Height, ContourRows) * shape.GetBands();
    Launch(execution,
           "ChooseContoursKernel",
           ChooseContoursKernel,
           { GridOf(DivideUp(warps * LanesPerWarp, threads)), dim3(threads) },
           objects,
           shape,
           sites);
    return;
  }
  Launch(execution,
         "ChooseObjectsKernel",
         ChooseObjectsKernel,
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

void
FindNearestSites(const Execution &    execution,
                 const DistanceSlab & slab,
                 const SlabObjects &  objects,
                 int *                before,
                 int *                after)
{
  const SlabShape shape = MakeShape(slab);
  const auto      parts = static_cast<unsigned int>(std::min(shape.GetBands(), MostPartsOfColumn));
  Launch(execution,
         "FindNearestObjectsKernel",
         FindNearestObjectsKernel,
         { GridOf(DivideUp(shape.Columns, LanesPerWarp)), dim3(LanesPerWarp, parts) },
         objects.Sites,
         shape,
         objects.LastsBefore,
         objects.FirstsAfter,
         before,
         after);
}

template <typename TPixel>
void
ComputeDistances(const Execution &             execution,
                 const DistanceMapParameters & parameters,
                 const DistanceArithmetic &    arithmetic,
                 const DistanceSlab &          slab,
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
  RunAllPasses(execution, arithmetic, slab, objects, result);
}

namespace
{
template <typename TCost, bool VIsNearest>
std::size_t
CountScratchBytes(const DistanceSlab & slab)
{
  using Memory = EnvelopeMemory<TCost>;
  std::size_t bytes = 2 * slab.GetNumberOfWords() * sizeof(int);
  std::size_t lineBytes = 0; // of a block, if they may be too long for shared memory
  const auto  count = [&lineBytes](std::size_t ofBlock, std::size_t workBytes) {
    lineBytes = ofBlock + workBytes > LeastSharedBytes ? std::max(lineBytes, ofBlock) : lineBytes;
  };
  const auto width = static_cast<int>(slab.Size[0]);
  const int  lines = width <= MostPixelsForOneWarp ? LinesOfOneWarp : 1;
  count(lines * Memory::GetSiteBytes(width, VIsNearest), lines * Memory::GetBytes(width, WarpsOfLongLine));
  if (slab.LastAxis == 2)
  {
    const auto        height = static_cast<int>(slab.Size[1]);
    const std::size_t perPixel = GetBytesBetweenPasses<TCost>(VIsNearest);
    bytes += GetSlicesAtATime(slab, perPixel) * slab.GetNumberOfColumns() * perPixel;
    const auto countFor = [&](auto block) {
      using Block = decltype(block);
      count(Block::GetLineBytes(height), Block::Lines * Memory::GetBytes(height, WarpsOfMediumLine));
    };
    height <= MostPixelsForOneWarp ? countFor(BlockAlongY<TCost, 1, 1, VIsNearest>{})
                                   : countFor(BlockAlongY<TCost, WarpsOfMediumLine, 1, VIsNearest>{});
  }
  return bytes + MostBlocksWithScratch * lineBytes;
}
} // namespace

std::size_t
GetDistanceScratchBytes(const DistanceSlab & slab, bool isInteger, bool isNearest)
{
  return isInteger ? (isNearest ? CountScratchBytes<int, true>(slab) : CountScratchBytes<int, false>(slab))
                   : (isNearest ? CountScratchBytes<double, true>(slab) : CountScratchBytes<double, false>(slab));
}

#define CUDAFILTERS_INSTANTIATE_INPUT(TPixel) \
  template void FindObjects<TPixel>(          \
    const Execution &, const ObjectChoice &, const DistanceSlab &, const TPixel *, unsigned int *, unsigned int *);
CUDAFILTERS_FOR_EACH_PIXEL(CUDAFILTERS_INSTANTIATE_INPUT)

#define CUDAFILTERS_INSTANTIATE_OUTPUT(TPixel)                          \
  template void ComputeDistances<TPixel>(const Execution &,             \
                                         const DistanceMapParameters &, \
                                         const DistanceArithmetic &,    \
                                         const DistanceSlab &,          \
                                         const SlabObjects &,           \
                                         TPixel *);
CUDAFILTERS_INSTANTIATE_OUTPUT(float)
CUDAFILTERS_INSTANTIATE_OUTPUT(double)
} // namespace CudaFilters
} // namespace itk
