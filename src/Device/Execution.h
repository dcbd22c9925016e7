// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersExecution_h
#define itkCudaFiltersExecution_h

#include "DeviceMemory.h"
#include "Devices.h"
#include "CudaFilters/ExecutionSettings.h"
#include <memory>
#include <string>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** One run of an operation on one device: its stream and its settings. The runner creates it and passes it to the
 * operation, which passes it to Launch(). During its lifetime, its device is the current one of the calling thread. */
class Execution
{
public:
  /** streamNumber: which of the thread's own streams to use, unless the settings name a stream. */
  Execution(int device, const ExecutionSettings & settings, int streamNumber = 0);
  ~Execution();

  int
  GetDevice() const
  {
    return m_Stream->GetDevice();
  }

  const Stream::Pointer &
  GetStream() const
  {
    return m_Stream;
  }

  const ExecutionSettings &
  GetSettings() const
  {
    return m_Settings;
  }

  /** Allocates memory, which is freed in stream order when the buffer is destroyed. */
  std::unique_ptr<DeviceBuffer>
  Allocate(std::size_t bytes) const
  {
    return std::make_unique<DeviceBuffer>(bytes, m_Stream);
  }

  /** Starts a named stage, which lasts until the next BeginStage() or EndStage(). A stage is an entry of
   * GetStageTimes(), and an NVTX range in NVIDIA's profilers. */
  void
  BeginStage(const char * name);
  void
  EndStage();

  /** Returns the times of the stages so far, and of the loading of kernels, if any were loaded. Empty unless timing is
   * on. Waits for the device. */
  std::vector<StageTime>
  GetStageTimes();

  /** Whether a kernel must be loaded, and the loading timed, before its launch. True before the first launch of a
   * kernel on a device if timing is on, so that the loading time is not counted as time of the stage. */
  bool
  MustLoad(const void * kernel) const;
  void
  NoteLoading(double milliseconds) const;

  /** The shared memory carveout to set for a kernel before its launch, or -2 if none is to be set. A kernel keeps its
   * carveout. So, once any run has requested one, every run sets it. */
  int
  GetCarveoutToSet() const;

  /** In synchronous mode, waits for the stream, so that an error is reported for the kernel that caused it. */
  void
  AfterWork(const char * name) const;

private:
  struct Stage
  {
    std::string Name;
    TimingEvent Begin;
    TimingEvent End;
  };

  DeviceScope                m_Scope;
  Stream::Pointer            m_Stream;
  ExecutionSettings          m_Settings;
  mutable std::vector<Stage> m_Stages;
  mutable double             m_LoadingMilliseconds = 0.0;
  bool                       m_IsInStage = false;
  mutable bool               m_StageHasWork = false;
};
} // namespace CudaFilters
} // namespace itk

#endif
