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
  /** Threads a block for each CudaKernelFamilyEnum; 0 lets the driver's occupancy calculator choose. */
  std::vector<unsigned int> BlockSizes;
  /** A cudaStream_t to use instead of the calling thread's own, or nullptr. */
  void * Stream = nullptr;
  /** Percentage of the first-level cache that kernels would like as shared memory; -1 leaves it to the driver. */
  int SharedMemoryCarveout = -1;
  /** Wait after each kernel, so that errors show where they are made. */
  bool Synchronous = false;
  /** Time each stage. */
  bool Timing = false;
};

/** How long one stage of a run took on the device. */
struct StageTime
{
  std::string Name;
  double      Milliseconds;
};
} // namespace CudaFilters
} // namespace itk

#endif
