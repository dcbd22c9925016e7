// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersLaunch_h
#define itkCudaFiltersLaunch_h

#include "Check.h"
#include "Execution.h"
#include "CudaFilters/KernelFamily.h"
#include <algorithm>
#include <cstdint>
#include <utility>

/** Declares an array in shared memory: CUDAFILTERS_SHARED(float, tile, [32][33]). The emulated device has its own
 * definition of this macro and the next, since C++ knows no such memory. */
#ifndef CUDAFILTERS_SHARED
#  define CUDAFILTERS_SHARED(type, name, extents) __shared__ type name extents
#endif

/** Declares the pointer to the shared memory whose size is chosen at launch. */
#ifndef CUDAFILTERS_DYNAMIC_SHARED
#  define CUDAFILTERS_DYNAMIC_SHARED(type, name)                                 \
    extern __shared__ __align__(16) unsigned char itkCudaFiltersDynamicShared[]; \
    type * const                                  name = reinterpret_cast<type *>(itkCudaFiltersDynamicShared)
#endif

namespace itk
{
namespace CudaFilters
{
/** How many parts of a size there are in all, the last perhaps not whole. */
constexpr std::int64_t
DivideUp(std::int64_t all, std::int64_t part)
{
  return (all + part - 1) / part;
}

/** Grid and block of one launch. */
struct LaunchShape
{
  dim3        Grid;
  dim3        Block;
  std::size_t SharedBytes = 0;
};

/** A grid of so many blocks, or of fewer where these are very many: for kernels that go on in steps of the grid. */
inline dim3
GridOf(std::int64_t blocks)
{
  constexpr std::int64_t most = 1 << 20;
  return dim3(static_cast<unsigned int>(std::min(blocks, most)));
}

/** The one way to start a kernel: enqueues it in the run's stream, with the run's settings, and checks. A grid with no
 * block is no work. */
template <typename... TParameters, typename... TArguments>
void
Launch(const Execution & execution,
       const char *      name,
       void (*kernel)(TParameters...),
       const LaunchShape & shape,
       TArguments &&... arguments)
{
  if (shape.Grid.x == 0 || shape.Grid.y == 0 || shape.Grid.z == 0)
  {
    return;
  }
  execution.ApplyCarveout(reinterpret_cast<const void *>(kernel), name);
  cudaLaunchConfig_t config{};
  config.gridDim = shape.Grid;
  config.blockDim = shape.Block;
  config.dynamicSmemBytes = shape.SharedBytes;
  config.stream = execution.GetStream()->GetHandle();
  const cudaError_t error = cudaLaunchKernelEx(&config, kernel, static_cast<TParameters>(arguments)...);
  if (error != cudaSuccess)
  {
    ThrowDeviceError(error, std::string("Starting kernel ") + name);
  }
  execution.AfterWork(name);
}

/** Threads a block: what the user asked for this family of kernels, else what is usual for the kernel, else what fills
 * the device best. */
template <typename TKernel>
unsigned int
ChooseBlockSize(const Execution & execution, CudaKernelFamilyEnum family, TKernel kernel, unsigned int usual = 0)
{
  const auto & chosen = execution.GetSettings().BlockSizes;
  const auto   index = static_cast<std::size_t>(family);
  if (index < chosen.size() && chosen[index] != 0)
  {
    // A kernel that needs many registers cannot have as many threads as the device allows.
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

/** How many blocks of a kernel the device has at work at the same time. */
template <typename TKernel>
unsigned int
GetResidentBlocks(const Execution & execution, TKernel kernel, unsigned int threads)
{
  int blocks = 0;
  Check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads), 0),
        "Asking how many blocks fit");
  const int multiprocessors = GetDeviceDescription(execution.GetDevice()).NumberOfMultiprocessors;
  return static_cast<unsigned int>(std::max(blocks, 1) * std::max(multiprocessors, 1));
}
} // namespace CudaFilters
} // namespace itk

#endif
