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
template <int VDimension, typename TInput, typename TOutput>
void
Run(const Execution &             execution,
    const LocalBox &              box,
    bool                          inDouble,
    const TInput *                input,
    const SobelOutputs<TOutput> & outputs)
{
  // Pixels in a line that one thread computes: as many as the registers hold well.
  constexpr int fastWindow = VDimension == 2 ? 8 : 4;
  constexpr int exactWindow = VDimension == 2 ? 4 : 1;

  if constexpr (std::is_same<TOutput, float>::value && !std::is_same<TInput, double>::value)
  {
    if (!inDouble)
    {
      RunStencil<VDimension, fastWindow>(execution, "FastSobel", box, FastSobel<VDimension>{ outputs }, input);
      return;
    }
  }
  RunStencil<VDimension, exactWindow>(execution, "ExactSobel", box, ExactSobel<VDimension, TOutput>{ outputs }, input);
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
  dimension == 2 ? Run<2>(execution, box, inDouble, input, outputs) : Run<3>(execution, box, inDouble, input, outputs);
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
