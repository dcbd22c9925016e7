// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CannyEdges.h"
#include "../SeparableConvolution/SeparableConvolution.h"
#include "CannyEdges.cuh"
#include <algorithm>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** The box from the input to the smoothed pixels on which the output depends, and the box from these to the output. */
struct Boxes
{
  LocalBox ToSmoothed;
  LocalBox ToOutput;

  Boxes(const LocalBox & box, unsigned int dimension)
  {
    Size3 radius{ { 0, 0, 0 } };
    std::fill_n(radius.begin(), dimension, CannyRadius);
    const Region3 input{ { { 0, 0, 0 } }, box.InputSize };
    const Region3 output{ box.Start, box.OutputSize };
    const Region3 smoothed = Intersect(Pad(output, radius), input);
    this->ToSmoothed = MakeLocalBox(input, smoothed);
    this->ToOutput = MakeLocalBox(smoothed, output);
  }
};

BoxConvolution
GetSmoothing(const CannyParameters & parameters, const Boxes & boxes)
{
  return BoxConvolution(parameters.Smoothing, boxes.ToSmoothed);
}

template <int VDimension, bool VIsExact, typename TReal>
void
Find(const Execution &       execution,
     const CannyParameters & parameters,
     const LocalBox &        box,
     const TReal *           smoothed,
     const EdgeMasks &       masks,
     TReal *                 suppressed)
{
  using Shape = CannyShape<VDimension, TReal>;

  const std::int64_t blocks[3] = { DivideUp(box.OutputSize[0], Shape::SizeX),
                                   DivideUp(box.OutputSize[1], Shape::SizeY),
                                   DivideUp(box.OutputSize[2], Shape::SizeZ) };
  const auto         kernel = FindCannyEdgesKernel<VDimension, TReal, VIsExact>;
  Launch(execution,
         "FindCannyEdgesKernel",
         kernel,
         { dim3(static_cast<unsigned int>(blocks[0] * blocks[1] * blocks[2])), dim3(Shape::Threads) },
         KernelBox(box),
         dim3(static_cast<unsigned int>(blocks[0]), static_cast<unsigned int>(blocks[1])),
         static_cast<TReal>(parameters.UpperThreshold),
         static_cast<TReal>(parameters.LowerThreshold),
         smoothed,
         masks.Words,
         masks.Words + masks.GetNumberOfWords(),
         suppressed);
}
} // namespace

std::size_t
GetCannyScratchBytes(const CannyParameters & parameters, const LocalBox & box, std::size_t bytesPerReal)
{
  const Boxes boxes(box, parameters.Dimension);
  return GetNumberOfPixels(boxes.ToSmoothed.OutputSize) * bytesPerReal +
         GetConvolutionScratchBytes(GetSmoothing(parameters, boxes), bytesPerReal);
}

template <typename TReal, typename TInput>
void
FindCannyEdges(Execution &             execution,
               const CannyParameters & parameters,
               const LocalBox &        box,
               const TInput *          input,
               const EdgeMasks &       masks,
               TReal *                 suppressed)
{
  const Boxes  boxes(box, parameters.Dimension);
  const auto   buffer = execution.Allocate(GetNumberOfPixels(boxes.ToSmoothed.OutputSize) * sizeof(TReal));
  auto * const smoothed = static_cast<TReal *>(buffer->GetPointer());
  const auto   smoothing = GetSmoothing(parameters, boxes);
  smoothing.ConvertAfterEachAxis ? Convolve<double, TReal>(execution, smoothing, input, smoothed)
                                   : Convolve<double, double>(execution, smoothing, input, smoothed);

  const StageScope stage(execution, "edge candidates");
  const auto       find = [&](auto isExact) {
    constexpr bool exact = decltype(isExact)::value;
    parameters.Dimension == 2 ? Find<2, exact>(execution, parameters, boxes.ToOutput, smoothed, masks, suppressed)
                                    : Find<3, exact>(execution, parameters, boxes.ToOutput, smoothed, masks, suppressed);
  };
  if constexpr (std::is_same<TReal, float>::value)
  {
    parameters.IsExact ? find(std::true_type{}) : find(std::false_type{});
  }
  else
  {
    find(std::true_type{});
  }
}

template <typename TReal>
void
ApplyEdgeThresholds(Execution &             execution,
                    const CannyParameters & parameters,
                    const TReal *           suppressed,
                    const EdgeMasks &       masks)
{
  const StageScope   stage(execution, "edge thresholds");
  const std::int64_t words = masks.GetNumberOfWords();
  Launch(execution,
         "ApplyEdgeThresholdsKernel",
         ApplyEdgeThresholdsKernel<TReal>,
         { GridOf(DivideUp(words, WordsPerWarp * ThresholdThreads / 32)), dim3(ThresholdThreads) },
         suppressed,
         static_cast<std::int64_t>(masks.Size[0]),
         words,
         static_cast<TReal>(parameters.UpperThreshold),
         static_cast<TReal>(parameters.LowerThreshold),
         masks.Words,
         masks.Words + words);
}

template void
ApplyEdgeThresholds(Execution &, const CannyParameters &, const float *, const EdgeMasks &);
template void
ApplyEdgeThresholds(Execution &, const CannyParameters &, const double *, const EdgeMasks &);

#define CUDAFILTERS_INSTANTIATE(TReal, TInput) \
  template void FindCannyEdges<TReal, TInput>( \
    Execution &, const CannyParameters &, const LocalBox &, const TInput *, const EdgeMasks &, TReal *);
#define CUDAFILTERS_INSTANTIATE_DOUBLE(TInput) CUDAFILTERS_INSTANTIATE(double, TInput)

CUDAFILTERS_FOR_EACH_PIXEL(CUDAFILTERS_INSTANTIATE_DOUBLE)
CUDAFILTERS_INSTANTIATE(float, unsigned char)
CUDAFILTERS_INSTANTIATE(float, unsigned short)
CUDAFILTERS_INSTANTIATE(float, short)
CUDAFILTERS_INSTANTIATE(float, float)
} // namespace CudaFilters
} // namespace itk
