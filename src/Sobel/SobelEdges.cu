// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/SobelOperation.h"
#include "SobelEdges.cuh"
#include "../Device/PixelDispatch.h"
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
namespace
{
template <int VDimension, bool VHasAngles, typename TInput, typename TOutput>
void
Run(const Execution &             execution,
    const LocalBox &              box,
    bool                          inDouble,
    const TInput *                input,
    const SobelOutputs<TOutput> & outputs)
{
  if constexpr (std::is_same<TOutput, float>::value && !std::is_same<TInput, double>::value)
  {
    if (!inDouble)
    {
      RunStencil<VDimension, true>(
        execution, "FastSobel", box, FastSobel<VDimension, VHasAngles>{ { outputs } }, input);
      return;
    }
  }
  RunStencil<VDimension, false>(
    execution, "ExactSobel", box, ExactSobel<VDimension, VHasAngles, TOutput>{ outputs }, input);
}

template <typename TInput, typename TOutput>
class SobelOperation : public LocalOperation
{
public:
  explicit SobelOperation(const SobelParameters & parameters)
    : m_Parameters(parameters)
  {}

  Region3
  GetInputRegion(unsigned int, const Region3 & outputRegion) const override
  {
    return Pad(outputRegion, GetStencilRadius(m_Parameters.Dimension));
  }

  void
  RunRegion(Execution & execution, const RegionOnDevice & region) const override
  {
    const bool            inDouble = m_Parameters.InDouble;
    const TInput * const  input = region.GetInput<TInput>();
    SobelOutputs<TOutput> outputs;
    outputs.Magnitude = region.GetOutput<TOutput>();
    outputs.Azimuth = region.Outputs.size() > 1 ? region.GetOutput<TOutput>(1) : nullptr;
    outputs.Elevation = region.Outputs.size() > 2 ? region.GetOutput<TOutput>(2) : nullptr;

    execution.BeginStage("gradient");
    if (outputs.Azimuth == nullptr)
    {
      m_Parameters.Dimension == 2 ? Run<2, false>(execution, region.GetBox(), inDouble, input, outputs)
                                  : Run<3, false>(execution, region.GetBox(), inDouble, input, outputs);
    }
    else
    {
      m_Parameters.Dimension == 2 ? Run<2, true>(execution, region.GetBox(), inDouble, input, outputs)
                                  : Run<3, true>(execution, region.GetBox(), inDouble, input, outputs);
    }
    execution.EndStage();
  }

private:
  SobelParameters m_Parameters;
};
} // namespace

OperationPointer
MakeSobelOperation(const SobelParameters & parameters, const PixelTypes & types)
{
  return WithPixels(types, [&](auto input, auto output) -> OperationPointer {
    using Output = decltype(output);
    if constexpr (std::is_floating_point<Output>::value)
    {
      return std::make_unique<SobelOperation<decltype(input), Output>>(parameters);
    }
    else
    {
      throw DeviceError(DeviceError::Kind::Unsuited, "there are kernels for output pixels of float and double only");
    }
  });
}
} // namespace CudaFilters
} // namespace itk
