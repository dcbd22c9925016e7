// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "OwnOperations.h"
#include "CudaFilters/Check.cuh"
#include "CudaFilters/KernelBox.cuh"
#include "CudaFilters/Launch.cuh"
#include <cstdint>
#include <memory>

using namespace itk::CudaFilters;

namespace
{
constexpr unsigned int threads = 128;

/** Calls a function with the number of each pixel, in a loop over the grid. */
template <typename TFunction>
__device__ void
ForEachPixel(std::int64_t pixels, TFunction function)
{
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < pixels; i += step)
  {
    function(i);
  }
}

/** The input's pixel at the place of an output pixel. The box of the input may be larger than that of the output. */
template <typename TPixel>
__device__ TPixel
Get(const KernelBox & box, const TPixel * input, std::int64_t i)
{
  const std::int64_t x = box.ToInput(0, i % box.OutputSize[0]);
  const std::int64_t y = box.ToInput(1, i / box.OutputSize[0] % box.OutputSize[1]);
  const std::int64_t z = box.ToInput(2, i / box.OutputSize[0] / box.OutputSize[1]);
  return input[(z * box.InputSize[1] + y) * box.InputSize[0] + x];
}

/** One thread computes one pixel. */
__global__ void
MaskKernel(KernelBox             imageBox,
           const Triple *        image,
           KernelBox             maskBox,
           const unsigned char * mask,
           Triple                outside,
           std::int64_t          pixels,
           Triple *              output)
{
  ForEachPixel(pixels,
               [&](std::int64_t i) { output[i] = Get(maskBox, mask, i) != 0 ? Get(imageBox, image, i) : outside; });
}

class MaskOperation : public LocalOperation
{
public:
  explicit MaskOperation(const Triple & outside)
    : m_Outside(outside)
  {}

  void
  RunRegion(Execution & execution, const RegionOnDevice & region) const override
  {
    const StageScope   stage(execution, "mask");
    const std::int64_t pixels = region.OutputRegion.GetNumberOfPixels();
    Launch(execution,
           "MaskKernel",
           MaskKernel,
           { GridOf(DivideUp(pixels, threads)), dim3(threads) },
           KernelBox(region.GetBox(0)),
           region.GetInput<Triple>(0),
           KernelBox(region.GetBox(1)),
           region.GetInput<unsigned char>(1),
           m_Outside,
           pixels,
           region.GetOutput<Triple>());
  }

private:
  Triple m_Outside;
};

/** One thread computes one pixel of the remainders, as the operation's intermediate result. */
__global__ void
RemainderKernel(KernelBox             box,
                const std::uint64_t * labels,
                std::uint64_t         divisor,
                std::int64_t          pixels,
                std::uint64_t *       remainders)
{
  ForEachPixel(pixels, [&](std::int64_t i) { remainders[i] = Get(box, labels, i) % divisor; });
}

/** One thread computes one pixel of both outputs. */
__global__ void
QuotientKernel(KernelBox             box,
               const std::uint64_t * labels,
               const std::uint64_t * remainders,
               std::uint64_t         divisor,
               std::int64_t          pixels,
               std::uint64_t *       quotient,
               unsigned char *       remainder)
{
  ForEachPixel(pixels, [&](std::int64_t i) {
    quotient[i] = (Get(box, labels, i) - remainders[i]) / divisor;
    remainder[i] = static_cast<unsigned char>(remainders[i]);
  });
}

class DivisionOperation : public LocalOperation
{
public:
  explicit DivisionOperation(std::uint64_t divisor)
    : m_Divisor(divisor)
  {}

  std::size_t
  GetScratchBytes(const RegionPlan & plan) const override
  {
    return plan.Output.GetNumberOfPixels() * sizeof(std::uint64_t);
  }

