// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersLaunch_h
#define itkCudaFiltersLaunch_h

#include "Execution.h"
#include "CudaFilters/Launch.cuh"
#include "itkCudaEnums.h"
#include <algorithm>
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** Threads per block: the user's choice for this family of kernels, else the usual number for the kernel, else the
 * number with the highest occupancy, at most 256. */
template <typename TKernel>
unsigned int
ChooseBlockSize(const Execution & execution, CudaKernelFamilyEnum family, TKernel kernel, unsigned int usual = 0)
{
  const auto & chosen = execution.GetSettings().BlockSizes;
  const auto   index = static_cast<std::size_t>(family);
  if (index < chosen.size() && chosen[index] != 0)
  {
    // A kernel that uses many registers supports fewer threads per block than the device.
    constexpr unsigned int warp = 32;
    cudaFuncAttributes     attributes{};
    Check(cudaFuncGetAttributes(&attributes, kernel), "Asking for the attributes of a kernel");
    return std::min(chosen[index], static_cast<unsigned int>(attributes.maxThreadsPerBlock) / warp * warp);
  }
  if (usual != 0)
  {
    return usual;
  }
  int gridSize = 0;
  int blockSize = 0;
  Check(cudaOccupancyMaxPotentialBlockSize(&gridSize, &blockSize, kernel, 0, 256), "Choosing a block size");
  return static_cast<unsigned int>(blockSize);
}

/** The number of blocks of a kernel that the device executes at the same time. */
template <typename TKernel>
unsigned int
GetResidentBlocks(const Execution & execution, TKernel kernel, unsigned int threads)
{
  int blocks = 0;
  Check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads), 0),
        "Computing the occupancy");
  const int multiprocessors = GetDeviceDescription(execution.GetDevice()).NumberOfMultiprocessors;
  return static_cast<unsigned int>(std::max(blocks, 1) * std::max(multiprocessors, 1));
}
} // namespace CudaFilters
} // namespace itk

#endif
