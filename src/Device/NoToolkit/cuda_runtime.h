// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersNoToolkit_h
#define itkCudaFiltersNoToolkit_h

// Replaces the CUDA runtime if the library is built without the CUDA Toolkit: the part of its interface that src/Device
// uses, on a machine without a device. Every call that needs a device returns cudaErrorNoDevice.

#include <cstddef>
#include <cstdint>

#define CUDAFILTERS_NO_TOOLKIT
#define __global__
#define __host__
#define __device__

struct CUstream_st;
struct CUevent_st;
using cudaStream_t = CUstream_st *;
using cudaEvent_t = CUevent_st *;
using cudaMemPool_t = struct CUmemPoolHandle_st *;

// Named as in the toolkit, so that functions with this parameter have the same names in the library.
enum cudaError
{
  cudaSuccess = 0,
  cudaErrorMemoryAllocation = 2,
  cudaErrorNoDevice = 100
};
using cudaError_t = cudaError;

using cudaDriverEntryPointQueryResult = int;

enum cudaMemcpyKind
{
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2
};

enum
{
  cudaDevAttrClockRate,
  cudaDevAttrKernelExecTimeout,
  cudaDevAttrMaxSharedMemoryPerBlockOptin,
  cudaDevAttrMemoryPoolsSupported,
  cudaEnableDefault,
  cudaEventDefault,
  cudaEventDisableTiming,
  cudaFuncAttributePreferredSharedMemoryCarveout,
  cudaHostRegisterPortable,
  cudaMemAllocationTypePinned,
  cudaMemHandleTypeNone,
  cudaMemLocationTypeDevice,
  cudaMemPoolAttrReleaseThreshold,
  cudaMemPoolAttrReservedMemCurrent,
  cudaStreamNonBlocking
};

struct cudaDeviceProp
{
  char        name[1];
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
{};

constexpr int cudaMemoryTypeHost = 1;
constexpr int cudaMemoryTypeDevice = 2;
constexpr int cudaMemoryTypeManaged = 3;
struct cudaPointerAttributes
{
  int type;
  int device;
};

struct cudaPitchedPtr
{};
struct cudaPos
{};
struct cudaExtent
{};
struct cudaMemcpy3DParms
{
  cudaPitchedPtr srcPtr, dstPtr;
  cudaPos        srcPos, dstPos;
  cudaExtent     extent;
  cudaMemcpyKind kind;
};

inline cudaPitchedPtr
make_cudaPitchedPtr(void *, std::size_t, std::size_t, std::size_t)
{
  return {};
}
inline cudaPos
make_cudaPos(std::size_t, std::size_t, std::size_t)
{
  return {};
}
inline cudaExtent
make_cudaExtent(std::size_t, std::size_t, std::size_t)
{
  return {};
}

inline const char *
cudaGetErrorName(cudaError_t)
{
  return "cudaErrorNoDevice";
}
inline const char *
cudaGetErrorString(cudaError_t)
{
  return "this library was built without the CUDA Toolkit";
}

#define CUDAFILTERS_NO_DEVICE(name)  \
  template <typename... TArguments>  \
  cudaError_t name(TArguments &&...) \
  {                                  \
    return cudaErrorNoDevice;        \
  }

CUDAFILTERS_NO_DEVICE(cudaDeviceGetAttribute)
CUDAFILTERS_NO_DEVICE(cudaDeviceSynchronize)
CUDAFILTERS_NO_DEVICE(cudaDriverGetVersion)
CUDAFILTERS_NO_DEVICE(cudaEventCreateWithFlags)
CUDAFILTERS_NO_DEVICE(cudaEventDestroy)
CUDAFILTERS_NO_DEVICE(cudaEventElapsedTime)
CUDAFILTERS_NO_DEVICE(cudaEventRecord)
CUDAFILTERS_NO_DEVICE(cudaEventSynchronize)
CUDAFILTERS_NO_DEVICE(cudaFree)
CUDAFILTERS_NO_DEVICE(cudaFreeAsync)
CUDAFILTERS_NO_DEVICE(cudaFuncGetAttributes)
CUDAFILTERS_NO_DEVICE(cudaPointerGetAttributes)
CUDAFILTERS_NO_DEVICE(cudaFuncSetAttribute)
CUDAFILTERS_NO_DEVICE(cudaGetDevice)
CUDAFILTERS_NO_DEVICE(cudaGetDeviceCount)
CUDAFILTERS_NO_DEVICE(cudaGetDeviceProperties)
CUDAFILTERS_NO_DEVICE(cudaGetDriverEntryPointByVersion)
CUDAFILTERS_NO_DEVICE(cudaGetLastError)
CUDAFILTERS_NO_DEVICE(cudaHostRegister)
CUDAFILTERS_NO_DEVICE(cudaHostUnregister)
CUDAFILTERS_NO_DEVICE(cudaMalloc)
CUDAFILTERS_NO_DEVICE(cudaMallocFromPoolAsync)
CUDAFILTERS_NO_DEVICE(cudaMallocHost)
CUDAFILTERS_NO_DEVICE(cudaMemGetInfo)
CUDAFILTERS_NO_DEVICE(cudaMemPoolCreate)
CUDAFILTERS_NO_DEVICE(cudaMemPoolGetAttribute)
CUDAFILTERS_NO_DEVICE(cudaMemPoolSetAttribute)
CUDAFILTERS_NO_DEVICE(cudaMemPoolTrimTo)
CUDAFILTERS_NO_DEVICE(cudaMemcpy3DAsync)
CUDAFILTERS_NO_DEVICE(cudaMemcpyAsync)
CUDAFILTERS_NO_DEVICE(cudaMemsetAsync)
CUDAFILTERS_NO_DEVICE(cudaStreamCreateWithFlags)
CUDAFILTERS_NO_DEVICE(cudaStreamSynchronize)
CUDAFILTERS_NO_DEVICE(cudaStreamWaitEvent)

#undef CUDAFILTERS_NO_DEVICE

#endif
