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
MakeExecution(int device, const ExecutionSettings & settings, int streamNumber)
{
  return ExecutionPointer(new Execution(device, settings, streamNumber));
}

int
GetDevice(const Execution & execution)
{
  return execution.GetDevice();
}

void
Wait(const Execution & execution)
{
  execution.GetStream()->Synchronize();
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
