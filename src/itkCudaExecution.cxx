// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/Execution.h"
#include "Device/Execution.h"

namespace itk
{
namespace CudaFilters
{
void
ExecutionDeleter::operator()(Execution * execution) const
{
  delete execution;
}

ExecutionPointer
MakeExecution(int device, const ExecutionSettings & settings)
{
  return ExecutionPointer(new Execution(device, settings));
}

int
GetDevice(const Execution & execution)
{
  return execution.GetDevice();
}

std::vector<StageTime>
GetStageTimes(Execution & execution)
{
  return execution.GetStageTimes();
}

std::size_t
GetAvailableDeviceBytes(int device)
{
  return GetFreeDeviceBytes(device) + GetIdlePoolBytes(device);
}
} // namespace CudaFilters
} // namespace itk
