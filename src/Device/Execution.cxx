// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Execution.h"
#include "Check.h"

namespace itk
{
namespace CudaFilters
{
Execution::Execution(int device, const ExecutionSettings & settings)
  : m_Scope(device)
  , m_Stream(settings.Stream == nullptr ? Stream::OfThisThread(device)
                                        : Stream::Borrow(static_cast<cudaStream_t>(settings.Stream), device))
  , m_Settings(settings)
{}

void
Execution::BeginStage(const char * name)
{
  if (m_Settings.Timing)
  {
    m_Stages.push_back({ name, TimingEvent() });
    m_Stages.back().Begin.Record(*m_Stream);
  }
}

std::vector<StageTime>
Execution::GetStageTimes()
{
  std::vector<StageTime> times;
  if (!m_Stages.empty())
  {
    TimingEvent end;
    end.Record(*m_Stream);
    for (std::size_t i = 0; i < m_Stages.size(); ++i)
    {
      const TimingEvent & next = i + 1 < m_Stages.size() ? m_Stages[i + 1].Begin : end;
      times.push_back({ m_Stages[i].Name, next.MillisecondsSince(m_Stages[i].Begin) });
    }
  }
  return times;
}

void
Execution::AfterWork(const char * name) const
{
  const cudaError_t error =
    m_Settings.Synchronous ? cudaStreamSynchronize(m_Stream->GetHandle()) : cudaPeekAtLastError();
  if (error != cudaSuccess)
  {
    ThrowDeviceError(error, std::string("Kernel ") + name);
  }
}
} // namespace CudaFilters
} // namespace itk