  void
  RunRegion(Execution & execution, const RegionOnDevice & region) const override
  {
    const std::int64_t  pixels = region.OutputRegion.GetNumberOfPixels();
    const ScratchMemory scratch(execution, pixels * sizeof(std::uint64_t));
    auto * const        remainders = static_cast<std::uint64_t *>(scratch.GetPointer());
    const KernelBox     box(region.GetBox());
    const LaunchShape   shape{ GridOf(DivideUp(pixels, threads)), dim3(threads) };
    {
      const StageScope stage(execution, "remainders");
      // Work outside Launch() goes to the same stream.
      Check(cudaMemsetAsync(
              remainders, 0xff, pixels * sizeof(std::uint64_t), static_cast<cudaStream_t>(GetStreamHandle(execution))),
            "Filling the remainders");
      Launch(execution,
             "RemainderKernel",
             RemainderKernel,
             shape,
             box,
             region.GetInput<std::uint64_t>(),
             m_Divisor,
             pixels,
             remainders);
    }
    const StageScope stage(execution, "quotients");
    Launch(execution,
           "QuotientKernel",
           QuotientKernel,
           shape,
           box,
           region.GetInput<std::uint64_t>(),
           remainders,
           m_Divisor,
           pixels,
           region.GetOutput<std::uint64_t>(0),
           region.GetOutput<unsigned char>(1));
  }

private:
  std::uint64_t m_Divisor;
};

/** One thread computes one pixel. */
__global__ void
PadKernel(KernelBox box, const short * input, short constant, std::int64_t pixels, short * output)
{
  ForEachPixel(pixels, [&](std::int64_t i) {
    const std::int64_t x = i % box.OutputSize[0] + box.Start[0];
    const std::int64_t y = i / box.OutputSize[0] + box.Start[1];
    const bool         isInside = x >= 0 && x < box.InputSize[0] && y >= 0 && y < box.InputSize[1];
    output[i] = isInside ? input[y * box.InputSize[0] + x] : constant;
  });
}

class PadOperation : public LocalOperation
{
public:
  explicit PadOperation(short constant)
    : m_Constant(constant)
  {}

  void
  RunRegion(Execution & execution, const RegionOnDevice & region) const override
  {
    const std::int64_t pixels = region.OutputRegion.GetNumberOfPixels();
    const StageScope   stage(execution, "pad");
    Launch(execution,
           "PadKernel",
           PadKernel,
           { GridOf(DivideUp(pixels, threads)), dim3(threads) },
           KernelBox(region.GetBox()),
           region.GetInput<short>(),
           m_Constant,
           pixels,
           region.GetOutput<short>());
  }

private:
  short m_Constant;
};

/** One thread computes one pixel. */
__global__ void
RampKernel(std::int64_t     startX,
           std::int64_t     startY,
           std::int64_t     startZ,
           std::int64_t     width,
           std::int64_t     height,
           std::int64_t     pixels,
           unsigned short * output)
{
  ForEachPixel(pixels, [&](std::int64_t i) {
    output[i] = static_cast<unsigned short>(startX + i % width + 3 * (startY + i / width % height) +
                                            7 * (startZ + i / width / height));
  });
}

class RampOperation : public LocalOperation
{
public:
  void
  RunRegion(Execution & execution, const RegionOnDevice & region) const override
  {
    const Region3 &    box = region.OutputRegion;
    const std::int64_t pixels = box.GetNumberOfPixels();
    const StageScope   stage(execution, "ramp");
    Launch(execution,
           "RampKernel",
           RampKernel,
           { GridOf(DivideUp(pixels, threads)), dim3(threads) },
           box.Start[0],
           box.Start[1],
           box.Start[2],
           box.Size[0],
           box.Size[1],
           pixels,
           region.GetOutput<unsigned short>());
  }
};
} // namespace

OperationPointer
MakeMaskOperation(const Triple & outside)
{
  return std::make_unique<MaskOperation>(outside);
}

OperationPointer
MakeDivisionOperation(std::uint64_t divisor)
{
  return std::make_unique<DivisionOperation>(divisor);
}

OperationPointer
MakePadOperation(short constant)
{
  return std::make_unique<PadOperation>(constant);
}

OperationPointer
MakeRampOperation()
{
  return std::make_unique<RampOperation>();
}
