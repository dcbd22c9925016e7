// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Execution.h"
#include "CudaFilters/DeviceError.h"
#include "CudaFilters/Execution.h"
#include "CudaFilters/Check.cuh"
#include <atomic>
#include <mutex>
#include <set>
#include <utility>
#if __has_include(<nvtx3/nvToolsExt.h>)
#  include <nvtx3/nvToolsExt.h>
#  define CUDAFILTERS_HAS_NVTX
#endif

namespace itk
{
namespace CudaFilters
{
namespace
{
/** Stages are NVTX ranges in NVIDIA's profilers. Without a profiler, their cost is negligible. */
void
BeginProfilerRange(const char * name)
{
#if defined(CUDAFILTERS_HAS_NVTX)
  nvtxRangePushA(name);
#else
  static_cast<void>(name);
#endif
}
void
EndProfilerRange()
{
#if defined(CUDAFILTERS_HAS_NVTX)
  nvtxRangePop();
#endif
}
} // namespace

Execution::Execution(int device, const ExecutionSettings & settings, int streamNumber)
  : m_Scope(device)
  , m_Stream(settings.Stream == nullptr ? Stream::OfThisThread(device, streamNumber)
                                        : Stream::Borrow(static_cast<cudaStream_t>(settings.Stream), device))
  , m_Settings(settings)
{}

Execution::~Execution()
{
  if (m_IsInStage)
  {
    EndProfilerRange();
  }
}

void
Execution::BeginStage(const char * name)
{
  this->EndStage();
  m_IsInStage = true;
  m_StageHasWork = false;
  BeginProfilerRange(name);
  if (m_Settings.Timing)
  {
    m_Stages.push_back({ name, TimingEvent(), TimingEvent() });
    m_Stages.back().Begin.Record(*m_Stream);
  }
}

void
Execution::EndStage()
{
  if (m_IsInStage)
  {
    m_IsInStage = false;
    EndProfilerRange();
    if (m_Settings.Timing)
    {
      m_Stages.back().End.Record(*m_Stream);
    }
  }
}

std::vector<StageTime>
Execution::GetStageTimes()
{
  this->EndStage();
  std::vector<StageTime> times;
  if (m_LoadingMilliseconds > 0.0)
  {
    times.push_back({ "loading of kernels", m_LoadingMilliseconds });
  }
  for (const Stage & stage : m_Stages)
  {
    times.push_back({ stage.Name, stage.End.MillisecondsSince(stage.Begin) });
  }
  return times;
}

bool
Execution::MustLoad(const void * kernel) const
{
  static std::mutex                             mutex;
  static std::set<std::pair<int, const void *>> loaded;

  if (!m_Settings.Timing)
  {
    return false;
  }
  const std::lock_guard<std::mutex> lock(mutex);
  return loaded.emplace(this->GetDevice(), kernel).second;
}

void
Execution::NoteLoading(double milliseconds) const
{
  m_LoadingMilliseconds += milliseconds;
  if (m_IsInStage && !m_StageHasWork)
  {
    m_Stages.back().Begin.Record(*m_Stream);
  }
}

int
Execution::GetCarveoutToSet() const
{
  static std::atomic<bool> isUsed{ false };

  const int percent = m_Settings.SharedMemoryCarveout;
  if (percent >= 0)
  {
    isUsed = true;
  }
  return isUsed ? percent : -2;
}

void
Execution::AfterWork(const char * name) const
{
  m_StageHasWork = true;
  if (m_Settings.Synchronous)
  {
    const cudaError_t error = cudaStreamSynchronize(m_Stream->GetHandle());
    if (error != cudaSuccess)
    {
      ThrowDeviceError(error, std::string("Kernel ") + name);
    }
  }
}

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

void *
GetStreamHandle(const Execution & execution)
{
  return execution.GetStream()->GetHandle();
}

StageScope::StageScope(Execution & execution, const char * name)
  : m_Execution(execution)
{
  execution.BeginStage(name);
}

StageScope::~StageScope()
{
  try
  {
    m_Execution.EndStage();
  }
  catch (const DeviceError &)
  {
    // A destructor must not throw. A permanent error is reported by the next checked call.
  }
}

class ScratchMemory::Implementation
{
public:
  std::unique_ptr<DeviceBuffer> Buffer;
};

ScratchMemory::ScratchMemory(const Execution & execution, std::size_t bytes)
  : m_Implementation(std::make_unique<Implementation>())
{
  m_Implementation->Buffer = execution.Allocate(bytes);
}

ScratchMemory::~ScratchMemory() = default;

void *
ScratchMemory::GetPointer() const
{
  return m_Implementation->Buffer->GetPointer();
}

bool
MustLoadKernel(const Execution & execution, const void * kernel)
{
  return execution.MustLoad(kernel);
}

void
NoteKernelLoading(const Execution & execution, double milliseconds)
{
  execution.NoteLoading(milliseconds);
}

int
GetCarveoutToSet(const Execution & execution)
{
  return execution.GetCarveoutToSet();
}

void
AfterWork(const Execution & execution, const char * name)
{
  execution.AfterWork(name);
}

std::size_t
GetAvailableDeviceBytes(int device)
{
  return GetFreeDeviceBytes(device) + GetIdlePoolBytes(device);
}
} // namespace CudaFilters
} // namespace itk
