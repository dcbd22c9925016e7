// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkEmulatedRuntime_h
#define itkEmulatedRuntime_h

// The emulated device behind the emulated cuda_runtime.h, and its interface for tests.

#include "EmulatedKernel.h"
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

struct CUstream_st;
struct CUevent_st;
struct CUmemPoolHandle_st;

enum cudaError_t
{
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorNoKernelImageForDevice = 209,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorIllegalAddress = 700,
  cudaErrorHostMemoryAlreadyRegistered = 712,
  cudaErrorMisalignedAddress = 716,
  cudaErrorLaunchFailure = 719
};

namespace Emulation
{
/** Settings of the devices. Initialised from the environment: CUDAFILTERS_EMULATED_DEVICES (default 3),
 * CUDAFILTERS_EMULATED_SEED (default 1), CUDAFILTERS_EMULATED_CALLS (default 0). */
struct Settings
{
  int           NumberOfDevices;
  std::uint64_t Seed;
  /** A device is lost after so many calls that use it: launches, copies, allocations and others; 0: it never is. */
  unsigned long CallsUntilLost = 0;
  /** Memory of each device. */
  std::size_t DeviceBytes = std::size_t(1) << 30;
  /** The limit of page-locked host memory. */
  std::size_t PageLockableBytes = std::size_t(1) << 30;
  /** The number of resident blocks. */
  unsigned int ResidentBlocks = 2;
  /** Whether devices have stream-ordered memory pools. */
  bool HasMemoryPools = true;
  /** Called before most calls, outside of the emulator's lock. */
  std::function<void()> BeforeCall = nullptr;
};

/** The shared memory that a block of a kernel may request. */
constexpr std::size_t SharedBytesPerBlock = 48 * 1024;

/** May be changed while no work is pending; the number of devices only before the first call. */
Settings &
GetSettings();

/** Makes one call of the named function fail with the given error, after the given number of successful calls. */
void
PlanFailure(const std::string & function, cudaError_t error, unsigned int after = 0);

/** Whether a device has a context: a program has called cudaSetDevice() for it, or used it. ForgetContexts() makes it
 * as if not. */
bool
HasContext(int device);
void
ForgetContexts();

/** The bytes copied between devices and pageable host memory, which a real device copies slowly. */
std::size_t
GetPageableBytesCopied();

/** The number of kernels that were launched on a device. */
unsigned long
GetNumberOfLaunches(int device);

/** Returns the error planned for this call of a function, or cudaSuccess. */
cudaError_t
TakePlannedFailure(const char * function);

/** Describes why the last failed kernel failed. */
std::string
GetLastFailure();

/** A failed kernel makes all later calls on its device fail, as on a real device. This function repairs all devices,
 * and cancels planned failures. */
void
RepairDevices();

/** Counts since the program started: switches to a fiber, and kernels that ran. */
struct Statistics
{
  std::uint64_t Switches = 0;
  std::uint64_t Kernels = 0;
};
Statistics
GetStatistics();

struct Launch
{
  dim3        Grid;
  dim3        Block;
  std::size_t DynamicSharedBytes;
};

/** Runs all threads of all blocks of a kernel, in a random order that depends on the seed. Returns an error if threads
 * deadlock or throw an exception. */
cudaError_t
RunKernel(const Launch & launch, const std::function<void()> & kernel, std::string & failure);

cudaError_t
EnqueueKernel(const Launch & launch, CUstream_st * stream, std::function<void()> kernel);
} // namespace Emulation

#endif
