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
  Kind    Kernel;
  int     Axis;   // x for Plane
  Region3 Result; // the pixels that the pass computes, in coordinates of the input
};

constexpr int Warp = 32;

/** Tiles of ConvolvePlaneKernel: so wide that the rim is the smaller part, and so small that the tiles of several warps
 * fit into the shared memory that every device has. */
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

/** Whether a mask fits into an argument of the kernel. */
bool
FitsTaps(const std::vector<double> & mask)
{
  return mask.size() <= Taps<double>::Capacity;
}

/** Whether the distance of rows or slices, of pixels of at most 8 bytes, fits into the 32 bits of the fast kernels. */
bool
FitsStride(std::int64_t stride)
{
  return stride <= static_cast<std::int64_t>(std::numeric_limits<unsigned int>::max() / 8);
}

/** The passes, from the last axis to the first. Along the axes of later passes, the result of a pass is wider than the
 * output by the radius of the mask, within the input. */
std::vector<Step>
Plan(const BoxConvolution & convolution)
{
  // If the rim is more than a third of a row of the tile, another pass is cheaper than computing the rim twice.
  constexpr std::size_t widestFused = 65;

  const auto &  masks = convolution.Masks;
  const Size3 & input = convolution.Box.InputSize;
  const Region3 wholeInput{ { { 0, 0, 0 } }, input };
  const auto    getResult = [&](int laterAxes) {
    Size3 radius{ { 0, 0, 0 } };
    std::copy_n(GetRadius(convolution).begin(), laterAxes, radius.begin());
    return Intersect(Pad({ convolution.Box.Start, convolution.Box.OutputSize }, radius), wholeInput);
  };
  const auto choose = [](bool isFast, Step::Kind kind) { return isFast ? kind : Step::Kind::AnyMask; };

  std::vector<Step> steps;
  if (!masks[2].empty())
  {
    const bool isFast = FitsTaps(masks[2]) && FitsStride(input[0] * input[1]);
    steps.push_back({ choose(isFast, Step::Kind::Columns), 2, getResult(2) });
  }
  const bool hasNearRows = FitsStride(input[0]);
  if (hasNearRows && !masks[1].empty() && !masks[0].empty() && FitsTaps(masks[1]) && masks[0].size() <= widestFused)
  {
    steps.push_back({ Step::Kind::Plane, 0, getResult(0) });
    return steps;
  }
  if (!masks[1].empty())
  {
    steps.push_back({ choose(hasNearRows && FitsTaps(masks[1]), Step::Kind::Columns), 1, getResult(1) });
  }
  if (!masks[0].empty())
  {
    steps.push_back({ choose(hasNearRows && FitsTaps(masks[0]), Step::Kind::Rows), 0, getResult(0) });
  }
  if (steps.empty())
  {
    // Only the pixel type changes.
    steps.push_back({ Step::Kind::AnyMask, 0, getResult(0) });
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

/** A pass along y or z between two boxes of pixels, with a mask of the given length. */
template <typename TInput, typename TOutput>
ColumnPass
MakeColumnPass(int axis, std::size_t maskLength, const Region3 & from, const Region3 & to)
{
  const auto getStride = [](const Size3 & size, int i) { return i == 1 ? size[0] : size[0] * size[1]; };
  const int  other = 3 - axis;

  ColumnPass pass;
  pass.InputWidth = from.Size[0];
  pass.InputByteStride = static_cast<unsigned int>(getStride(from.Size, axis) * sizeof(TInput));
  pass.InputSliceStride = getStride(from.Size, other);
  pass.Width = to.Size[0];
  pass.Length = to.Size[axis];
  pass.Slices = to.Size[other];
  pass.ByteStride = static_cast<unsigned int>(getStride(to.Size, axis) * sizeof(TOutput));
  pass.SliceStride = getStride(to.Size, other);
  pass.StartColumn = to.Start[0] - from.Start[0];
  pass.Start = to.Start[axis] - from.Start[axis];
  // Windows may extend beyond the output. What they load then must be there already: further pixels may still be on the
  // host.
  pass.InputLength = std::min(from.Size[axis], pass.Start + pass.Length + static_cast<std::int64_t>(maskLength / 2));
  pass.StartSlice = to.Start[other] - from.Start[other];
  return pass;
}

/** Blocks for a pass: strips of columns, and along the axis the pixels of all warps of a block. */
dim3
GetGrid(const ColumnPass & pass, std::int64_t stripWidth, std::int64_t blockLength)
{
  constexpr std::int64_t highest = 65535;
  return dim3(static_cast<unsigned int>(DivideUp(pass.Width, stripWidth)),
              static_cast<unsigned int>(std::min(DivideUp(pass.Length, blockLength), highest)),
              static_cast<unsigned int>(std::min(pass.Slices, highest)));
}

template <typename TReal, typename TInput, typename TOutput>
void
ConvolveColumns(const Execution &           execution,
                int                         axis,
                const std::vector<double> & mask,
                const Region3 &             from,
                const TInput *              input,
                const Region3 &             to,
                TOutput *                   output)
{
  ColumnPass pass = MakeColumnPass<TInput, TOutput>(axis, mask.size(), from, to);
  if (axis == 2 && from.Size[0] == to.Size[0] && from.Size[1] == to.Size[1])
  {
    // For columns along z, a slice is one long row.
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

/** The kernel for the length of both masks, if it is instantiated for this length; else the one for any length. */
template <typename TReal, typename TInput, typename TOutput, int... VTaps>
auto
ChoosePlaneKernel(int taps, std::integer_sequence<int, VTaps...>)
{
  auto kernel = ConvolvePlaneKernel<0, TReal, TInput, TOutput>;
  ((taps == VTaps ? void(kernel = ConvolvePlaneKernel<VTaps, TReal, TInput, TOutput>) : void()), ...);
  return kernel;
}

/** The lengths for which the kernel is instantiated: those of Gaussians of small variance, in single precision, where
 * it is a third faster. */
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
              const Region3 &             from,
              const TInput *              input,
              const Region3 &             to,
              TOutput *                   output)
{
  constexpr unsigned int sharedBytes = 48 * 1024; // what a block of any device may use without an attribute
  constexpr unsigned int usualWarps = 4;

  const ColumnPass       pass = MakeColumnPass<TInput, TOutput>(1, columnMask.size(), from, to);
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
             const Region3 &             from,
             const TInput *              input,
             const Region3 &             to,
             TOutput *                   output)
{
  const AxisPass pass{ KernelBox(MakeLocalBox(from, to)), axis, static_cast<int>(mask.size() / 2) };

  constexpr std::int64_t highest = 65535;
  const auto             kernel = ConvolveAxisKernel<TReal, TInput, TOutput>;
  const unsigned int     threads = ChooseBlockSize(execution, CudaKernelFamilyEnum::SeparableConvolution, kernel);
  const dim3             block(Warp, threads / Warp);
  const dim3             grid(static_cast<unsigned int>(DivideUp(to.Size[0], Warp)),
                  static_cast<unsigned int>(std::min(DivideUp(to.Size[1] * to.Size[2], block.y), highest)));

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

const char *
GetStageName(const Step & step)
{
  static constexpr const char * names[] = { "convolution along x", "convolution along y", "convolution along z" };
  return step.Kernel == Step::Kind::Plane ? "convolution along y and x" : names[step.Axis];
}
} // namespace

std::size_t
GetConvolutionScratchBytes(const BoxConvolution & convolution, std::size_t bytesPerOutputPixel)
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

template <typename TReal, typename TBetween, typename TInput, typename TOutput>
void
Convolve(Execution & execution, const BoxConvolution & convolution, const TInput * input, TOutput * output)
{
  static const std::vector<double> identity{ 1.0 };

  const auto &                  masks = convolution.Masks;
  Region3                       box{ { { 0, 0, 0 } }, convolution.Box.InputSize }; // of the latest values
  std::unique_ptr<DeviceBuffer> values;
  const std::vector<Step>       steps = Plan(convolution);
  for (const Step & step : steps)
  {
    const StageScope stage(execution, GetStageName(step));
    const auto       convolve = [&](const auto * from, auto * to) {
      const auto & mask = masks[step.Axis].empty() ? identity : masks[step.Axis];
      switch (step.Kernel)
      {
        case Step::Kind::Columns:
          ConvolveColumns<TReal>(execution, step.Axis, mask, box, from, step.Result, to);
          break;
        case Step::Kind::Rows: // the tiles also transpose the loads along x
          ConvolvePlane<TReal>(execution, identity, mask, false, box, from, step.Result, to);
          break;
        case Step::Kind::Plane:
          ConvolvePlane<TReal>(execution, masks[1], mask, convolution.ConvertAfterEachAxis, box, from, step.Result, to);
          break;
        case Step::Kind::AnyMask:
          ConvolveAxis<TReal>(execution, step.Axis, mask, box, from, step.Result, to);
          break;
      }
    };
    const auto * const from = static_cast<const TBetween *>(values ? values->GetPointer() : nullptr);
    if (&step == &steps.back())
    {
      from != nullptr ? convolve(from, output) : convolve(input, output);
      return;
    }
    auto         result = execution.Allocate(GetNumberOfPixels(step.Result.Size) * sizeof(TBetween));
    auto * const to = static_cast<TBetween *>(result->GetPointer());
    from != nullptr ? convolve(from, to) : convolve(input, to);
    values = std::move(result);
    box = step.Result;
  }
}

#define CUDAFILTERS_INSTANTIATE(TBetween, TInput, TOutput)   \
  template void Convolve<double, TBetween, TInput, TOutput>( \
    Execution &, const BoxConvolution &, const TInput *, TOutput *);
#define CUDAFILTERS_INSTANTIATE_FOR_CANNY(TInput) \
  CUDAFILTERS_INSTANTIATE(float, TInput, float)   \
  CUDAFILTERS_INSTANTIATE(double, TInput, float)  \
  CUDAFILTERS_INSTANTIATE(double, TInput, double)

CUDAFILTERS_FOR_EACH_PIXEL(CUDAFILTERS_INSTANTIATE_FOR_CANNY)

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
/** TReal and TBetween: see Convolve(). */
template <typename TReal, typename TBetween, typename TInput, typename TOutput>
class SeparableConvolutionOperation : public LocalOperation
{
public:
  explicit SeparableConvolutionOperation(const SeparableConvolutionParameters & parameters)
    : m_Parameters(parameters)
  {
    m_Parameters.InDouble = std::is_same<TReal, double>::value;
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
    return GetConvolutionScratchBytes(BoxConvolution(m_Parameters, box), sizeof(TOutput));
  }

  void
  RunRegion(Execution & execution, const RegionOnDevice & region) const override
  {
    const BoxConvolution convolution(m_Parameters, region.GetBox());
    Convolve<TReal, TBetween>(execution, convolution, region.GetInput<TInput>(), region.GetOutput<TOutput>());
  }

private:
  SeparableConvolutionParameters m_Parameters;
};
} // namespace

OperationPointer
MakeSeparableConvolutionOperation(const SeparableConvolutionParameters & parameters, const PixelTypes & types)
{
  return WithPixels(types, [&](auto input, auto output) -> OperationPointer {
    using Input = decltype(input);
    using Output = decltype(output);
    if constexpr (std::is_same<Output, float>::value && !std::is_same<Input, double>::value)
    {
      if (!parameters.InDouble)
      {
        return std::make_unique<SeparableConvolutionOperation<float, float, Input, Output>>(parameters);
      }
    }
    if (parameters.ConvertAfterEachAxis)
    {
      return std::make_unique<SeparableConvolutionOperation<double, Output, Input, Output>>(parameters);
    }
    return std::make_unique<SeparableConvolutionOperation<double, double, Input, Output>>(parameters);
  });
}
} // namespace CudaFilters
} // namespace itk
