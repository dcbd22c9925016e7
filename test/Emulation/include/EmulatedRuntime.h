// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkEmulatedRuntime_h
#define itkEmulatedRuntime_h

// The emulated device behind the emulated cuda_runtime.h, and what tests may ask of it.

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
  cudaErrorInvalidConfiguration = 9,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorNoKernelImageForDevice = 209,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchFailure = 719
};

namespace Emulation
{
/** How the devices behave. From the environment at first: CUDAFILTERS_EMULATED_DEVICES (default 3),
 * CUDAFILTERS_EMULATED_SEED (default 1). */
struct Settings
{
  int           NumberOfDevices;
  std::uint64_t Seed;
  /** Memory of each device. */
  std::size_t DeviceBytes = std::size_t(1) << 30;
  /** Memory whose pages can be locked. */
  std::size_t PageLockableBytes = std::size_t(1) << 30;
  /** Blocks that run at the same time. */
  unsigned int ResidentBlocks = 2;
  /** Whether devices have stream-ordered memory pools. */
  bool HasMemoryPools = true;
};

/** May be changed while no device works; the number of devices only before the first call. */
Settings &
GetSettings();

/** The next call of the named function, after so many that go well, fails with the given error. */
void
PlanFailure(const std::string & function, cudaError_t error, unsigned int after = 0);

/** The error planned for this call of a function, or cudaSuccess. */
cudaError_t
TakePlannedFailure(const char * function);

/** Why the last kernel failed, in words. */
std::string
GetLastFailure();

/** A failed kernel leaves its device failing for good, as the real one; this mends all. */
void
RepairDevices();

/** Counts since the program started: fibers that were switched to, and kernels that ran. */
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

/** Runs a kernel: all threads of all blocks, in an order drawn from the seed. Returns an error where threads wait for
 * each other for ever. */
cudaError_t
RunKernel(const Launch & launch, const std::function<void()> & kernel, std::string & failure);

cudaError_t
EnqueueKernel(const Launch & launch, CUstream_st * stream, std::function<void()> kernel);
} // namespace Emulation

#endif
