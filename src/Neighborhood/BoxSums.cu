// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "../Device/Execution.h"
#include "../Device/PixelDispatch.h"
#include "../PixelFunctions/ScalarPixels.cuh"
#include "CombineWindows.cuh"
#include "CudaFilters/KernelBox.cuh"
#include "CudaFilters/Neighborhood.cuh"
#include "CudaFilters/detail/BoxSumOperation.h"
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** The sum of pixels, and that of their squares. */
struct Moments
{
  double Sum;
  double Squares;

  __device__ Moments &
  operator+=(const Moments & other)
  {
    this->Sum += other.Sum;
    this->Squares += other.Squares;
    return *this;
  }
};

/** What a pixel adds to a sum. */
template <typename TSum>
struct Summand
{
  template <typename TValue>
  __device__ __forceinline__ static TSum
  Make(const TValue & value)
  {
    if constexpr (std::is_same<TSum, Moments>::value && !std::is_same<TValue, Moments>::value)
    {
      const auto number = static_cast<double>(value);
      // ITK squares float pixels in their own type.
      return { number, std::is_same<TValue, float>::value ? static_cast<double>(value * value) : number * number };
    }
    else
    {
      return static_cast<TSum>(value);
    }
  }
};

/** Stores sums as they are. */
template <typename TSum>
struct SumWriter
{
  TSum *     Sums;
  RowStrides Strides;

  __device__ void
  Store(const TSum & sum, std::int64_t x, std::int64_t y, std::int64_t z) const
  {
    this->Sums[this->Strides.GetOffset(x, y, z)] = sum;
  }
};

/** Stores means. */
template <typename TSum>
struct MeanWriter
{
  ScalarWriter Writer;
  double       Count;

  __device__ void
  Store(const TSum & sum, std::int64_t x, std::int64_t y, std::int64_t z) const
  {
    this->Writer.StorePixel(nullptr, static_cast<double>(sum) / this->Count, x, y, z);
  }
};

/** Stores standard deviations, of as many pixels as the image has. */
struct SigmaWriter
{
  ScalarWriter Writer;
  KernelBox    Box; // of the image and the output
  std::int64_t Radius[3];

  __device__ void
  Store(const Moments & moments, std::int64_t x, std::int64_t y, std::int64_t z) const
  {
    const std::int64_t position[3] = { x, y, z };
    std::int64_t       pixels = 1;
#pragma unroll
    for (int axis = 0; axis < 3; ++axis)
    {
      pixels *= this->Box.ToInput(axis, position[axis] + this->Radius[axis]) -
                this->Box.ToInput(axis, position[axis] - this->Radius[axis]) + 1;
    }
    const auto count = static_cast<double>(pixels);
    // In the order of ITK. One pixel has no deviation: NaN.
    const double variance = (moments.Squares - moments.Sum * moments.Sum / count) / (count - 1.0);
    this->Writer.StorePixel(nullptr, std::sqrt(variance), x, y, z);
  }
};

std::int64_t
CountPixels(const Size3 & radius)
{
  return (2 * radius[0] + 1) * (2 * radius[1] + 1) * (2 * radius[2] + 1);
}

constexpr int SumRows = 8;

/** Adds up the pixels, or the sums, of a line along an axis around each position. One thread computes VRows positions
 * along the axis, and loads once what all of them have in common. repeatsBorder: outside the image is the nearest
 * pixel, otherwise nothing. */
