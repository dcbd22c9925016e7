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
ComputeSobel(const Execution &             execution,
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
        execution, "StencilKernel<FastSobel>", box, FastSobel<VDimension, VHasAngles>{ { outputs } }, input);
      return;
    }
  }
  RunStencil<VDimension, false>(
    execution, "StencilKernel<ExactSobel>", box, ExactSobel<VDimension, VHasAngles, TOutput>{ outputs }, input);
}

template <typename TInput, typename TOutput>
class SobelOperation : public StencilOperation
{
public:
  explicit SobelOperation(const SobelParameters & parameters)
    : StencilOperation(parameters.Dimension)
    , m_Parameters(parameters)
  {}

  void
  RunRegion(Execution & execution, const RegionOnDevice & region) const override
  {
    const bool            inDouble = m_Parameters.InDouble;
    const TInput * const  input = region.GetInput<TInput>();
    SobelOutputs<TOutput> outputs;
    outputs.Magnitude = region.GetOutput<TOutput>();
    outputs.Azimuth = region.Outputs.size() > 1 ? region.GetOutput<TOutput>(1) : nullptr;
    outputs.Elevation = region.Outputs.size() > 2 ? region.GetOutput<TOutput>(2) : nullptr;

    const LocalBox   box = region.GetBox();
    const StageScope stage(execution, "gradient");
    if (outputs.Azimuth == nullptr)
    {
      m_Parameters.Dimension == 2 ? ComputeSobel<2, false>(execution, box, inDouble, input, outputs)
                                  : ComputeSobel<3, false>(execution, box, inDouble, input, outputs);
    }
    else
    {
      m_Parameters.Dimension == 2 ? ComputeSobel<2, true>(execution, box, inDouble, input, outputs)
                                  : ComputeSobel<3, true>(execution, box, inDouble, input, outputs);
    }
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
