// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "ObjectOperation.h"
#include "../Device/PixelDispatch.h"
#include "CudaFilters/detail/CommonUnit.h"
#include <cmath>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
DistanceArithmetic
ChooseDistanceArithmetic(const Size3 & size, const std::array<double, 3> & spacing)
{
  // What LowerEnvelope can compute in integers: squared distances, those before the last pass, and weights.
  constexpr double mostAtLast = 2147483648.0;
  constexpr double mostBefore = mostAtLast / 2;
  constexpr double mostWeight = 1 << 24;

  const double unit = FindCommonUnit(spacing.data(), 3);
  if (!(unit > 0.0))
  {
    return { false, { spacing[0] * spacing[0], spacing[1] * spacing[1], spacing[2] * spacing[2] }, 1.0 };
  }
  DistanceArithmetic arithmetic{ true, {}, unit };
  double             largest = 0.0;
  double             largestAlongX = 0.0;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    const double units = std::round(spacing[axis] / unit);
    arithmetic.Weights[axis] = units * units;
    const auto length = static_cast<double>(size[axis] - 1);
    largest += arithmetic.Weights[axis] * length * length;
    largestAlongX = axis == 0 ? largest : largestAlongX;
    arithmetic.IsInteger = arithmetic.IsInteger && arithmetic.Weights[axis] <= mostWeight;
  }
  // Otherwise, integers are exact in double, too.
  arithmetic.IsInteger = arithmetic.IsInteger && largest < mostAtLast && largest - largestAlongX < mostBefore;
  return arithmetic;
}

namespace
{
/** Signed distances to contours. */
template <typename TInput, typename TOutput>
class DistanceMapOperation : public ObjectOperation<TInput>
{
public:
  explicit DistanceMapOperation(const DistanceMapParameters & parameters)
    : ObjectOperation<TInput>(parameters,
                              { parameters.Background, /* ValueIsObject */ false },
                              { SiteChoice::Contours })
  {}

protected:
  void
  Compute(const Execution & execution, const SlabOnDevice<TInput> & slab) const override
  {
    ComputeDistances(execution,
                     this->GetParameters(),
                     slab.Arithmetic,
                     slab.Slab,
                     slab.Sets.front(),
                     static_cast<TOutput *>(slab.Outputs.front()));
  }
};

/** The same, approximated by a wavefront. */
template <typename TInput, typename TOutput>
class WavefrontOperation : public DistanceMapOperation<TInput, TOutput>
{
public:
  using DistanceMapOperation<TInput, TOutput>::DistanceMapOperation;

  void
  RunTiles(Runner &) override
  {
    throw DeviceError(DeviceError::Kind::Unsuited, "the wavefront transform needs the whole image on one device");
  }

protected:
  void
  Compute(const Execution & execution, const SlabOnDevice<TInput> & slab) const override
  {
    ComputeWavefrontDistances(execution,
                              this->GetParameters(),
                              slab.Arithmetic,
                              slab.Slab,
                              slab.Sets.front(),
                              slab.CheckAbort,
                              static_cast<TOutput *>(slab.Outputs.front()));
  }

  std::size_t
  GetScratchBytesOfPasses(const DistanceSlab & slab, bool) const override
  {
    return GetWavefrontScratchBytes(slab);
  }
};

/** Objects that grow or shrink. Distances are measured to object pixels, or to all others. */
template <typename TInput, typename TOutput>
class BallOperation : public ObjectOperation<TInput>
{
public:
  explicit BallOperation(const BallParameters & parameters)
    : ObjectOperation<TInput>(parameters.Distances,
                              { parameters.Foreground, /* ValueIsObject */ !parameters.IsErosion },
                              { SiteChoice::Objects })
    , m_LargestSquaredDistance(parameters.LargestSquaredDistance)
    , m_NewValue(parameters.NewValue)
  {}

protected:
  void
  Compute(const Execution & execution, const SlabOnDevice<TInput> & slab) const override
  {
    const std::int64_t  pixels = slab.Slab.GetNumberOfInnerPixels();
    const ScratchMemory memory(execution, pixels);
    auto * const        changes = static_cast<unsigned char *>(memory.GetPointer());
    FindPixelsInBall(execution, m_LargestSquaredDistance, slab.Arithmetic, slab.Slab, slab.Sets.front(), changes);
    ChangePixels(execution, pixels, slab.Input, changes, m_NewValue, static_cast<TOutput *>(slab.Outputs.front()));
  }

  bool
  UsesInputOfTile() const override
  {
    return true;
  }

  std::size_t
  GetScratchBytesOfResults(const Region3 & region) const override
  {
    return region.GetNumberOfPixels();
  }

private:
  double m_LargestSquaredDistance;
  double m_NewValue;
};
} // namespace

OperationPointer
MakeDistanceMapOperation(const DistanceMapParameters & parameters, const PixelTypes & types)
{
  return WithPixels(types, [&](auto input, auto output) -> OperationPointer {
    using Output = decltype(output);
    CheckReal(types.Output);
    if constexpr (std::is_floating_point<Output>::value)
    {
      using Input = decltype(input);
      if (parameters.Strategy != CudaDistanceStrategyEnum::Exact)
      {
        return std::make_unique<WavefrontOperation<Input, Output>>(parameters);
      }
      return std::make_unique<DistanceMapOperation<Input, Output>>(parameters);
    }
    else
    {
      return {};
    }
  });
}

OperationPointer
MakeBallOperation(const BallParameters & parameters, const PixelTypes & types)
{
  return WithPixels(types, [&](auto input, auto output) -> OperationPointer {
    return std::make_unique<BallOperation<decltype(input), decltype(output)>>(parameters);
  });
}
} // namespace CudaFilters
} // namespace itk
