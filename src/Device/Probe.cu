// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Probe.h"

namespace itk
{
namespace CudaFilters
{
namespace
{
__global__ void
ProbeKernel()
{}
} // namespace

cudaError_t
ProbeKernels()
{
  cudaFuncAttributes attributes;
  return cudaFuncGetAttributes(&attributes, ProbeKernel);
}
} // namespace CudaFilters
} // namespace itk
