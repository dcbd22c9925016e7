// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersStencil_cuh
#define itkCudaFiltersStencil_cuh

#include "../Device/Launch.h"
#include "CudaFilters/LocalBox.h"
#include <algorithm>
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** LocalBox as kernels take it. */
struct StencilBox
{
  std::int64_t InputSize[3];
  std::int64_t OutputSize[3];
  std::int64_t Start[3];

  explicit StencilBox(const LocalBox & box)
  {
    std::copy(box.InputSize.begin(), box.InputSize.end(), this->InputSize);
    std::copy(box.OutputSize.begin(), box.OutputSize.end(), this->OutputSize);
    std::copy(box.Start.begin(), box.Start.end(), this->Start);
  }

  /** The place in the input of an output position along an axis, or of one beyond: the nearest there is. */
  __device__ std::int64_t
             ToInput(int axis, std::int64_t position) const
  {
    const std::int64_t place = position + this->Start[axis];
    return place < 0 ? 0 : (place < this->InputSize[axis] ? place : this->InputSize[axis] - 1);
  }
};

/** The pixels around VWindow output pixels that are neighbours along the last axis: those in a line one farther at both
 * ends, and their neighbours in the other axes. */
template <int VDimension, int VWindow, typename TValue>
struct StencilWindow
{
  static constexpr int LineLength = VWindow + 2;
  static constexpr int Lines = VDimension == 2 ? 3 : 9;

  TValue Values[LineLength][Lines];
};

/** The neighbourhood of one pixel: 3 pixels along each axis. Offsets are -1, 0 or 1. */
template <int VDimension, int VWindow, typename TValue>
class StencilView
{
public:
  __device__
  StencilView(const StencilWindow<VDimension, VWindow, TValue> & window, int number)
    : m_Window(window)
    , m_Number(number)
  {}

  __device__ __forceinline__ TValue
  operator()(int x, int y) const
  {
    return m_Window.Values[m_Number + 1 + y][1 + x];
  }
  __device__ __forceinline__ TValue
  operator()(int x, int y, int z) const
  {
    return m_Window.Values[m_Number + 1 + z][(1 + y) * 3 + 1 + x];
  }

private:
  const StencilWindow<VDimension, VWindow, TValue> & m_Window;
  int                                                m_Number;
};

/** Computes each output pixel from the 3 x 3 (x 3) input pixels around it; beyond the edge there is the pixel at the
 * edge. One thread computes VWindow pixels in a line along the last axis, and loads what they need into registers
 * first, so that many loads are on their way at once; what neighbours in the line compute alike, the compiler computes
 * once. The threads of a warp lie next to each other along x; those of a block above each other, along y, and meet in
 * the first-level cache. No shared memory.
 *
 * The operation has ValueType, the type to compute in, and is called with a StencilView and the place of the output
 * pixel. */
template <int VDimension, int VWindow, typename TOperation, typename TInput>
__global__ void
StencilKernel(StencilBox box, TOperation operation, const TInput * input)
{
  using Value = typename TOperation::ValueType;
  using Window = StencilWindow<VDimension, VWindow, Value>;
  constexpr int last = VDimension - 1;

  const std::int64_t x = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (x >= box.OutputSize[0])
  {
    return;
  }
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y;
  const std::int64_t rowStep = static_cast<std::int64_t>(gridDim.y) * blockDim.y;
  const std::int64_t inputStride = VDimension == 2 ? box.InputSize[0] : box.InputSize[0] * box.InputSize[1];
  const std::int64_t outputStride = VDimension == 2 ? box.OutputSize[0] : box.OutputSize[0] * box.OutputSize[1];
  const std::int64_t columns[3] = { box.ToInput(0, x - 1), box.ToInput(0, x), box.ToInput(0, x + 1) };

  const auto compute = [&](std::int64_t y, std::int64_t first) {
    const TInput * lines[Window::Lines];
#pragma unroll
    for (int i = 0; i < Window::Lines; ++i)
    {
      lines[i] = input + columns[i % 3];
      if constexpr (VDimension == 3)
      {
        lines[i] += box.ToInput(1, y + i / 3 - 1) * box.InputSize[0];
      }
    }
    Window window;
#pragma unroll
    for (int k = 0; k < Window::LineLength; ++k)
    {
      const std::int64_t offset = box.ToInput(last, first + k - 1) * inputStride;
#pragma unroll
      for (int i = 0; i < Window::Lines; ++i)
      {
        window.Values[k][i] = static_cast<Value>(lines[i][offset]);
      }
    }
    std::int64_t place = first * outputStride + (VDimension == 3 ? y * box.OutputSize[0] : 0) + x;
#pragma unroll
    for (int i = 0; i < VWindow; ++i)
    {
      if (first + i < box.OutputSize[last])
      {
        operation(StencilView<VDimension, VWindow, Value>(window, i), place);
      }
      place += outputStride;
    }
  };

  if constexpr (VDimension == 2)
  {
    for (std::int64_t first = row * VWindow; first < box.OutputSize[1]; first += rowStep * VWindow)
    {
      compute(0, first);
    }
  }
  else
  {
    for (std::int64_t first = static_cast<std::int64_t>(blockIdx.z) * VWindow; first < box.OutputSize[2];
         first += static_cast<std::int64_t>(gridDim.z) * VWindow)
    {
      for (std::int64_t y = row; y < box.OutputSize[1]; y += rowStep)
      {
        compute(y, first);
      }
    }
  }
}

/** Starts StencilKernel. */
template <int VDimension, int VWindow, typename TOperation, typename TInput>
void
RunStencil(const Execution &  execution,
           const char *       name,
           const LocalBox &   box,
           const TOperation & operation,
           const TInput *     input)
{
  constexpr std::int64_t highest = 65535;
  constexpr unsigned int warp = 32;
  const auto             divide = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  const auto             limit = [&](std::int64_t a) { return static_cast<unsigned int>(std::min(a, highest)); };

  const auto         kernel = StencilKernel<VDimension, VWindow, TOperation, TInput>;
  const unsigned int threads = ChooseBlockSize(execution, CudaKernelFamilyEnum::Stencil, kernel, 256);
  const dim3         block(warp, threads / warp);
  const std::int64_t lines = divide(box.OutputSize[VDimension - 1], VWindow);
  const dim3         grid(static_cast<unsigned int>(divide(box.OutputSize[0], warp)),
                  limit(divide(VDimension == 2 ? lines : box.OutputSize[1], block.y)),
                  VDimension == 2 ? 1 : limit(lines));
  Launch(execution, name, kernel, { grid, block }, StencilBox(box), operation, input);
}
} // namespace CudaFilters
} // namespace itk

#endif
