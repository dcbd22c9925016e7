// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_Check_cuh
#define CudaFilters_Check_cuh

// For sources that call the CUDA runtime. The only header of this folder that includes it. No .h includes a .cuh.

#include "cuda_runtime.h"
#include "CudaFiltersExport.h"
#include <string>

namespace itk
{
namespace CudaFilters
{
/** Throws the DeviceError for a failed CUDA call, with the operation, the device and CUDA's own description; clears the
 * error, so that the next call does not report it again. */
[[noreturn]] CudaFilters_EXPORT void
ThrowDeviceError(cudaError_t error, const std::string & operation);

/** Throws if a CUDA call has failed. */
inline void
Check(cudaError_t error, const char * operation)
{
  if (error != cudaSuccess)
  {
    cudaGetLastError(); // clears it in the CUDA runtime of the caller, which may have one of its own
    ThrowDeviceError(error, operation);
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