template <int VRows, typename TSum, typename TWriter, typename TInput>
__global__ void
BoxSumKernel(KernelBox box, int axis, int radius, bool repeatsBorder, const TInput * input, TWriter writer)
{
  const std::int64_t x = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (x >= box.OutputSize[0])
  {
    return;
  }
  const int scaleY = axis == 1 ? VRows : 1;
  const int scaleZ = axis == 2 ? VRows : 1;
  // Arrays that are indexed by a variable would be copied to memory.
  const auto choose = [&](std::int64_t ofX, std::int64_t ofY, std::int64_t ofZ) {
    return axis == 0 ? ofX : (axis == 1 ? ofY : ofZ);
  };
  const std::int64_t stride = choose(1, box.InputSize[0], box.InputSize[0] * box.InputSize[1]);
  const std::int64_t start = choose(box.Start[0], box.Start[1], box.Start[2]);
  const std::int64_t inputSize = choose(box.InputSize[0], box.InputSize[1], box.InputSize[2]);
  const std::int64_t outputSize = choose(box.OutputSize[0], box.OutputSize[1], box.OutputSize[2]);
  for (std::int64_t z = static_cast<std::int64_t>(blockIdx.z) * scaleZ; z < box.OutputSize[2];
       z += static_cast<std::int64_t>(gridDim.z) * scaleZ)
  {
    for (std::int64_t y = (static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y) * scaleY;
         y < box.OutputSize[1];
         y += static_cast<std::int64_t>(gridDim.y) * blockDim.y * scaleY)
    {
      const std::int64_t position = choose(x, y, z);
      // The line in the input, without its own axis.
      const TInput * const line = input + (axis == 0 ? 0 : box.ToInput(0, x)) +
                                  (axis == 1 ? 0 : box.ToInput(1, y) * box.InputSize[0]) +
                                  (axis == 2 ? 0 : box.ToInput(2, z) * box.InputSize[0] * box.InputSize[1]);
      const auto load = [&](int offset) {
        const std::int64_t place = position + offset + start;
        const std::int64_t nearest = place < 0 ? 0 : (place < inputSize ? place : inputSize - 1);
        return place == nearest || repeatsBorder ? Summand<TSum>::Make(line[nearest * stride]) : TSum{};
      };
      const auto combine = [](TSum a, const TSum & b) {
        a += b;
        return a;
      };
      TSum sums[VRows] = {};
      if (position + start >= radius && position + start + VRows + radius <= inputSize)
      {
        const TInput * const center = line + (position + start) * stride;
        const auto           loadInside = [&](int offset) { return Summand<TSum>::Make(center[offset * stride]); };
        CombineWindows(sums, -radius, radius, loadInside, combine);
      }
      else
      {
        CombineWindows(sums, -radius, radius, load, combine);
      }
#pragma unroll
      for (int i = 0; i < VRows; ++i)
      {
        if (position + i < outputSize)
        {
          writer.Store(sums[i], x + (axis == 0 ? i : 0), y + (axis == 1 ? i : 0), z + (axis == 2 ? i : 0));
        }
      }
    }
  }
}

template <typename TSum, typename TInput, typename TWriter>
void
RunBoxSum(const Execution & execution,
          const LocalBox &  box,
          int               axis,
          std::int64_t      radius,
          bool              repeatsBorder,
          const TInput *    input,
          const TWriter &   writer)
{
  const auto run = [&](auto kernel, int rows) {
    const dim3 block(32, 8);
    Launch(execution,
           "BoxSumKernel",
           kernel,
           { dim3(static_cast<unsigned int>(DivideUp(box.OutputSize[0], block.x)),
                  LimitBlocks(DivideUp(box.OutputSize[1], block.y * (axis == 1 ? rows : 1))),
                  LimitBlocks(DivideUp(box.OutputSize[2], axis == 2 ? rows : 1))),
             block },
           KernelBox(box),
           axis,
           static_cast<int>(radius),
           repeatsBorder,
           input,
           writer);
  };
  axis == 0 ? run(BoxSumKernel<1, TSum, TWriter, TInput>, 1)
            : run(BoxSumKernel<SumRows, TSum, TWriter, TInput>, SumRows);
}

/** Computes means of small squares (VDimension is 2) or cubes (3). One thread goes along the last axis, and keeps the
 * sums of the last rows, or slices, of its window in registers. The threads of a warp are adjacent along x. */
