// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_StencilKernel_cuh
#define CudaFilters_detail_StencilKernel_cuh

#include "CudaFilters/KernelBox.cuh"
#include "CudaFilters/Launch.cuh"
#include "CudaFilters/detail/PixelPack.cuh"
#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** The pixels that a thread reads at one position along the last axis: VWidth along x and one more on each side, and in
 * 3-D the same in the rows before and behind along y. */
template <int VDimension, int VWidth, typename TValue>
struct StencilLine
{
  static constexpr int Rows = VDimension == 2 ? 1 : 3;

  TValue Values[Rows][VWidth + 2];
};

/** Pixels of a StencilLine relative to one of its pixels. The offsets along x and, in 3-D, y are -1, 0 or 1. */
template <typename TLine>
class StencilLineView
{
public:
  __device__ __forceinline__
  StencilLineView(const TLine & line, int x)
    : m_Line(line)
    , m_X(x)
  {}

  __device__ __forceinline__ auto
  operator()(int x) const
  {
    return m_Line.Values[0][m_X + 1 + x];
  }
  __device__ __forceinline__ auto
  operator()(int x, int y) const
  {
    return m_Line.Values[1 + y][m_X + 1 + x];
  }

private:
  const TLine & m_Line;
  int           m_X;
};

/** The neighbourhood of one pixel: three lines, and the part that the operation computed from each line alone. */
template <typename TLine, typename TPart>
class StencilView
{
public:
  __device__ __forceinline__
  StencilView(const TLine & before,
              const TLine & here,
              const TLine & behind,
              const TPart (&parts)[3],
              int x,
              const std::int64_t (&place)[3])
    : m_Lines{ &before, &here, &behind }
    , m_Parts(parts)
    , m_X(x)
    , m_Place(place)
  {}

  __device__ __forceinline__ auto
  operator()(int x, int y) const
  {
    return m_Lines[1 + y]->Values[0][m_X + 1 + x];
  }
  __device__ __forceinline__ auto
  operator()(int x, int y, int z) const
  {
    return m_Lines[1 + z]->Values[1 + y][m_X + 1 + x];
  }
  __device__ __forceinline__ const TPart &
  GetPart(int offset) const
  {
    return m_Parts[1 + offset];
  }

  /** The place of the pixel in the output. */
  __device__ __forceinline__ std::int64_t
                             GetOutputPosition(int axis) const
  {
    return m_Place[axis];
  }

private:
  const TLine * m_Lines[3];
  const TPart (&m_Parts)[3];
  int m_X;
  const std::int64_t (&m_Place)[3];
};

/** A pixel of any size. */
template <typename TPixel>
struct SinglePixel
{
  TPixel Values[1];
};

/** The PartType of operations that need nothing from a single line. */
struct NoStencilPart
{};

/** Computes each output pixel from the 3 x 3 (x 3) input pixels around it. Neighbours outside the image are replaced by
 * the nearest pixel. One thread computes VWidth adjacent pixels per line, line by line along the last axis: it holds
 * three lines in registers, and loads the next one while it computes. The threads of a warp are adjacent along x. The
 * warps of a block are adjacent along y, and share rows in the L1 cache. No shared memory.
 *
 * VWidth is 1, or 4 if the row lengths of input and output, and the start of the output in the input, are multiples of
 * 4 pixels. The operation defines ValueType, the type to compute in, PartType, the result of GetPart() for one line,
 * and ResultType. It is called with a StencilView, and stores the results for VWidth pixels. */
