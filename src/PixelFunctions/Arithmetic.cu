// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "PixelFunctors.cuh"
#include "RunScalarFunction.cuh"

namespace itk
{
namespace CudaFilters
{
void
RunArithmetic(const Execution & execution, const RegionOnDevice & region, const PixelFunctionParameters & parameters)
{
  WithValueType(parameters, [&](auto value) {
    using Value = decltype(value);
    const auto run = [&](const auto & functor) { RunScalarFunction<Value>(execution, region, parameters, functor); };
    switch (parameters.Function)
    {
      case PixelFunction::Add:
        return run(AddFunctor<Value>{});
      case PixelFunction::Subtract:
        return run(SubtractFunctor<Value>{});
      case PixelFunction::Multiply:
        return run(MultiplyFunctor<Value>{});
      default:
        return run(DivideFunctor<Value>{ parameters.ZeroTolerance, GetBits(parameters.Output, parameters.Outside) });
    }
  });
}
} // namespace CudaFilters
} // namespace itk
