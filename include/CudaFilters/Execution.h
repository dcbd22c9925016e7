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
/** One run of an operation on one device. The filters make it and hand it to the algorithms; only these look inside
 * (src/Device/Execution.h). */
class Execution;

struct CudaFilters_EXPORT ExecutionDeleter
{
  void
  operator()(Execution * execution) const;
};

using ExecutionPointer = std::unique_ptr<Execution, ExecutionDeleter>;

/** streamNumber: what has another number goes on beside it, unless the settings name a stream. */
CudaFilters_EXPORT ExecutionPointer
MakeExecution(int device, const ExecutionSettings & settings, int streamNumber = 0);

/** The device on which a run takes place. */
CudaFilters_EXPORT int
GetDevice(const Execution & execution);

/** Waits for all work that was enqueued. */
CudaFilters_EXPORT void
Wait(const Execution & execution);

/** The stages of the run so far, if its settings ask for timing. Waits for the device. */
CudaFilters_EXPORT std::vector<StageTime>
                   GetStageTimes(Execution & execution);

/** The device memory that could be allocated now. */
CudaFilters_EXPORT std::size_t
                   GetAvailableDeviceBytes(int device);
} // namespace CudaFilters
} // namespace itk

#endif
