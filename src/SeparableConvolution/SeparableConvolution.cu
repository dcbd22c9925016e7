// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/SeparableConvolution.h"
#include "CudaFilters/KernelPixel.h"
#include "../Device/Launch.h"
#include "SeparableConvolution.cuh"
#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** The box of pixels that a pass makes, in coordinates of the input. */
struct Box
{
  Grid Start;
  Grid Size;
};

struct Step
{
  int Axis;
  Box Result;
};

/** The passes, from the last axis to the first. Along the axes whose turn is still to come, the result of a pass is
 * wider than the output by the radius of the mask, as far as there is input. */
std::vector<Step>
Plan(const SeparableConvolution & convolution)
{
  std::vector<Step> steps;
  for (int axis = 2; axis >= 0; --axis)
  {
    if (convolution.Masks[axis].empty())
    {
      continue;
    }
    Box result{ convolution.Start, convolution.OutputSize };
    for (int other = 0; other < axis; ++other)
    {
      const std::int64_t radius = convolution.Masks[other].size() / 2;
      const std::int64_t first = std::max<std::int64_t>(convolution.Start[other] - radius, 0);
      const std::int64_t last =
        std::min(convolution.Start[other] + convolution.OutputSize[other] + radius, convolution.InputSize[other]);
      result.Start[other] = first;
      result.Size[other] = last - first;
    }
    steps.push_back({ axis, result });
  }
  if (steps.empty())
  {
    // Nothing but a change of the pixel type.
    steps.push_back({ 0, { convolution.Start, convolution.OutputSize } });
  }
  return steps;
}

template <typename TReal>
std::unique_ptr<DeviceBuffer>
StoreWeights(const Execution & execution, const std::vector<double> & mask)
{
  using Weights = WeightsByValue<TReal>;

  std::unique_ptr<DeviceBuffer> buffer = execution.Allocate(mask.size() * sizeof(TReal));
  for (std::size_t done = 0; done < mask.size(); done += Weights::Capacity)
  {
    Weights   weights{};
    const int count = static_cast<int>(std::min<std::size_t>(mask.size() - done, Weights::Capacity));
    std::transform(mask.begin() + done, mask.begin() + done + count, weights.Values, [](double weight) {
      return static_cast<TReal>(weight);
    });
    Launch(execution,
           "StoreWeightsKernel",
           StoreWeightsKernel<TReal>,
           { dim3(1), dim3(Weights::Capacity) },
           weights,
           count,
           static_cast<TReal *>(buffer->GetPointer()) + done);
  }
  return buffer;
}

template <typename TReal, typename TInput, typename TOutput>
void
ConvolveAxis(const Execution &           execution,
             int                         axis,
             const std::vector<double> & mask,
             const Box &                 from,
             const TInput *              input,
             const Box &                 to,
             TOutput *                   output)
{
  AxisPass pass;
  for (int i = 0; i < 3; ++i)
  {
    pass.InputSize[i] = from.Size[i];
    pass.OutputSize[i] = to.Size[i];
    pass.Start[i] = to.Start[i] - from.Start[i];
  }
  pass.Axis = axis;
  pass.Radius = static_cast<int>(mask.size() / 2);

  constexpr unsigned int warp = 32;
  constexpr std::int64_t highestGrid = 65535;
  const auto             kernel = ConvolveAxisKernel<TReal, TInput, TOutput>;
  const unsigned int     threads = ChooseBlockSize(execution, CudaKernelFamilyEnum::SeparableConvolution, kernel);
  const dim3             block(warp, threads / warp);
  const std::int64_t     rows = to.Size[1] * to.Size[2];
  const dim3             grid(static_cast<unsigned int>((to.Size[0] + warp - 1) / warp),
                  static_cast<unsigned int>(std::min<std::int64_t>((rows + block.y - 1) / block.y, highestGrid)));

  const auto weights = StoreWeights<TReal>(execution, mask.empty() ? std::vector<double>{ 1.0 } : mask);
  Launch(execution,
         "ConvolveAxisKernel",
         kernel,
         { grid, block },
         pass,
         static_cast<const TReal *>(weights->GetPointer()),
         input,
         output);
}

