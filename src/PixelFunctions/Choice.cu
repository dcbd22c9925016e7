// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "PixelFunctors.cuh"
#include "RunScalarFunction.cuh"

namespace itk
{
namespace CudaFilters
{
void
RunChoice(const Execution & execution, const RegionOnDevice & region, const PixelFunctionParameters & parameters)
{
  if (parameters.Function == PixelFunction::AbsoluteDifference)
  {
    return RunScalarFunction<double>(execution, region, parameters, AbsoluteDifferenceFunctor{});
  }
  WithValueType(parameters, [&](auto value) {
    using Value = decltype(value);
    const auto run = [&](const auto & functor) { RunScalarFunction<Value>(execution, region, parameters, functor); };
    switch (parameters.Function)
    {
      case PixelFunction::Maximum:
        return run(MaximumFunctor<Value>{});
      case PixelFunction::Minimum:
        return run(MinimumFunctor<Value>{});
      default:
        return run(MaskFunctor<Value>{ ToValue<Value>(parameters.Inputs[1].Type, parameters.MaskingValue),
                                       parameters.IsMaskNegated,
                                       GetBits(parameters.Output, parameters.Outside) });
    }
  });
}
} // namespace CudaFilters
} // namespace itk
