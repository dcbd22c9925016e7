// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTextProgram.h"
#include "CudaFilters/detail/PixelRows.h"
#include "CudaFilters/detail/TextFunction.h"
#include <memory>
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
class TextFunctionOperation : public LocalOperation
{
public:
  explicit TextFunctionOperation(const TextFunction & function)
    : m_Function(function)
    , m_Program(MakeTextProgram(function))
  {}

  Region3
  GetInputRegion(unsigned int input, const Region3 & outputRegion) const override
  {
    return input == 0 ? Pad(outputRegion, m_Function.Radius) : outputRegion;
  }

  void
  RunRegion(Execution & execution, const RegionOnDevice & region) const override
  {
    const StageScope stage(execution, "text function");
    TextArguments    arguments{};
    SetTextParameters(m_Function, arguments);
    SetTextOutput(arguments, m_Function, region.Outputs[0], region.OutputRegion, region.OutputRegion);
    for (unsigned int i = 0; i < m_Function.NumberOfInputs; ++i)
    {
      SetTextInput(arguments, m_Function, i, region.Inputs[i], region.InputRegions[i], region.OutputRegion);
    }
    constexpr std::int64_t pixelsPerBlock = 4 * TextThreads;
    const Size3 &          size = region.OutputRegion.Size;
    RunTextProgram(execution,
                   m_Program,
                   ListTexts(m_Function),
                   arguments,
                   { { DivideUp(size[0], pixelsPerBlock), size[1], size[2] },
                     0,
                     region.OutputRegion.GetNumberOfPixels() == 0 ? 0 : size[1] * size[2] });
  }

private:
  TextFunction m_Function;
  std::string  m_Program;
};
} // namespace

OperationPointer
MakeTextFunctionOperation(const TextFunction & function)
{
  return std::make_unique<TextFunctionOperation>(function);
}
} // namespace CudaFilters
} // namespace itk