template <int VRadius, int VDimension, typename TSum, typename TPixel>
__global__ void
SmallMeanKernel(NeighborhoodBox box, int length, const TPixel * __restrict__ input, MeanWriter<TSum> writer)
{
  constexpr int window = 2 * VRadius + 1;
  constexpr int rows = VDimension == 2 ? 1 : window;

  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (x >= box.OutputSize[0])
  {
    return;
  }
  const bool isInside = box.IsInner(0, x, x + 1);
  const auto compute = [&](const int y, const int z) {
    const auto load = [&](int offset) {
      TSum sum{};
#pragma unroll
      for (int i = 0; i < rows; ++i)
      {
        const int            inputY = box.ToInput(1, VDimension == 2 ? y + offset : y + i - VRadius);
        const int            inputZ = box.ToInput(2, VDimension == 2 ? z : z + offset);
        const TPixel * const row = input + static_cast<std::int64_t>(inputZ) * box.InputSize[1] * box.InputSize[0] +
                                   static_cast<std::int64_t>(inputY) * box.InputSize[0];
        if (isInside)
        {
          const TPixel * const pixel = row + x + box.Start[0];
#pragma unroll
          for (int j = -VRadius; j <= VRadius; ++j)
          {
            sum += static_cast<TSum>(pixel[j]);
          }
        }
        else
        {
#pragma unroll 1
          for (int j = -VRadius; j <= VRadius; ++j)
          {
            sum += static_cast<TSum>(row[box.ToInput(0, x + j)]);
          }
        }
      }
      return sum;
    };
    const int left = box.OutputSize[VDimension - 1] - (VDimension == 2 ? y : z);
    const int count = left < length ? left : length;
    TSum      sums[window]; // of the positions around the current one, in a ring
#pragma unroll
    for (int i = 0; i < window - 1; ++i)
    {
      sums[i] = load(i - VRadius);
    }
    for (int i = 0; i < count; i += window)
    {
#pragma unroll
      for (int n = 0; n < window; ++n)
      {
        if (i + n < count)
        {
          sums[(n + window - 1) % window] = load(i + n + VRadius);
          TSum sum = sums[0];
#pragma unroll
          for (int k = 1; k < window; ++k)
          {
            sum += sums[k];
          }
          writer.Store(sum, x, VDimension == 2 ? y + i + n : y, VDimension == 2 ? z : z + i + n);
        }
      }
    }
  };

  const int scaleY = VDimension == 2 ? length : 1;
  const int scaleZ = VDimension == 2 ? 1 : length;
  for (std::int64_t z = static_cast<std::int64_t>(blockIdx.z) * scaleZ; z < box.OutputSize[2];
       z += static_cast<std::int64_t>(gridDim.z) * scaleZ)
  {
    for (std::int64_t y = static_cast<std::int64_t>(blockIdx.y * blockDim.y + threadIdx.y) * scaleY;
         y < box.OutputSize[1];
         y += static_cast<std::int64_t>(gridDim.y * blockDim.y) * scaleY)
    {
      compute(static_cast<int>(y), static_cast<int>(z));
    }
  }
}

/** Enqueues SmallMeanKernel for a region. */
template <int VRadius, int VDimension, typename TPixel, typename TSum>
void
RunSmallMean(const Execution &        execution,
             const RegionOnDevice &   region,
             const Size3 &            radius,
             const MeanWriter<TSum> & writer)
{
  constexpr int length = 32;
  const Size3 & size = region.OutputRegion.Size;
  const dim3    block(32, 8);
  const auto    pieces = DivideUp(size[VDimension - 1], length);
  Launch(execution,
         "SmallMeanKernel",
         SmallMeanKernel<VRadius, VDimension, TSum, TPixel>,
         { dim3(static_cast<unsigned int>(DivideUp(size[0], block.x)),
                LimitBlocks(DivideUp(VDimension == 2 ? pieces : size[1], block.y)),
                LimitBlocks(VDimension == 2 ? size[2] : pieces)),
           block },
         MakeNeighborhoodBox(region, radius),
         length,
         region.GetInput<TPixel>(),
         writer);
}

/** Adds up all pixels of a box, one axis after the other, and stores a function of the sum. */
template <typename TPixel, typename TSum>
class BoxSumOperation : public LocalOperation
{
public:
  BoxSumOperation(const Size3 & radius, ScalarType output)
    : m_Radius(radius)
    , m_Output(output)
  {}

  Region3
  GetInputRegion(unsigned int, const Region3 & outputRegion) const override
  {
    return Pad(outputRegion, m_Radius);
  }

  std::size_t
  GetScratchBytes(const RegionPlan & plan) const override
  {
    return 2 * static_cast<std::size_t>(plan.Inputs[0].GetNumberOfPixels()) * sizeof(TSum);
  }

