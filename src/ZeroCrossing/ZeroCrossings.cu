// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/ZeroCrossings.h"
#include "CudaFilters/KernelPixel.h"
#include "ZeroCrossings.cuh"

namespace itk
{
namespace CudaFilters
{
template <typename TInput, typename TOutput>
void
FindZeroCrossings(Execution &      execution,
                  const LocalBox & box,
                  unsigned int     dimension,
                  TOutput          foreground,
                  TOutput          background,
                  const TInput *   input,
                  TOutput *        output)
{
  execution.BeginStage("zero crossings");
  if (dimension == 2)
  {
    RunStencil<2, true>(
      execution, "ZeroCrossing", box, ZeroCrossing<2, TInput, TOutput>{ foreground, background, output }, input);
  }
  else
  {
    RunStencil<3, true>(
      execution, "ZeroCrossing", box, ZeroCrossing<3, TInput, TOutput>{ foreground, background, output }, input);
  }
  execution.EndStage();
}

#define CUDAFILTERS_INSTANTIATE(TInput, TOutput)                       \
  template CudaFilters_EXPORT void FindZeroCrossings<TInput, TOutput>( \
    Execution &, const LocalBox &, unsigned int, TOutput, TOutput, const TInput *, TOutput *);

CUDAFILTERS_FOR_EACH_PIXEL_PAIR(CUDAFILTERS_INSTANTIATE)
} // namespace CudaFilters
} // namespace itk
