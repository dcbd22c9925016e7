// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "SeparableConvolution.h"
#include "../Device/Launch.h"
#include "../Device/PixelDispatch.h"
#include "SeparableConvolution.cuh"
#include <algorithm>
#include <limits>
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
  Size3 Start;
  Size3 Size;
};

/** One pass over the pixels. */
struct Step
{
  enum class Kind
  {
    Columns, // along y or z
    Rows,    // along x
    Plane,   // along y, then x
    AnyMask  // along any axis, with a mask of any length; slower
  };
  Kind Kernel;
  int  Axis; // the last, where there are two
  Box  Result;
};

constexpr int Warp = 32;

/** Tiles of ConvolvePlaneKernel: wide enough for the rim to be the smaller part, and small enough for several warps in
 * the shared memory that every device has. */
template <typename TReal>
struct TileShape
{
  int Columns; // with the rim
  int Width;   // without
  int WarpBytes;

  explicit TileShape(int rim)
  {
    constexpr int sector = 32 / sizeof(float); // rows of a tile begin where a sector of the cache does
    this->Columns = rim <= 4 ? 128 : (rim <= 20 ? 160 : (rim <= 64 ? 192 : 256));
    this->Width = (this->Columns - rim) / sector * sector;
    this->WarpBytes = GetTileElements<TReal>(this->Columns) * sizeof(TReal);
  }
};

/** Whether a mask can travel as an argument of the kernel. */
bool
FitsTaps(const std::vector<double> & mask)
{
  return mask.size() <= Taps<double>::Capacity;
}

/** Whether rows, or slices, of pixels of at most 8 bytes are near enough to each other for the fast kernels. */
bool
FitsStride(std::int64_t stride)
{
  return stride <= static_cast<std::int64_t>(std::numeric_limits<unsigned int>::max() / 8);
}

/** The passes, from the last axis to the first. Along the axes whose turn is still to come, the result of a pass is
 * wider than the output by the radius of the mask, as far as there is input. */
std::vector<Step>
Plan(const BoxConvolution & convolution)
{
  // Where the rim of a row is more than a third of the tile, one pass more is cheaper than to compute it twice.
  constexpr std::size_t widestFused = 65;

  const auto &  masks = convolution.Masks;
  const Size3 & input = convolution.Box.InputSize;
  const auto    getBox = [&](int axesToCome) {
    Box result{ convolution.Box.Start, convolution.Box.OutputSize };
    for (int other = 0; other < axesToCome; ++other)
    {
      const std::int64_t radius = masks[other].size() / 2;
      const std::int64_t first = std::max<std::int64_t>(convolution.Box.Start[other] - radius, 0);
      const std::int64_t last =
        std::min(convolution.Box.Start[other] + convolution.Box.OutputSize[other] + radius, input[other]);
      result.Start[other] = first;
      result.Size[other] = last - first;
    }
    return result;
  };
  const auto choose = [](bool isFast, Step::Kind kind) { return isFast ? kind : Step::Kind::AnyMask; };

  std::vector<Step> steps;
  if (!masks[2].empty())
  {
    const bool isFast = FitsTaps(masks[2]) && FitsStride(input[0] * input[1]);
    steps.push_back({ choose(isFast, Step::Kind::Columns), 2, getBox(2) });
  }
  const bool hasNearRows = FitsStride(input[0]);
  if (hasNearRows && !masks[1].empty() && !masks[0].empty() && FitsTaps(masks[1]) && masks[0].size() <= widestFused)
  {
    steps.push_back({ Step::Kind::Plane, 0, getBox(0) });
    return steps;
  }
  if (!masks[1].empty())
  {
    steps.push_back({ choose(hasNearRows && FitsTaps(masks[1]), Step::Kind::Columns), 1, getBox(1) });
  }
  if (!masks[0].empty())
  {
    steps.push_back({ choose(hasNearRows && FitsTaps(masks[0]), Step::Kind::Rows), 0, getBox(0) });
  }
  if (steps.empty())
  {
    // Nothing but a change of the pixel type.
    steps.push_back({ Step::Kind::AnyMask, 0, getBox(0) });
  }
  return steps;
}