template <int VDimension, int VWidth, typename TOperation, typename TInput>
__global__ void
StencilKernel(KernelBox box, int length, TOperation operation, const TInput * input)
{
  using Value = typename TOperation::ValueType;
  using Part = typename TOperation::PartType;
  using Line = StencilLine<VDimension, VWidth, Value>;
  using Pack = std::conditional_t<VWidth == 1, SinglePixel<TInput>, PixelPack<TInput, VWidth>>;
  constexpr int last = VDimension - 1;

  const std::int64_t x = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * VWidth;
  if (x >= box.OutputSize[0])
  {
    return;
  }
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y;
  const std::int64_t rowStep = static_cast<std::int64_t>(gridDim.y) * blockDim.y;
  const std::int64_t inputStride = VDimension == 2 ? box.InputSize[0] : box.InputSize[0] * box.InputSize[1];
  const std::int64_t outputStride = VDimension == 2 ? box.OutputSize[0] : box.OutputSize[0] * box.OutputSize[1];
  const std::int64_t inputX = box.ToInput(0, x);
  const int          before = inputX > 0 ? -1 : 0;
  const int          behind = inputX + VWidth < box.InputSize[0] ? VWidth : VWidth - 1;

  const auto compute = [&](std::int64_t y, std::int64_t first) {
    const TInput * rows[Line::Rows];
#pragma unroll
    for (int i = 0; i < Line::Rows; ++i)
    {
      const std::int64_t inputY = VDimension == 2 ? 0 : box.ToInput(1, y + i - 1);
      rows[i] = input + box.ToInput(last, first - 1) * inputStride + inputY * box.InputSize[0] + inputX;
    }
    Line       lines[3];
    Part       parts[3][VWidth];
    const auto load = [&](int n) {
#pragma unroll
      for (int i = 0; i < Line::Rows; ++i)
      {
        const Pack pack = *reinterpret_cast<const Pack *>(rows[i]);
        lines[n].Values[i][0] = static_cast<Value>(rows[i][before]);
#pragma unroll
        for (int j = 0; j < VWidth; ++j)
        {
          lines[n].Values[i][1 + j] = static_cast<Value>(pack.Values[j]);
        }
        lines[n].Values[i][1 + VWidth] = static_cast<Value>(rows[i][behind]);
      }
    };
    const auto prepare = [&](int n) {
#pragma unroll
      for (int j = 0; j < VWidth; ++j)
      {
        parts[n][j] = operation.GetPart(StencilLineView<Line>(lines[n], j));
      }
    };
    // The next output line needs the next input line, except before the first and after the last line of the image.
    const auto advance = [&](bool goesOn) {
      if (goesOn)
      {
#pragma unroll
        for (int i = 0; i < Line::Rows; ++i)
        {
          rows[i] += inputStride;
        }
      }
    };
    const std::int64_t start = first + box.Start[last];
    const std::int64_t linesBehind = box.InputSize[last] - start - 1; // the line at the start
    const int          goOn = linesBehind < length ? static_cast<int>(linesBehind) : length;
    const std::int64_t left = box.OutputSize[last] - first;
    const int          count = left < length ? static_cast<int>(left) : length;
    load(0);
    advance(start > 0);
    load(1);
    advance(goOn > 0);
    load(2);
    prepare(0);
    prepare(1);
    std::int64_t place = first * outputStride + (VDimension == 3 ? y * box.OutputSize[0] : 0) + x;
    for (int i = 0; i < count; i += 3)
    {
#pragma unroll
      for (int n = 0; n < 3; ++n)
      {
        if (i + n < count)
        {
          prepare((n + 2) % 3);
          typename TOperation::ResultType results[VWidth];
#pragma unroll
          for (int j = 0; j < VWidth; ++j)
          {
            const Part         around[3] = { parts[n][j], parts[(n + 1) % 3][j], parts[(n + 2) % 3][j] };
            const std::int64_t line = first + i + n;
            const std::int64_t where[3] = { x + j, VDimension == 2 ? line : y, VDimension == 2 ? 0 : line };
            results[j] =
              operation(StencilView<Line, Part>(lines[n], lines[(n + 1) % 3], lines[(n + 2) % 3], around, j, where));
          }
          if (i + n + 1 < count)
          {
            advance(i + n + 1 < goOn);
            load(n);
          }
          operation.Store(results, place);
          place += outputStride;
        }
      }
    }
  };

  if constexpr (VDimension == 2)
  {
    for (std::int64_t first = row * length; first < box.OutputSize[1]; first += rowStep * length)
    {
      compute(0, first);
    }
  }
  else
  {
    for (std::int64_t first = static_cast<std::int64_t>(blockIdx.z) * length; first < box.OutputSize[2];
         first += static_cast<std::int64_t>(gridDim.z) * length)
    {
      for (std::int64_t y = row; y < box.OutputSize[1]; y += rowStep)
      {
        compute(y, first);
      }
    }
  }
}

/** Enqueues StencilKernel. With VMayBeWide, a thread computes four pixels if sizes and addresses allow it.
 * outputIsAligned: whether four adjacent pixels of the output may be stored at once. chooseThreads(kernel): the number
 * of threads of a block. */
template <int VDimension, bool VMayBeWide, typename TOperation, typename TInput, typename TChooseThreads>
void
RunStencilKernel(const Execution &      execution,
                 const char *           name,
                 const LocalBox &       box,
                 const TOperation &     operation,
                 const TInput *         input,
                 bool                   outputIsAligned,
                 const TChooseThreads & chooseThreads)
{
  constexpr int length = VDimension == 2 ? 8 : 32;
  constexpr int width = 4;

  const auto run = [&](auto kernel, std::int64_t pixels) {
    constexpr unsigned int warp = 32;

    const unsigned int threads = chooseThreads(kernel);
    const dim3         block(warp, threads / warp);
    const std::int64_t pieces = DivideUp(box.OutputSize[VDimension - 1], length);
    const dim3         grid(static_cast<unsigned int>(DivideUp(box.OutputSize[0], warp * pixels)),
                    LimitBlocks(DivideUp(VDimension == 2 ? pieces : box.OutputSize[1], block.y)),
                    VDimension == 2 ? 1 : LimitBlocks(pieces));
    Launch(execution, name, kernel, { grid, block }, KernelBox(box), length, operation, input);
  };
  if constexpr (VMayBeWide)
  {
    if (outputIsAligned && IsAligned<PixelPack<TInput, width>>(input) && box.InputSize[0] % width == 0 &&
        box.OutputSize[0] % width == 0 && box.Start[0] % width == 0)
    {
      run(StencilKernel<VDimension, width, TOperation, TInput>, width);
      return;
    }
  }
  run(StencilKernel<VDimension, 1, TOperation, TInput>, 1);
}
} // namespace CudaFilters
} // namespace itk

#endif
