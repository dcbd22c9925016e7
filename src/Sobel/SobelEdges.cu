// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/SobelEdges.h"
#include "CudaFilters/KernelPixel.h"
#include "SobelEdges.cuh"
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
} // namespace

template <typename TInput, typename TOutput>
void
ComputeSobelEdges(Execution &                   execution,
                  const LocalBox &              box,
                  unsigned int                  dimension,
                  bool                          inDouble,
                  const TInput *                input,
                  const SobelOutputs<TOutput> & outputs)
{
  execution.BeginStage("gradient");
  if (outputs.Azimuth == nullptr)
  {
    dimension == 2 ? Run<2, false>(execution, box, inDouble, input, outputs)
                   : Run<3, false>(execution, box, inDouble, input, outputs);
  }
  else
  {
    dimension == 2 ? Run<2, true>(execution, box, inDouble, input, outputs)
                   : Run<3, true>(execution, box, inDouble, input, outputs);
  }
  execution.EndStage();
}

#define CUDAFILTERS_INSTANTIATE(TInput, TOutput)                       \
  template CudaFilters_EXPORT void ComputeSobelEdges<TInput, TOutput>( \
    Execution &, const LocalBox &, unsigned int, bool, const TInput *, const SobelOutputs<TOutput> &);
#define CUDAFILTERS_INSTANTIATE_FOR_INPUT(TInput) \
  CUDAFILTERS_INSTANTIATE(TInput, float)          \
  CUDAFILTERS_INSTANTIATE(TInput, double)

CUDAFILTERS_FOR_EACH_PIXEL(CUDAFILTERS_INSTANTIATE_FOR_INPUT)
} // namespace CudaFilters
} // namespace itk