template <typename TReal>
Taps<TReal>
MakeTaps(const std::vector<double> & mask)
{
  Taps<TReal> taps{};
  taps.Count = static_cast<int>(mask.size());
  std::transform(mask.begin(), mask.end(), taps.Values, [](double weight) { return static_cast<TReal>(weight); });
  return taps;
}

/** A pass along y or z between two boxes of pixels. */
template <typename TInput, typename TOutput>
ColumnPass
MakeColumnPass(int axis, const Box & from, const Box & to)
{
  const auto getStride = [](const Size3 & size, int i) { return i == 1 ? size[0] : size[0] * size[1]; };
  const int  other = 3 - axis;

  ColumnPass pass;
  pass.InputWidth = from.Size[0];
  pass.InputLength = from.Size[axis];
  pass.InputByteStride = static_cast<unsigned int>(getStride(from.Size, axis) * sizeof(TInput));
  pass.InputSliceStride = getStride(from.Size, other);
  pass.Width = to.Size[0];
  pass.Length = to.Size[axis];
  pass.Slices = to.Size[other];
  pass.ByteStride = static_cast<unsigned int>(getStride(to.Size, axis) * sizeof(TOutput));
  pass.SliceStride = getStride(to.Size, other);
  pass.StartColumn = to.Start[0] - from.Start[0];
  pass.Start = to.Start[axis] - from.Start[axis];
  pass.StartSlice = to.Start[other] - from.Start[other];
  return pass;
}

/** Blocks for a pass: strips of columns, and along the axis the pixels of all warps of a block. */
dim3
GetGrid(const ColumnPass & pass, std::int64_t stripWidth, std::int64_t blockLength)
{
  constexpr std::int64_t highest = 65535;
  return dim3(static_cast<unsigned int>((pass.Width + stripWidth - 1) / stripWidth),
              static_cast<unsigned int>(std::min((pass.Length + blockLength - 1) / blockLength, highest)),
              static_cast<unsigned int>(std::min(pass.Slices, highest)));
}

template <typename TReal, typename TInput, typename TOutput>
void
ConvolveColumns(const Execution &           execution,
                int                         axis,
                const std::vector<double> & mask,
                const Box &                 from,
                const TInput *              input,
                const Box &                 to,
                TOutput *                   output)
{
  ColumnPass pass = MakeColumnPass<TInput, TOutput>(axis, from, to);
  if (axis == 2 && from.Size[0] == to.Size[0] && from.Size[1] == to.Size[1])
  {
    // Columns along z do not care where a row ends.
    pass.InputWidth = pass.Width = to.Size[0] * to.Size[1];
    pass.Slices = 1;
  }
  const auto         kernel = ConvolveColumnsKernel<TReal, TInput, TOutput>;
  const unsigned int threads = ChooseBlockSize(execution, CudaKernelFamilyEnum::SeparableConvolution, kernel);
  const dim3         block(Warp, threads / Warp);
  Launch(execution,
         "ConvolveColumnsKernel",
         kernel,
         { GetGrid(pass, Warp, static_cast<std::int64_t>(block.y) * WindowSize<TReal>), block },
         pass,
         MakeTaps<TReal>(mask),
         input,
         output);
}

/** The kernel that knows the length of both masks at compile time, where there is one. */
template <typename TReal, typename TInput, typename TOutput, int... VTaps>
auto
ChoosePlaneKernel(int taps, std::integer_sequence<int, VTaps...>)
{
  auto kernel = ConvolvePlaneKernel<0, TReal, TInput, TOutput>;
  ((taps == VTaps ? void(kernel = ConvolvePlaneKernel<VTaps, TReal, TInput, TOutput>) : void()), ...);
  return kernel;
}

/** Lengths for which there is one: those of Gaussians of small variance, in single precision, where it is a third
 * faster. */
