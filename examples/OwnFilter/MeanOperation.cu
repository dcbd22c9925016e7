// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "MeanOperation.h"
#include "CudaFilters/KernelBox.cuh"
#include "CudaFilters/Launch.cuh"
#include <cstdint>
#include <memory>

using namespace itk::CudaFilters;

namespace
{
/** The kernel's own arguments. Arrays, since std::array cannot be indexed in a kernel. */
struct Radius
{
  std::int64_t Values[3];
};

/** One thread computes one pixel. Neighbours outside the image are replaced by the nearest pixel. */
template <typename TPixel>
__global__ void
MeanKernel(KernelBox box, Radius radius, const TPixel * input, TPixel * output)
{
  const std::int64_t pixels = box.OutputSize[0] * box.OutputSize[1] * box.OutputSize[2];
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < pixels; i += step)
  {
    const std::int64_t x = i % box.OutputSize[0];
    const std::int64_t y = i / box.OutputSize[0] % box.OutputSize[1];
    const std::int64_t z = i / box.OutputSize[0] / box.OutputSize[1];
    double             sum = 0.0;
    for (std::int64_t nz = z - radius.Values[2]; nz <= z + radius.Values[2]; ++nz)
    {
      for (std::int64_t ny = y - radius.Values[1]; ny <= y + radius.Values[1]; ++ny)
      {
        const std::int64_t row = (box.ToInput(2, nz) * box.InputSize[1] + box.ToInput(1, ny)) * box.InputSize[0];
        for (std::int64_t nx = x - radius.Values[0]; nx <= x + radius.Values[0]; ++nx)
        {
          sum += input[row + box.ToInput(0, nx)];
        }
      }
    }
    const std::int64_t count = (2 * radius.Values[0] + 1) * (2 * radius.Values[1] + 1) * (2 * radius.Values[2] + 1);
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

    const StageScope stage(execution, "mean");
    Launch(execution,
           "MeanKernel",
           MeanKernel<TPixel>,
           { GridOf(DivideUp(region.OutputRegion.GetNumberOfPixels(), threads)), dim3(threads) },
           KernelBox(region.GetBox()),
           Radius{ { m_Radius[0], m_Radius[1], m_Radius[2] } },
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
