// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "PixelFunctors.cuh"
#include "RunScalarFunction.cuh"
#include <algorithm>

namespace itk
{
namespace CudaFilters
{
void
RunUnaryPixelFunction(const Execution &               execution,
                      const RegionOnDevice &          region,
                      const PixelFunctionParameters & parameters)
{
  const auto run = [&](auto value, const auto & functor) {
    RunScalarFunction<decltype(value)>(execution, region, parameters, functor);
  };
  const std::uint64_t inside = GetBits(parameters.Output, parameters.Inside);
  const std::uint64_t outside = GetBits(parameters.Output, parameters.Outside);
  const std::uint64_t outputLower = GetBits(parameters.Output, parameters.OutputLower);
  const std::uint64_t outputUpper = GetBits(parameters.Output, parameters.OutputUpper);
  switch (parameters.Function)
  {
    case PixelFunction::Square:
      return run(0.0, SquareFunctor{});
    case PixelFunction::Sqrt:
      return run(0.0, SqrtFunctor{});
    case PixelFunction::Exp:
      return run(0.0, ExpFunctor{});
    case PixelFunction::Log:
      return run(0.0, LogFunctor{});
    case PixelFunction::Linear:
      return run(0.0, LinearFunctor{ parameters.Factor, parameters.Offset, outputLower, outputUpper });
    case PixelFunction::ShiftScale:
      return run(0.0,
                 ShiftScaleFunctor{ parameters.Shift,
                                    parameters.Scale,
                                    parameters.OutputLower,
                                    parameters.OutputUpper,
                                    outputLower,
                                    outputUpper });
    case PixelFunction::LabelByThresholds: {
      LabelFunctor functor{ static_cast<int>(parameters.Thresholds.size()), {}, {} };
      std::copy(parameters.Thresholds.begin(), parameters.Thresholds.end(), functor.Thresholds);
      std::transform(parameters.Labels.begin(), parameters.Labels.end(), functor.Labels, [&](double label) {
        return GetBits(parameters.Output, label);
      });
      return run(0.0, functor);
    }
    case PixelFunction::Window:
      return run(0.0,
                 WindowFunctor{ parameters.Lower,
                                parameters.Upper,
                                parameters.Factor,
                                parameters.Offset,
                                GetBits(parameters.Output, parameters.Below),
                                GetBits(parameters.Output, parameters.Above) });
    default:
      break;
  }
  WithValueType(parameters, [&](auto value) {
    using Value = decltype(value);
    const auto lower = static_cast<Value>(parameters.Lower);
    const auto upper = static_cast<Value>(parameters.Upper);
    switch (parameters.Function)
    {
      case PixelFunction::Abs:
        return run(value, AbsFunctor<Value>{});
      case PixelFunction::BinaryThreshold:
        return run(value, BinaryThresholdFunctor<Value>{ lower, upper, inside, outside });
      case PixelFunction::Threshold:
        return run(value, ThresholdFunctor<Value>{ lower, upper, outside });
      default:
        return run(value, CastFunctor<Value>{});
    }
  });
}
} // namespace CudaFilters
} // namespace itk
