// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_ExecutionSettings_h
#define CudaFilters_ExecutionSettings_h

#include <string>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** The settings of an itk::CudaInterface that the device layer needs, as plain values. */
struct ExecutionSettings
{
  /** Threads per block for each CudaKernelFamilyEnum; 0 selects the block size automatically. */
  std::vector<unsigned int> BlockSizes;
  /** A cudaStream_t to use instead of the calling thread's own stream, or nullptr. */
  void * Stream = nullptr;
  /** Preferred percentage of the L1 cache for shared memory; -1 leaves the choice to the driver. */
  int SharedMemoryCarveout = -1;
  /** Wait for each kernel, so that an error is reported for the kernel that caused it. */
  bool Synchronous = false;
  /** Time each stage. */
  bool Timing = false;
  /** How long a kernel that runs until all its work is done may take; then it is started again. */
  double KernelMilliseconds = 200.0;
};

/** The time of one stage of a run: on the device, in copies or on the host. */
struct StageTime
{
  std::string Name;         ///< of the stage
  double      Milliseconds; ///< that it took
};
} // namespace CudaFilters
} // namespace itk

#endif
