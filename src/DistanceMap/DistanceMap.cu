// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "DistanceMap.h"
#include "DistancePasses.cuh"
#include "FindObjects.cuh"

namespace itk
{
namespace CudaFilters
{
namespace
{
constexpr unsigned int ThreadsToFindObjects = 128;
} // namespace

template <typename TPixel>
void
FindObjects(const Execution &    execution,
            const ObjectChoice & choice,
            const DistanceSlab & slab,
            const TPixel *       image,
            unsigned int *       objects)
{
  const SlabShape    shape = MakeShape(slab);
  const std::int64_t packers = DivideUp(shape.Columns, PackWidth<TPixel>) * shape.GetBands();
  Launch(execution,
         "PackObjectsKernel",
         PackObjectsKernel<TPixel>,
         { GridOf(DivideUp(packers, ThreadsToFindObjects)), dim3(ThreadsToFindObjects) },
         image,
         shape,
         static_cast<TPixel>(choice.Value),
         choice.ValueIsObject,
         objects);
}

void
ChooseSites(const Execution &    execution,
            SiteChoice           choice,
            const DistanceSlab & slab,
            const unsigned int * objects,
            unsigned int *       sites)
{
  constexpr unsigned int threads = ThreadsToFindObjects;
  const SlabShape        shape = MakeShape(slab);
  if (choice != SiteChoice::Objects)
  {
    const std::int64_t warps = DivideUp(shape.Width, SiteColumns) * DivideUp(shape.Height, SiteRows) * shape.GetBands();
    Launch(execution,
           "ChooseSitesKernel",
           choice == SiteChoice::Contours ? ChooseSitesKernel<SiteChoice::Contours>
                                          : ChooseSitesKernel<SiteChoice::NearBackground>,
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
  constexpr unsigned int threads = ThreadsToFindObjects;
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
  RunAllPasses(execution, arithmetic, slab, objects, MakeDistanceResult(parameters, arithmetic, objects, output));
}

namespace
{
/** Subtracts distances, whatever signs they have, from those in output. */
template <typename TPixel>
__global__ void
SubtractKernel(const TPixel * distances, std::int64_t number, bool isReverse, TPixel * output)
{
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < number;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
  {
    const TPixel distance = distances[i] < 0 ? -distances[i] : distances[i];
    output[i] = isReverse ? distance - output[i] : output[i] - distance;
  }
}
} // namespace

template <typename TPixel>
void
SubtractDistances(const Execution &             execution,
                  const DistanceMapParameters & parameters,
                  const DistanceArithmetic &    arithmetic,
                  const DistanceSlab &          slab,
                  const SlabObjects &           objects,
                  TPixel *                      output)
{
  constexpr unsigned int threads = 256;
  const std::int64_t     number = slab.GetNumberOfInnerPixels();
  const auto             memory = execution.Allocate(number * sizeof(TPixel));
  auto * const           distances = static_cast<TPixel *>(memory->GetPointer());
  ComputeDistances(execution, parameters, arithmetic, slab, objects, distances);
  Launch(execution,
         "SubtractKernel",
         SubtractKernel<TPixel>,
         { GridOf(DivideUp(number, threads)), dim3(threads) },
         static_cast<const TPixel *>(distances),
         number,
         parameters.InsideIsPositive,
         output);
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
  const auto  count = [&lineBytes](std::size_t ofBlock, std::size_t workBytes, unsigned int leastBlocks) {
    const bool maybe = leastBlocks * (ofBlock + workBytes) > LeastSharedBytes;
    lineBytes = maybe ? std::max(lineBytes, ofBlock) : lineBytes;
  };
  const auto width = static_cast<int>(slab.Size[0]);
  const int  lines = width <= MostPixelsForOneWarp ? LinesOfOneWarp : 1;
  count(lines * Memory::GetSiteBytes(width, VIsNearest),
        lines * Memory::GetBytes(width, WarpsOfLongLine),
        GetLeastBlocksInShared<TCost>(GetWarpsAlongX(width)));
  if (slab.LastAxis == 2)
  {
    const auto        height = static_cast<int>(slab.Size[1]);
    const std::size_t perPixel = GetBytesBetweenPasses<TCost>(VIsNearest);
    bytes += GetSlicesAtATime(slab, perPixel) * slab.GetNumberOfColumns() * perPixel;
    const auto countFor = [&](auto block) {
      using Block = decltype(block);
      count(Block::GetLineBytes(height), Block::Lines * Memory::GetBytes(height, WarpsOfMediumLine), 1);
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
    const Execution &, const ObjectChoice &, const DistanceSlab &, const TPixel *, unsigned int *);
CUDAFILTERS_FOR_EACH_PIXEL(CUDAFILTERS_INSTANTIATE_INPUT)

#define CUDAFILTERS_INSTANTIATE_OUTPUT(TPixel)                          \
  template void ComputeDistances<TPixel>(const Execution &,             \
                                         const DistanceMapParameters &, \
                                         const DistanceArithmetic &,    \
                                         const DistanceSlab &,          \
                                         const SlabObjects &,           \
                                         TPixel *);
#define CUDAFILTERS_INSTANTIATE_SUBTRACTION(TPixel)                      \
  template void SubtractDistances<TPixel>(const Execution &,             \
                                          const DistanceMapParameters &, \
                                          const DistanceArithmetic &,    \
                                          const DistanceSlab &,          \
                                          const SlabObjects &,           \
                                          TPixel *);
CUDAFILTERS_INSTANTIATE_SUBTRACTION(float)
CUDAFILTERS_INSTANTIATE_SUBTRACTION(double)
CUDAFILTERS_INSTANTIATE_OUTPUT(float)
CUDAFILTERS_INSTANTIATE_OUTPUT(double)
} // namespace CudaFilters
} // namespace itk