template <typename TReal>
using SpecialTaps = std::conditional_t<std::is_same<TReal, float>::value,
                                       std::integer_sequence<int, 3, 5, 7, 9, 11, 13>,
                                       std::integer_sequence<int>>;

template <typename TReal, typename TInput, typename TOutput>
void
ConvolvePlane(const Execution &           execution,
              const std::vector<double> & columnMask,
              const std::vector<double> & rowMask,
              bool                        convertBetween,
              const Box &                 from,
              const TInput *              input,
              const Box &                 to,
              TOutput *                   output)
{
  constexpr unsigned int sharedBytes = 48 * 1024; // a block gets as much everywhere without asking
  constexpr unsigned int usualWarps = 4;

  const ColumnPass       pass = MakeColumnPass<TInput, TOutput>(1, from, to);
  const TileShape<TReal> tile(static_cast<int>(rowMask.size()) - 1);
  const bool             isSquare = columnMask.size() == rowMask.size();
  const auto             kernel =
    ChoosePlaneKernel<TReal, TInput, TOutput>(isSquare ? static_cast<int>(rowMask.size()) : 0, SpecialTaps<TReal>());
  const unsigned int threads =
    ChooseBlockSize(execution, CudaKernelFamilyEnum::SeparableConvolution, kernel, usualWarps * Warp);
  const unsigned int warps = std::clamp<unsigned int>(sharedBytes / tile.WarpBytes, 1, threads / Warp);
  Launch(execution,
         "ConvolvePlaneKernel",
         kernel,
         { GetGrid(pass, tile.Width, static_cast<std::int64_t>(warps) * WindowSize<TReal>),
           dim3(Warp, warps),
           static_cast<std::size_t>(warps) * tile.WarpBytes },
         pass,
         MakeTaps<TReal>(columnMask),
         MakeTaps<TReal>(rowMask),
         convertBetween,
         tile.Columns,
         tile.Width,
         input,
         output);
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

/** For masks of any length. */
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

  const auto weights = StoreWeights<TReal>(execution, mask);
  Launch(execution,
         "ConvolveAxisKernel",
         kernel,
         { grid, block },
         pass,
         static_cast<const TReal *>(weights->GetPointer()),
         input,
         output);
}

template <typename TReal, typename TInput, typename TOutput>
void
Run(Execution &            execution,
    const BoxConvolution & convolution,
    const Step &           step,
    const Box &            from,
    const TInput *         input,
    TOutput *              output)
{
  static constexpr const char * stageNames[] = { "convolution along x", "convolution along y", "convolution along z" };
  static const std::vector<double> identity{ 1.0 };

  const auto & masks = convolution.Masks;
  const auto & mask = masks[step.Axis].empty() ? identity : masks[step.Axis];
  execution.BeginStage(step.Kernel == Step::Kind::Plane ? "convolution along y and x" : stageNames[step.Axis]);
  switch (step.Kernel)
  {
    case Step::Kind::Columns:
      ConvolveColumns<TReal>(execution, step.Axis, mask, from, input, step.Result, output);
      break;
    case Step::Kind::Rows:
      ConvolvePlane<TReal>(execution, identity, mask, false, from, input, step.Result, output);
      break;
    case Step::Kind::Plane:
      ConvolvePlane<TReal>(
        execution, masks[1], mask, convolution.ConvertAfterEachAxis, from, input, step.Result, output);
      break;
    case Step::Kind::AnyMask:
      ConvolveAxis<TReal>(execution, step.Axis, mask, from, input, step.Result, output);
      break;
  }
  execution.EndStage();
}