/** TReal: the type to compute in; TBetween: the type of the values between two axes. */
template <typename TReal, typename TBetween, typename TInput, typename TOutput>
void
ConvolveWith(Execution & execution, const SeparableConvolution & convolution, const TInput * input, TOutput * output)
{
  static constexpr const char * stageNames[] = { "convolution along x", "convolution along y", "convolution along z" };

  Box                           box{ { { 0, 0, 0 } }, convolution.InputSize };
  const std::vector<Step>       steps = Plan(convolution);
  std::unique_ptr<DeviceBuffer> values;
  for (std::size_t i = 0; i < steps.size(); ++i)
  {
    const int          axis = steps[i].Axis;
    const auto &       mask = convolution.Masks[axis];
    const Box &        next = steps[i].Result;
    const bool         isFirst = i == 0;
    const bool         isLast = i + 1 == steps.size();
    const auto * const from = static_cast<const TBetween *>(values ? values->GetPointer() : nullptr);
    execution.BeginStage(stageNames[axis]);
    if (isFirst && isLast)
    {
      ConvolveAxis<TReal>(execution, axis, mask, box, input, next, output);
    }
    else if (isLast)
    {
      ConvolveAxis<TReal>(execution, axis, mask, box, from, next, output);
    }
    else
    {
      auto         result = execution.Allocate(GetNumberOfPixels(next.Size) * sizeof(TBetween));
      auto * const to = static_cast<TBetween *>(result->GetPointer());
      if (isFirst)
      {
        ConvolveAxis<TReal>(execution, axis, mask, box, input, next, to);
      }
      else
      {
        ConvolveAxis<TReal>(execution, axis, mask, box, from, next, to);
      }
      values = std::move(result);
      box = next;
    }
  }
  execution.EndStage();
}
} // namespace

std::size_t
GetScratchBytes(const SeparableConvolution & convolution, std::size_t bytesPerOutputPixel)
{
  const std::size_t realBytes = convolution.InDouble ? sizeof(double) : sizeof(float);
  const std::size_t bytesPerValue = convolution.ConvertAfterEachAxis ? bytesPerOutputPixel : realBytes;
  std::size_t       values = 0;
  std::size_t       weights = 0;
  for (const Step & step : Plan(convolution))
  {
    values += GetNumberOfPixels(step.Result.Size);
    weights += convolution.Masks[step.Axis].size();
  }
  // The last pass writes the output itself.
  return (values - GetNumberOfPixels(convolution.OutputSize)) * bytesPerValue + weights * realBytes;
}

template <typename TInput, typename TOutput>
void
Convolve(Execution & execution, const SeparableConvolution & convolution, const TInput * input, TOutput * output)
{
  if constexpr (std::is_same<TOutput, float>::value)
  {
    if (!convolution.InDouble)
    {
      ConvolveWith<float, float>(execution, convolution, input, output);
      return;
    }
  }
  if (convolution.ConvertAfterEachAxis)
  {
    ConvolveWith<double, TOutput>(execution, convolution, input, output);
  }
  else
  {
    ConvolveWith<double, double>(execution, convolution, input, output);
  }
}

#define CUDAFILTERS_INSTANTIATE(TInput, TOutput)              \
  template CudaFilters_EXPORT void Convolve<TInput, TOutput>( \
    Execution &, const SeparableConvolution &, const TInput *, TOutput *);
#define CUDAFILTERS_INSTANTIATE_FOR_INPUT(TInput) \
  CUDAFILTERS_INSTANTIATE(TInput, unsigned char)  \
  CUDAFILTERS_INSTANTIATE(TInput, unsigned short) \
  CUDAFILTERS_INSTANTIATE(TInput, short)          \
  CUDAFILTERS_INSTANTIATE(TInput, float)          \
  CUDAFILTERS_INSTANTIATE(TInput, double)

CUDAFILTERS_FOR_EACH_PIXEL(CUDAFILTERS_INSTANTIATE_FOR_INPUT)
} // namespace CudaFilters
} // namespace itk
