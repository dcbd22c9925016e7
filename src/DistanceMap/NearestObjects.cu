// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "DistanceMap.h"
#include "DistancePasses.cuh"
#include "NearestObjects.cuh"
#include "../Device/Copy.h"

namespace itk
{
namespace CudaFilters
{
namespace
{
constexpr unsigned int ThreadsPerBlock = 256;
} // namespace

bool
HasSites(const Execution & execution, const DistanceSlab & slab, const unsigned int * sites)
{
  const auto flag = execution.Allocate(sizeof(unsigned int));
  Clear(flag->GetPointer(), sizeof(unsigned int), *execution.GetStream());
  Launch(execution,
         "FindAnyObjectKernel",
         FindAnyObjectKernel,
         { GridOf(DivideUp(slab.GetNumberOfWords(), ThreadsPerBlock)), dim3(ThreadsPerBlock) },
         sites,
         slab.GetNumberOfWords(),
         static_cast<unsigned int *>(flag->GetPointer()));
  unsigned int isFound = 0;
  CopyToHost(&isFound, flag->GetPointer(), sizeof(isFound), *execution.GetStream());
  return isFound != 0;
}

void
ComputeVectors(const Execution &          execution,
               const DistanceArithmetic & arithmetic,
               const DistanceSlab &       slab,
               const SlabObjects &        objects,
               std::int64_t *             vectors)
{
  slab.LastAxis == 1 ? RunAllPasses(execution, arithmetic, slab, objects, NearestResult<2>{ nullptr, vectors })
                     : RunAllPasses(execution, arithmetic, slab, objects, NearestResult<3>{ nullptr, vectors });
}

template <typename TPixel>
void
ComputeLengths(const Execution &             execution,
               const DistanceMapParameters & parameters,
               std::int64_t                  number,
               const std::int64_t *          vectors,
               TPixel *                      lengths)
{
  Launch(execution,
         "ComputeLengthsKernel",
         parameters.Dimension == 2 ? ComputeLengthsKernel<TPixel, 2> : ComputeLengthsKernel<TPixel, 3>,
         { GridOf(DivideUp(number, ThreadsPerBlock)), dim3(ThreadsPerBlock) },
         vectors,
         number,
         parameters.Spacing[0],
         parameters.Spacing[1],
         parameters.Spacing[2],
         parameters.IsSquared,
         lengths);
}

template <typename TPixel, typename TLabel>
void
FindLabels(const Execution &             execution,
           const DistanceMapParameters & parameters,
           const DistanceSlab &          slab,
           const TPixel *                image,
           const std::int64_t *          vectors,
           TLabel *                      labels)
{
  const SlabShape shape = MakeShape(slab);
  Launch(execution,
         "FindLabelsKernel",
         parameters.Dimension == 2 ? FindLabelsKernel<TPixel, TLabel, 2> : FindLabelsKernel<TPixel, TLabel, 3>,
         { GridOf(DivideUp(shape.Columns * shape.Length, ThreadsPerBlock)), dim3(ThreadsPerBlock) },
         image,
         shape,
         vectors,
         parameters.IsBinary,
         labels);
}

#define CUDAFILTERS_INSTANTIATE_LENGTHS(TPixel) \
  template void ComputeLengths<TPixel>(         \
    const Execution &, const DistanceMapParameters &, std::int64_t, const std::int64_t *, TPixel *);
CUDAFILTERS_FOR_EACH_PIXEL(CUDAFILTERS_INSTANTIATE_LENGTHS)

#define CUDAFILTERS_INSTANTIATE_LABELS(TPixel, TLabel)                    \
  template void FindLabels<TPixel, TLabel>(const Execution &,             \
                                           const DistanceMapParameters &, \
                                           const DistanceSlab &,          \
                                           const TPixel *,                \
                                           const std::int64_t *,          \
                                           TLabel *);
CUDAFILTERS_FOR_EACH_PIXEL_PAIR(CUDAFILTERS_INSTANTIATE_LABELS)
} // namespace CudaFilters
} // namespace itk
