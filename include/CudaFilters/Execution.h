// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_Execution_h
#define CudaFilters_Execution_h

#include "CudaFiltersExport.h"
#include "CudaFilters/ExecutionSettings.h"
#include <cstddef>
#include <memory>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** One run of an operation on one device. The runner creates it and passes it to the operation. Its definition is
 * internal (src/Device/Execution.h). */
class Execution;

/** Ends an execution, for ExecutionPointer. */
struct CudaFilters_EXPORT ExecutionDeleter
{
  /** Waits for the device. */
  void
  operator()(Execution * execution) const;
};

using ExecutionPointer = std::unique_ptr<Execution, ExecutionDeleter>;

/** Creates an execution on a device. Executions of a thread with different stream numbers run concurrently, unless the
 * settings contain a stream. */
CudaFilters_EXPORT ExecutionPointer
MakeExecution(int device, const ExecutionSettings & settings, int streamNumber = 0);

/** Returns the device of an execution. */
CudaFilters_EXPORT int
GetDevice(const Execution & execution);

/** Waits for all work that was enqueued. */
CudaFilters_EXPORT void
Wait(const Execution & execution);

/** Returns the times of the stages so far, if timing is enabled in the settings. Waits for the device. */
CudaFilters_EXPORT std::vector<StageTime>
                   GetStageTimes(Execution & execution);

/** Returns the device memory, in bytes, that is currently available for allocation. */
CudaFilters_EXPORT std::size_t
                   GetAvailableDeviceBytes(int device);

/** The cudaStream_t in which an operation enqueues its work. */
CudaFilters_EXPORT void *
GetStreamHandle(const Execution & execution);

/** \class StageScope
 * \brief A named stage of a run, from construction to destruction.
 *
 * Stages appear in CudaAcceleratedImageFilter::GetStageTimes(), if timing is on, and as NVTX ranges in NVIDIA's
 * profilers. Scopes do not nest: a new one ends the current stage. */
class CudaFilters_EXPORT StageScope
{
public:
  /** Begins the stage. */
  StageScope(Execution & execution, const char * name);
  ~StageScope();
  StageScope(const StageScope &) = delete;
  StageScope &
  operator=(const StageScope &) = delete;

private:
  Execution & m_Execution;
};

/** \class ScratchMemory
 * \brief Device memory for the intermediate results of an operation.
 *
 * The memory comes from the device's pool, and returns to it in stream order: work that was enqueued before the
 * destructor may still use it. Throws a DeviceError of kind OutOfMemory if there is not enough; the runner then tries
 * tiles, whose size it chooses by Operation::GetScratchBytes(), and the filter finally computes on the CPU. */
class CudaFilters_EXPORT ScratchMemory
{
public:
  /** Takes the memory. */
  ScratchMemory(const Execution & execution, std::size_t bytes);
  ~ScratchMemory();
  ScratchMemory(const ScratchMemory &) = delete;
  ScratchMemory &
  operator=(const ScratchMemory &) = delete;

  /** The address on the device. */
  void *
  GetPointer() const;

private:
  class Implementation;
  std::unique_ptr<Implementation> m_Implementation;
};

/** \name Used by Launch() in CudaFilters/Launch.cuh. */
/**@{*/
CudaFilters_EXPORT bool
MustLoadKernel(const Execution & execution, const void * kernel);
CudaFilters_EXPORT void
NoteKernelLoading(const Execution & execution, double milliseconds);
CudaFilters_EXPORT int
GetCarveoutToSet(const Execution & execution);
CudaFilters_EXPORT void
AfterWork(const Execution & execution, const char * name);
/**@}*/
} // namespace CudaFilters
} // namespace itk

#endif
