// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "PixelFunctions.h"
#include "CudaFilters/Execution.h"
#include <algorithm>
#include <initializer_list>
#include <memory>

namespace itk
{
namespace CudaFilters
{
namespace
{
class PixelFunctionOperation : public LocalOperation
{
public:
  explicit PixelFunctionOperation(const PixelFunctionParameters & parameters)
    : m_Parameters(parameters)
  {}

  void
  RunRegion(Execution & execution, const RegionOnDevice & region) const override
  {
    const StageScope stage(execution, "pixel function");
    switch (m_Parameters.Function)
    {
      case PixelFunction::Add:
      case PixelFunction::Subtract:
      case PixelFunction::Multiply:
      case PixelFunction::Divide:
        return RunArithmetic(execution, region, m_Parameters);
      case PixelFunction::Maximum:
      case PixelFunction::Minimum:
      case PixelFunction::Mask:
      case PixelFunction::AbsoluteDifference:
        return RunChoice(execution, region, m_Parameters);
      default:
        return RunUnaryPixelFunction(execution, region, m_Parameters);
    }
  }

private:
  PixelFunctionParameters m_Parameters;
};
} // namespace

std::string
GetUnsupportedReason(const PixelFunctionParameters & parameters)
{
  const auto first = parameters.Inputs.begin();
  const auto last = first + parameters.NumberOfInputs;
  const auto isAmong = [](ScalarType type, std::initializer_list<ScalarType> types) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  const auto has = [&](std::initializer_list<ScalarType> types) {
    return std::any_of(first, last, [&](const ScalarInput & input) { return isAmong(input.Type, types); });
  };
  const auto signedTypes = { ScalarType::Signed8, ScalarType::Signed16, ScalarType::Signed32 };
  const auto is = [&](std::initializer_list<PixelFunction> functions) {
    return std::find(functions.begin(), functions.end(), parameters.Function) != functions.end();
  };
  if (is({ PixelFunction::Add,
           PixelFunction::Subtract,
           PixelFunction::Multiply,
           PixelFunction::Divide,
           PixelFunction::Maximum,
           PixelFunction::Minimum }) &&
      has({ ScalarType::Unsigned32 }) && has(signedTypes))
  {
    return "there are no kernels that compute with unsigned int and signed pixels";
  }
  if (is({ PixelFunction::Maximum, PixelFunction::Minimum }) && has({ ScalarType::Float }) &&
      has({ ScalarType::Signed32, ScalarType::Unsigned32 }))
  {
    return "there are no kernels that compare integers of 32 bits with float pixels";
  }
  if (is({ PixelFunction::Mask }) && isAmong(parameters.Inputs[0].Type, signedTypes) &&
      parameters.Inputs[1].Type == ScalarType::Unsigned32)
  {
    return "there are no kernels that mask signed pixels by unsigned int pixels";
  }
  return {};
}

OperationPointer
MakePixelFunctionOperation(const PixelFunctionParameters & parameters)
{
  return std::make_unique<PixelFunctionOperation>(parameters);
}
} // namespace CudaFilters
} // namespace itk
