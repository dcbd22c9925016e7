// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/ZeroCrossingOperation.h"
#include "ZeroCrossings.cuh"
#include "../Device/PixelDispatch.h"

namespace itk
{
namespace CudaFilters
{
namespace
{
template <typename TInput, typename TOutput>
class ZeroCrossingOperation : public StencilOperation
{
public:
  explicit ZeroCrossingOperation(const ZeroCrossingParameters & parameters)
    : StencilOperation(parameters.Dimension)
    , m_Parameters(parameters)
  {}

  void
  RunRegion(Execution & execution, const RegionOnDevice & region) const override
  {
    const StageScope stage(execution, "zero crossings");
    m_Parameters.Dimension == 2 ? this->FindCrossings<2>(execution, region) : this->FindCrossings<3>(execution, region);
  }

private:
  template <int VDimension>
  void
  FindCrossings(Execution & execution, const RegionOnDevice & region) const
  {
    const ZeroCrossing<VDimension, TInput, TOutput> zeroCrossing{ static_cast<TOutput>(m_Parameters.Foreground),
                                                                  static_cast<TOutput>(m_Parameters.Background),
                                                                  region.GetOutput<TOutput>() };
    RunStencil<VDimension, true>(
      execution, "StencilKernel<ZeroCrossing>", region.GetBox(), zeroCrossing, region.GetInput<TInput>());
  }

  ZeroCrossingParameters m_Parameters;
};
} // namespace

OperationPointer
MakeZeroCrossingOperation(const ZeroCrossingParameters & parameters, const PixelTypes & types)
{
  return WithPixels(types, [&](auto input, auto output) -> OperationPointer {
    return std::make_unique<ZeroCrossingOperation<decltype(input), decltype(output)>>(parameters);
  });
}
} // namespace CudaFilters
} // namespace itk
