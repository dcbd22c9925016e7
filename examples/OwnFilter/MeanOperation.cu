// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "MeanOperation.h"
#include "CudaFilters/Launch.cuh"

using namespace itk::CudaFilters;

namespace
{
/** Sizes for the kernel, in which std::array cannot be indexed. */
struct Box
{
  long long InputSize[3];
  long long OutputSize[3];
  long long Start[3];
  long long Radius[3];
};

/** One thread computes one pixel. Neighbours outside the image are replaced by the nearest pixel. */
template <typename TPixel>
__global__ void
MeanKernel(Box box, const TPixel * input, TPixel * output)
{
  const long long pixels = box.OutputSize[0] * box.OutputSize[1] * box.OutputSize[2];
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < pixels; i += step)
  {
    const long long center[3] = { i % box.OutputSize[0] + box.Start[0],
                                  i / box.OutputSize[0] % box.OutputSize[1] + box.Start[1],
                                  i / box.OutputSize[0] / box.OutputSize[1] + box.Start[2] };
    const auto      clamp = [&](long long position, int axis) {
      return position < 0 ? 0 : (position >= box.InputSize[axis] ? box.InputSize[axis] - 1 : position);
    };
    double sum = 0.0;
    for (long long z = center[2] - box.Radius[2]; z <= center[2] + box.Radius[2]; ++z)
    {
      for (long long y = center[1] - box.Radius[1]; y <= center[1] + box.Radius[1]; ++y)
      {
        for (long long x = center[0] - box.Radius[0]; x <= center[0] + box.Radius[0]; ++x)
        {
          sum += input[(clamp(z, 2) * box.InputSize[1] + clamp(y, 1)) * box.InputSize[0] + clamp(x, 0)];
        }
      }
    }
    const long long count = (2 * box.Radius[0] + 1) * (2 * box.Radius[1] + 1) * (2 * box.Radius[2] + 1);
    output[i] = static_cast<TPixel>(sum / static_cast<double>(count));
  }
}

template <typename TPixel>
class MeanOperation : public LocalOperation
{
public:
  explicit MeanOperation(const Size3 & radius)
    : m_Radius(radius)
  {}

  // With this, the runner can compute any part of the image: slabs, tiles, and tiles on several devices.
  Region3
  GetInputRegion(unsigned int, const Region3 & outputRegion) const override
  {
    return Pad(outputRegion, m_Radius);
  }

  void
  RunRegion(Execution & execution, const RegionOnDevice & region) const override
  {
    constexpr unsigned int threads = 256;

    const LocalBox local = region.GetBox();
    Box            box;
    std::copy(local.InputSize.begin(), local.InputSize.end(), box.InputSize);
    std::copy(local.OutputSize.begin(), local.OutputSize.end(), box.OutputSize);
    std::copy(local.Start.begin(), local.Start.end(), box.Start);
    std::copy(m_Radius.begin(), m_Radius.end(), box.Radius);

    const StageScope stage(execution, "mean");
    Launch(execution,
           "MeanKernel",
           MeanKernel<TPixel>,
           { GridOf(DivideUp(GetNumberOfPixels(local.OutputSize), threads)), dim3(threads) },
           box,
           region.GetInput<TPixel>(),
           region.GetOutput<TPixel>());
  }

private:
  Size3 m_Radius;
};
} // namespace

template <typename TPixel>
OperationPointer
MakeMeanOperation(const Size3 & radius)
{
  return std::make_unique<MeanOperation<TPixel>>(radius);
}

template OperationPointer
MakeMeanOperation<int>(const Size3 &);
template OperationPointer
MakeMeanOperation<float>(const Size3 &);