  void
  RunRegion(Execution & execution, const RegionOnDevice & region) const override
  {
    constexpr bool   repeatsBorder = !std::is_same<TSum, Moments>::value;
    const StageScope stage(execution, "box");
    const Region3 &  output = region.OutputRegion;
    Region3          rows = Intersect(region.InputRegions[0], Pad(output, m_Radius)); // after the axis x
    rows.Start[0] = output.Start[0];
    rows.Size[0] = output.Size[0];
    Region3 slices = rows; // after the axis y
    slices.Start[1] = output.Start[1];
    slices.Size[1] = output.Size[1];

    const auto allocate = [&](const Region3 & sums) {
      return execution.Allocate(static_cast<std::size_t>(sums.GetNumberOfPixels()) * sizeof(TSum));
    };
    const auto write = [](const DeviceBuffer & memory, const Region3 & sums) {
      return SumWriter<TSum>{ static_cast<TSum *>(memory.GetPointer()), MakeRowStrides(sums) };
    };
    const auto run = [&](const auto * input, const Region3 & from, const Region3 & to, int axis, const auto & writer) {
      RunBoxSum<TSum>(execution, MakeLocalBox(from, to), axis, m_Radius[axis], repeatsBorder, input, writer);
    };
    const ScalarWriter writer{ region.Outputs[0], MakeRowStrides(output), m_Output };
    const auto         finish = this->MakeWriter(writer, region);
    if constexpr (!std::is_same<TSum, Moments>::value)
    {
      if (this->RunSmall(execution, region, finish))
      {
        return;
      }
    }
    const auto ofRows = allocate(rows);
    run(region.GetInput<TPixel>(), region.InputRegions[0], rows, 0, write(*ofRows, rows));
    const auto * const sums = static_cast<const TSum *>(ofRows->GetPointer());
    if (rows.Size[2] == 1 && m_Radius[2] == 0)
    {
      run(sums, rows, output, 1, finish);
      return;
    }
    const auto ofSlices = allocate(slices);
    run(sums, rows, slices, 1, write(*ofSlices, slices));
    run(static_cast<const TSum *>(ofSlices->GetPointer()), slices, output, 2, finish);
  }

private:
  /** Computes the mean of a small square or cube, and returns whether the box is one. */
  bool
  RunSmall(const Execution & execution, const RegionOnDevice & region, const MeanWriter<TSum> & writer) const
  {
    const auto run = [&](auto radius, auto dimension) {
      constexpr std::int64_t r = decltype(radius)::value;
      constexpr int          d = decltype(dimension)::value;
      if (m_Radius != Size3{ { r, r, d == 2 ? 0 : r } })
      {
        return false;
      }
      RunSmallMean<static_cast<int>(r), d, TPixel>(execution, region, m_Radius, writer);
      return true;
    };
    using One = std::integral_constant<int, 1>;
    using Two = std::integral_constant<int, 2>;
    using Three = std::integral_constant<int, 3>;
    return run(One(), Two()) || run(Two(), Two()) || run(One(), Three()) || run(Two(), Three());
  }

  auto
  MakeWriter(const ScalarWriter & writer, const RegionOnDevice & region) const
  {
    if constexpr (std::is_same<TSum, Moments>::value)
    {
      return SigmaWriter{ writer, KernelBox(region.GetBox()), { m_Radius[0], m_Radius[1], m_Radius[2] } };
    }
    else
    {
      return MeanWriter<TSum>{ writer, static_cast<double>(CountPixels(m_Radius)) };
    }
  }

  Size3      m_Radius;
  ScalarType m_Output;
};
} // namespace

OperationPointer
MakeBoxMeanOperation(const Size3 & radius, PixelType input, ScalarType output)
{
  return WithPixel(input, [&](auto pixel) -> OperationPointer {
    using Pixel = decltype(pixel);
    if constexpr (std::is_integral<Pixel>::value)
    {
      constexpr std::int64_t most = std::numeric_limits<int>::max() / std::numeric_limits<unsigned short>::max();
      return CountPixels(radius) <= most
               ? OperationPointer(std::make_unique<BoxSumOperation<Pixel, int>>(radius, output))
               : std::make_unique<BoxSumOperation<Pixel, std::int64_t>>(radius, output);
    }
    else
    {
      return std::make_unique<BoxSumOperation<Pixel, double>>(radius, output);
    }
  });
}

OperationPointer
MakeBoxSigmaOperation(const Size3 & radius, PixelType input, ScalarType output)
{
  return WithPixel(input, [&](auto pixel) -> OperationPointer {
    return std::make_unique<BoxSumOperation<decltype(pixel), Moments>>(radius, output);
  });
}
} // namespace CudaFilters
} // namespace itk
