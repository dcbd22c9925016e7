// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkEmulatedCudaRuntime_h
#define itkEmulatedCudaRuntime_h

// Replaces the header of the CUDA runtime when kernels and host code are compiled as plain C++ for the emulated device:
// the part of CUDA that this project uses, under CUDA's names.

#include "EmulatedKernel.h"
#include "EmulatedRuntime.h"
#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>

using cudaStream_t = CUstream_st *;
using cudaEvent_t = CUevent_st *;
using cudaMemPool_t = CUmemPoolHandle_st *;

enum cudaMemcpyKind
{
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3
};

enum cudaDeviceAttr
{
  cudaDevAttrClockRate = 13,
  cudaDevAttrKernelExecTimeout = 17,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
  cudaDevAttrMemoryPoolsSupported = 115
};

enum cudaFuncAttribute
{
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};

enum cudaMemPoolAttr
{
  cudaMemPoolAttrReleaseThreshold = 4,
  cudaMemPoolAttrReservedMemCurrent = 5,
  cudaMemPoolAttrUsedMemCurrent = 7
};

constexpr unsigned int cudaEventDefault = 0;
constexpr unsigned int cudaEventDisableTiming = 2;
constexpr unsigned int cudaStreamNonBlocking = 1;
constexpr unsigned int cudaHostRegisterPortable = 1;
constexpr int          cudaMemAllocationTypePinned = 1;
constexpr int          cudaMemHandleTypeNone = 0;
constexpr int          cudaMemLocationTypeDevice = 1;

struct cudaDeviceProp
{
  char        name[256];
  int         major;
  int         minor;
  int         multiProcessorCount;
  std::size_t totalGlobalMem;
};

struct cudaMemPoolProps
{
  int allocType;
  int handleTypes;
  struct
  {
    int type;
    int id;
  } location;
};

struct cudaFuncAttributes
{
  int maxThreadsPerBlock;
};

enum cudaMemoryType
{
  cudaMemoryTypeUnregistered = 0,
  cudaMemoryTypeHost = 1,
  cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3
};
struct cudaPointerAttributes
{
  cudaMemoryType type;
  int            device;
};

struct cudaPitchedPtr
{
  void *      ptr;
  std::size_t pitch, xsize, ysize;
};
struct cudaPos
{
  std::size_t x, y, z;
};
struct cudaExtent
{
  std::size_t width, height, depth;
};
struct cudaMemcpy3DParms
{
  cudaPitchedPtr srcPtr, dstPtr;
  cudaPos        srcPos, dstPos;
  cudaExtent     extent;
  cudaMemcpyKind kind;
};

inline cudaPitchedPtr
make_cudaPitchedPtr(void * pointer, std::size_t pitch, std::size_t width, std::size_t height)
{
  return { pointer, pitch, width, height };
}
inline cudaPos
make_cudaPos(std::size_t x, std::size_t y, std::size_t z)
{
  return { x, y, z };
}
inline cudaExtent
make_cudaExtent(std::size_t width, std::size_t height, std::size_t depth)
{
  return { width, height, depth };
}

struct cudaLaunchConfig_t
{
  dim3         gridDim;
  dim3         blockDim;
  std::size_t  dynamicSmemBytes;
  cudaStream_t stream;
};

const char *
cudaGetErrorName(cudaError_t error);
const char *
cudaGetErrorString(cudaError_t error);
cudaError_t
cudaGetLastError();

cudaError_t
cudaDriverGetVersion(int * version);
cudaError_t
cudaGetDeviceCount(int * count);
cudaError_t
cudaGetDevice(int * device);
cudaError_t
cudaSetDevice(int device);
enum cudaDriverEntryPointQueryResult
{
  cudaDriverEntryPointSuccess = 0
};
constexpr unsigned long long cudaEnableDefault = 0;
cudaError_t
cudaGetDriverEntryPointByVersion(const char *                      name,
                                 void **                           function,
                                 unsigned int                      version,
                                 unsigned long long                flags,
                                 cudaDriverEntryPointQueryResult * result);
cudaError_t
cudaGetDeviceProperties(cudaDeviceProp * properties, int device);
cudaError_t
cudaDeviceGetAttribute(int * value, cudaDeviceAttr attribute, int device);
cudaError_t
cudaDeviceSynchronize();

cudaError_t
cudaMemGetInfo(std::size_t * free, std::size_t * total);
cudaError_t
cudaMalloc(void ** pointer, std::size_t bytes);
cudaError_t
cudaFree(void * pointer);
cudaError_t
cudaMallocHost(void ** pointer, std::size_t bytes);
cudaError_t
cudaHostRegister(void * pointer, std::size_t bytes, unsigned int flags);
cudaError_t
cudaHostUnregister(void * pointer);
cudaError_t
cudaPointerGetAttributes(cudaPointerAttributes * attributes, const void * pointer);
cudaError_t
cudaMemPoolCreate(cudaMemPool_t * pool, const cudaMemPoolProps * properties);
cudaError_t
cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void * value);
cudaError_t
cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void * value);
cudaError_t
cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t bytesToKeep);
cudaError_t
cudaMallocFromPoolAsync(void ** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t
cudaFreeAsync(void * pointer, cudaStream_t stream);

cudaError_t
cudaMemcpyAsync(void * destination, const void * source, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t
cudaMemcpy3DAsync(const cudaMemcpy3DParms * copy, cudaStream_t stream);
cudaError_t
cudaMemsetAsync(void * destination, int value, std::size_t bytes, cudaStream_t stream);

cudaError_t
cudaStreamCreateWithFlags(cudaStream_t * stream, unsigned int flags);
cudaError_t
cudaStreamDestroy(cudaStream_t stream);
cudaError_t
cudaStreamSynchronize(cudaStream_t stream);
cudaError_t
cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags);
cudaError_t
cudaEventCreateWithFlags(cudaEvent_t * event, unsigned int flags);
cudaError_t
cudaEventDestroy(cudaEvent_t event);
cudaError_t
cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t
cudaEventSynchronize(cudaEvent_t event);
cudaError_t
cudaEventElapsedTime(float * milliseconds, cudaEvent_t begin, cudaEvent_t end);

template <typename TKernel>
cudaError_t
cudaFuncGetAttributes(cudaFuncAttributes * attributes, TKernel)
{
  attributes->maxThreadsPerBlock = 1024;
  return Emulation::TakePlannedFailure("cudaFuncGetAttributes");
}

inline cudaError_t
cudaFuncSetAttribute(const void *, cudaFuncAttribute, int)
{
  return Emulation::TakePlannedFailure("cudaFuncSetAttribute");
}

template <typename TKernel>
cudaError_t
cudaOccupancyMaxPotentialBlockSize(int * gridSize, int * blockSize, TKernel, std::size_t = 0, int limit = 0)
{
  *gridSize = 1;
  *blockSize = limit == 0 ? 1024 : limit;
  return cudaSuccess;
}

template <typename TKernel>
cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int * blocks, TKernel, int, std::size_t)
{
  *blocks = 1;
  return cudaSuccess;
}

/** As in CUDA, copies the arguments at the call, and runs the kernel in stream order. */
template <typename... TParameters, typename... TArguments>
cudaError_t
cudaLaunchKernelEx(const cudaLaunchConfig_t * config, void (*kernel)(TParameters...), TArguments &&... arguments)
{
  return Emulation::EnqueueKernel(
    { config->gridDim, config->blockDim, config->dynamicSmemBytes },
    config->stream,
    [kernel, values = std::tuple<TParameters...>(std::forward<TArguments>(arguments)...)] {
      std::apply(kernel, values);
    });
}

#endif
