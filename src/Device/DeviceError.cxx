// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/DeviceError.h"
#include "CudaFilters/Check.cuh"

namespace itk
{
namespace CudaFilters
{
DeviceError::DeviceError(Kind kind, const std::string & description)
  : std::runtime_error(description)
  , m_Kind(kind)
{}

DeviceError::~DeviceError() = default;

void
ThrowDeviceError(cudaError_t error, const std::string & operation)
{
  cudaGetLastError();
  int         device = -1;
  std::string where = "no device";
  if (cudaGetDevice(&device) == cudaSuccess)
  {
    where = "device " + std::to_string(device);
  }
  throw DeviceError(error == cudaErrorMemoryAllocation ? DeviceError::Kind::OutOfMemory : DeviceError::Kind::Failure,
                    operation + " failed on " + where + ": " + cudaGetErrorName(error) + " (" +
                      cudaGetErrorString(error) + ")");
}
} // namespace CudaFilters
} // namespace itk
