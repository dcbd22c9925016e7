// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_Launch_cuh
#define CudaFilters_Launch_cuh

// For CUDA sources only: how an operation starts its kernels. Documentation/OwnFilter.md shows its use.

#include "CudaFilters/Check.cuh"
#include "CudaFilters/Execution.h"
#include "CudaFilters/Region3.h"
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

/** Declares an array in shared memory: CUDAFILTERS_SHARED(float, tile, [32][33]). The emulated device has its own
 * definition of this macro and the next, since plain C++ has no such memory. */
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
/** Grid and block of one launch. */
struct LaunchShape
{
  dim3        Grid;
  dim3        Block;
  std::size_t SharedBytes = 0;
};

/** A one-dimensional grid, of at most 2^20 blocks: for kernels with a grid-stride loop. */
inline dim3
GridOf(std::int64_t blocks)
{
  constexpr std::int64_t most = 1 << 20;
  return dim3(static_cast<unsigned int>(std::min(blocks, most)));
}

/** Starts a kernel: enqueues it in the execution's stream with the execution's settings, and throws if that fails. An
 * empty grid is no work. */
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
  if (MustLoadKernel(execution, reinterpret_cast<const void *>(kernel)))
  {
    const auto         begin = std::chrono::steady_clock::now();
    cudaFuncAttributes attributes{};
    Check(cudaFuncGetAttributes(&attributes, kernel), name);
    NoteKernelLoading(execution,
                      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  const int carveout = GetCarveoutToSet(execution);
  if (carveout >= -1)
  {
    Check(cudaFuncSetAttribute(
            reinterpret_cast<const void *>(kernel), cudaFuncAttributePreferredSharedMemoryCarveout, carveout),
          name);
  }
  cudaLaunchConfig_t config{};
  config.gridDim = shape.Grid;
  config.blockDim = shape.Block;
  config.dynamicSmemBytes = shape.SharedBytes;
  config.stream = static_cast<cudaStream_t>(GetStreamHandle(execution));
  const cudaError_t error = cudaLaunchKernelEx(&config, kernel, static_cast<TParameters>(arguments)...);
  if (error != cudaSuccess)
  {
    cudaGetLastError();
    ThrowDeviceError(error, std::string("Starting kernel ") + name);
  }
  AfterWork(execution, name);
}

/** As many blocks as there may be along y and z. */
inline unsigned int
LimitBlocks(std::int64_t blocks)
{
  return static_cast<unsigned int>(std::min<std::int64_t>(blocks, 65535));
}
} // namespace CudaFilters
} // namespace itk

#endif
