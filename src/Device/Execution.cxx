// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Execution.h"
#include "Check.h"
#include <atomic>

namespace itk
{
namespace CudaFilters
{
Execution::Execution(int device, const ExecutionSettings & settings, int streamNumber)
  : m_Scope(device)
  , m_Stream(settings.Stream == nullptr ? Stream::OfThisThread(device, streamNumber)
                                        : Stream::Borrow(static_cast<cudaStream_t>(settings.Stream), device))
  , m_Settings(settings)
{}

void
Execution::BeginStage(const char * name)
{
  this->EndStage();
  if (m_Settings.Timing)
  {
    m_Stages.push_back({ name, TimingEvent(), TimingEvent() });
    m_Stages.back().Begin.Record(*m_Stream);
    m_IsInStage = true;
  }
}

void
Execution::EndStage()
{
  if (m_IsInStage)
  {
    m_Stages.back().End.Record(*m_Stream);
    m_IsInStage = false;
  }
}

std::vector<StageTime>
Execution::GetStageTimes()
{
  this->EndStage();
  std::vector<StageTime> times;
  for (const Stage & stage : m_Stages)
  {
    times.push_back({ stage.Name, stage.End.MillisecondsSince(stage.Begin) });
  }
  return times;
}

void
Execution::ApplyCarveout(const void * kernel, const char * name) const
{
  static std::atomic<bool> isUsed{ false };

  const int percent = m_Settings.SharedMemoryCarveout;
  if (percent >= 0)
  {
    isUsed = true;
  }
  if (isUsed)
  {
    Check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, percent), name);
  }
}

void
Execution::AfterWork(const char * name) const
{
  if (m_Settings.Synchronous)
  {
    const cudaError_t error = cudaStreamSynchronize(m_Stream->GetHandle());
    if (error != cudaSuccess)
    {
      ThrowDeviceError(error, std::string("Kernel ") + name);
    }
  }
}
} // namespace CudaFilters
} // namespace itk
