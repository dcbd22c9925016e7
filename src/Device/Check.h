// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersCheck_h
#define itkCudaFiltersCheck_h

#include <cuda_runtime.h>
#include <string>

namespace itk
{
namespace CudaFilters
{
/** Throws the DeviceError for a failed call, with what was being done, on which device, and CUDA's own words; and
 * clears the error, so that the next call does not meet it. */
[[noreturn]] void
ThrowDeviceError(cudaError_t error, const std::string & operation);

inline void
Check(cudaError_t error, const char * operation)
{
  if (error != cudaSuccess)
  {
    ThrowDeviceError(error, operation);
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