/** TReal: the type to compute in; TBetween: the type of the values between two axes. */
template <typename TReal, typename TBetween, typename TInput, typename TOutput>
void
ConvolveWith(Execution & execution, const BoxConvolution & convolution, const TInput * input, TOutput * output)
{
  Box                           box{ { { 0, 0, 0 } }, convolution.Box.InputSize };
  std::unique_ptr<DeviceBuffer> values;
  const std::vector<Step>       steps = Plan(convolution);
  for (const Step & step : steps)
  {
    const auto * const from = static_cast<const TBetween *>(values ? values->GetPointer() : nullptr);
    if (&step == &steps.back())
    {
      from ? Run<TReal>(execution, convolution, step, box, from, output)
           : Run<TReal>(execution, convolution, step, box, input, output);
      return;
    }
    auto         result = execution.Allocate(GetNumberOfPixels(step.Result.Size) * sizeof(TBetween));
    auto * const to = static_cast<TBetween *>(result->GetPointer());
    from ? Run<TReal>(execution, convolution, step, box, from, to)
         : Run<TReal>(execution, convolution, step, box, input, to);
    values = std::move(result);
    box = step.Result;
  }
}
} // namespace

std::size_t
GetScratchBytes(const BoxConvolution & convolution, std::size_t bytesPerOutputPixel)
{
  const std::size_t realBytes = convolution.InDouble ? sizeof(double) : sizeof(float);
  const std::size_t bytesPerValue = convolution.ConvertAfterEachAxis ? bytesPerOutputPixel : realBytes;
  std::size_t       values = 0;
  std::size_t       weights = 0;
  for (const Step & step : Plan(convolution))
  {
    const auto & mask = convolution.Masks[step.Axis];
    values += GetNumberOfPixels(step.Result.Size);
    weights += step.Kernel == Step::Kind::AnyMask ? std::max<std::size_t>(mask.size(), 1) : 0;
  }
  // The last pass writes the output itself.
  return (values - GetNumberOfPixels(convolution.Box.OutputSize)) * bytesPerValue + weights * realBytes;
}

template <typename TInput, typename TOutput>
void
Convolve(Execution & execution, const BoxConvolution & convolution, const TInput * input, TOutput * output)
{
  if constexpr (std::is_same<TOutput, float>::value && !std::is_same<TInput, double>::value)
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

#define CUDAFILTERS_INSTANTIATE(TInput, TOutput) \
  template void Convolve<TInput, TOutput>(Execution &, const BoxConvolution &, const TInput *, TOutput *);

CUDAFILTERS_FOR_EACH_PIXEL_PAIR(CUDAFILTERS_INSTANTIATE)

Size3
GetRadius(const SeparableConvolutionParameters & parameters)
{
  Size3 radius;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    radius[axis] = static_cast<std::int64_t>(parameters.Masks[axis].size() / 2);
  }
  return radius;
}

namespace
{
template <typename TInput, typename TOutput>
class SeparableConvolutionOperation : public LocalOperation
{
public:
  explicit SeparableConvolutionOperation(const SeparableConvolutionParameters & parameters)
    : m_Parameters(parameters)
  {
    constexpr bool isSingle = std::is_same<TOutput, float>::value && !std::is_same<TInput, double>::value;
    m_Parameters.InDouble = parameters.InDouble || !isSingle;
  }

  Region3
  GetInputRegion(unsigned int, const Region3 & outputRegion) const override
  {
    return Pad(outputRegion, GetRadius(m_Parameters));
  }

  std::size_t
  GetScratchBytes(const RegionPlan & plan) const override
  {
    const LocalBox box = MakeLocalBox(plan.Inputs.front(), plan.Output);
    return CudaFilters::GetScratchBytes(BoxConvolution(m_Parameters, box), sizeof(TOutput));
  }

  void
  RunRegion(Execution & execution, const RegionOnDevice & region) const override
  {
    Convolve(
      execution, BoxConvolution(m_Parameters, region.GetBox()), region.GetInput<TInput>(), region.GetOutput<TOutput>());
  }

private:
  SeparableConvolutionParameters m_Parameters;
};
} // namespace

OperationPointer
MakeSeparableConvolutionOperation(const SeparableConvolutionParameters & parameters, const PixelTypes & types)
{
  return WithPixels(types, [&](auto input, auto output) -> OperationPointer {
    return std::make_unique<SeparableConvolutionOperation<decltype(input), decltype(output)>>(parameters);
  });
}
} // namespace CudaFilters
} // namespace itk
