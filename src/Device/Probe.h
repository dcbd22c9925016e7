// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersProbe_h
#define itkCudaFiltersProbe_h

#include <cuda_runtime.h>

namespace itk
{
namespace CudaFilters
{
/** Returns cudaSuccess if kernels of this library can be loaded on the current device, else the error. */
cudaError_t
ProbeKernels();
} // namespace CudaFilters
} // namespace itk

#endif
