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
/** One run of an operation on one device: where its work goes and with which settings. What an algorithm gets from the
 * filter, and hands to Launch(). While it lives, its device is the calling thread's current one. */
class Execution
{
public:
  /** streamNumber: of the thread's own streams, unless the settings name one. */
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

  /** Memory that is given back in stream order when its owner goes. */
  std::unique_ptr<DeviceBuffer>
  Allocate(std::size_t bytes) const
  {
    return std::make_unique<DeviceBuffer>(bytes, m_Stream);
  }

  /** Starts a named stage, which lasts until the next one starts or EndStage(): a row of GetStageTimes(), and an NVTX
   * range in NVIDIA's profilers. */
  void
  BeginStage(const char * name);
  void
  EndStage();

  /** The stages so far, and the loading of kernels, if there was any; empty unless timing was asked for. Waits for the
   * device. */
  std::vector<StageTime>
  GetStageTimes();

  /** Whether a kernel is to be loaded, and its loading timed, before its first launch: if timing was asked for, so that
   * the time is not counted as the stage's. */
  bool
  MustLoad(const void * kernel) const;
  void
  NoteLoading(double milliseconds) const;

  /** The preference for shared memory that a kernel is to get before its launch; -2 if none is to be set. A kernel
   * keeps a preference: so, once any run has asked for one, it is set for each. */
  int
  GetCarveoutToSet() const;

  /** In synchronous mode, waits, so that an error is met where it was made. */
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
