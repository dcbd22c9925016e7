// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Tests of the emulated device: it must behave like a GPU, and detect errors that occur on one.

#include "Device/Launch.h"
#include "EmulatedRuntime.h"
#include "CudaFilters/DeviceError.h"
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

namespace
{
using itk::CudaFilters::DeviceError;
using itk::CudaFilters::Execution;

/** Skips the test if the emulation has no devices, and restores the settings. */
class EmulatedDevice : public ::testing::Test
{
protected:
  void
  SetUp() override
  {
    if (Emulation::GetSettings().NumberOfDevices == 0)
    {
      GTEST_SKIP() << "no emulated device was asked for";
    }
  }
  void
  TearDown() override
  {
    Emulation::GetSettings() = m_Former;
    Emulation::RepairDevices();
  }

  /** Runs a kernel on the values and returns the modified values. */
  template <typename TValue, typename... TParameters, typename... TArguments>
  static std::vector<TValue>
  Run(void (*kernel)(TParameters...), dim3 grid, dim3 block, std::vector<TValue> values, TArguments... arguments)
  {
    const Execution   execution(0, {});
    const std::size_t bytes = values.size() * sizeof(TValue);
    const auto        buffer = execution.Allocate(bytes);
    auto * const      pointer = static_cast<TValue *>(buffer->GetPointer());
    cudaStream_t      stream = execution.GetStream()->GetHandle();
    cudaMemcpyAsync(pointer, values.data(), bytes, cudaMemcpyHostToDevice, stream);
    execution.GetStream()->Synchronize(); // the launch may throw, which destroys the values
    itk::CudaFilters::Launch(execution, "TestKernel", kernel, { grid, block, 256 }, pointer, arguments...);
    cudaMemcpyAsync(values.data(), pointer, bytes, cudaMemcpyDeviceToHost, stream);
    execution.GetStream()->Synchronize();
    return values;
  }

  /** Runs a test with several orders of threads and blocks. */
  template <typename TBody>
  static void
  ForSeveralSeeds(TBody body)
  {
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
    {
      SCOPED_TRACE(seed);
      Emulation::GetSettings().Seed = seed;
      body();
    }
  }

private:
  Emulation::Settings m_Former = Emulation::GetSettings();
};

std::vector<int>
MakeNumbers(int count)
{
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

void
IndexKernel(int * values)
{
  const unsigned int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  values[block * blockDim.x * blockDim.y * blockDim.z + thread] += 1000;
}

/** Reverses the values of a block through shared memory; with or without the barrier that this needs. */
template <bool VHasBarrier>
void
ReverseKernel(int * values)
{
  CUDAFILTERS_SHARED(int, tile, [128]);
  const unsigned int i = threadIdx.x;
  tile[i] = values[blockIdx.x * 128 + i];
  if constexpr (VHasBarrier)
  {
    __syncthreads();
  }
  values[blockIdx.x * 128 + i] = tile[127 - i];
}

/** Reverses the values of each team of 64 threads through shared memory. The second team has more barriers. */
void
ReverseTeamsKernel(int * values)
{
  CUDAFILTERS_SHARED(int, tile, [128]);
  const unsigned int i = threadIdx.x;
  const unsigned int team = i / 64;
  for (unsigned int times = 0; times <= 2 * team; ++times)
  {
    tile[i] = values[i];
    __barrier_sync_count(team + 1, 64);
    values[i] = tile[team * 64 + 63 - i % 64];
    __barrier_sync_count(team + 1, 64);
  }
}

/** The sum of a block's values by a tree reduction in dynamic shared memory; threads without work return early. */
void
SumKernel(int * values)
{
  CUDAFILTERS_DYNAMIC_SHARED(int, partial);
  const unsigned int i = threadIdx.x;
  partial[i] = values[i];
  __syncthreads();
  for (unsigned int half = blockDim.x / 2; half > 0; half /= 2)
  {
    if (i >= half)
    {
      return;
    }
    partial[i] += partial[i + half];
    __syncthreads();
  }
  values[0] = partial[0];
}

void
WarpKernel(int * values)
{
  const unsigned int all = 0xffffffffu;
  const int          lane = static_cast<int>(threadIdx.x % 32);
  int *              mine = values + (blockIdx.x * blockDim.x + threadIdx.x) * 12;
  int                sum = lane;
  for (int delta = 16; delta > 0; delta /= 2)
  {
    sum += __shfl_down_sync(all, sum, delta);
  }
  mine[0] = __shfl_sync(all, sum, 0);
  mine[1] = __shfl_up_sync(all, lane, 1);
  mine[2] = __shfl_xor_sync(all, lane, 5);
  mine[3] = static_cast<int>(__ballot_sync(all, lane % 3 == 0));
  mine[4] = __any_sync(all, lane == 31);
  mine[5] = __all_sync(all, lane < 31);
  mine[6] = __reduce_max_sync(all, (lane * 7) % 32);
  mine[7] = static_cast<int>(__match_any_sync(all, lane / 8));
  mine[8] = __shfl_sync(all, lane, 3, 8);
  // Two groups of lanes that diverge.
  if (lane < 20)
  {
    mine[9] = __reduce_add_sync(0x000fffffu, 1);
  }
  else
  {
    mine[9] = __reduce_add_sync(0xfff00000u, 1);
  }
  __syncwarp();
  mine[10] = __shfl_sync(all, static_cast<int>(1e6f * 0.5f), 9);
  mine[11] = __popc(__ballot_sync(all, true));
}

void
CountKernel(int * counters)
{
  atomicAdd(&counters[0], 1);
  atomicMax(&counters[1], static_cast<int>(threadIdx.x));
  atomicMin(&counters[2], -static_cast<int>(blockIdx.x));
  atomicOr(&counters[3], 1 << (threadIdx.x % 8));
  int former = counters[4];
  int seen;
  do
  {
    seen = former;
    former = atomicCAS(&counters[4], seen, seen + 2);
  } while (former != seen);
}

/** A counter without atomics: concurrent threads lose counts. */
void
LoseCountsKernel(int * counter)
{
  const int seen = *counter;
  __threadfence();
  *counter = seen + 1;
}

/** One block waits for another one: both must be resident. */
void
HandOverKernel(int * flags)
{
  if (blockIdx.x == 0)
  {
    while (atomicAdd(&flags[0], 0) == 0)
    {
      __nanosleep(100);
    }
    flags[1] = 7;
  }
  else
  {
    atomicExch(&flags[0], 1);
  }
}

void
DivergentKernel(int *)
{
  if (threadIdx.x % 2 == 0)
  {
    __syncthreads();
  }
  else
  {
    __syncwarp();
  }
}

void
OutOfBoundsKernel(int * values)
{
  values[threadIdx.x] = 1;
}

void
SharedOutOfBoundsKernel(int * values)
{
  CUDAFILTERS_SHARED(int, tile, [32]);
  tile[threadIdx.x + 1] = 1;
  values[threadIdx.x] = tile[threadIdx.x];
}
} // namespace

TEST_F(EmulatedDevice, EveryThreadOfEveryBlockRunsOnce)
{
  ForSeveralSeeds([] {
    const auto result = Run(IndexKernel, dim3(3, 2, 2), dim3(8, 3, 2), MakeNumbers(12 * 48));
    for (int i = 0; i < 12 * 48; ++i)
    {
      ASSERT_EQ(result[i], i + 1000);
    }
  });
}

TEST_F(EmulatedDevice, BarrierAndSharedMemory)
{
  ForSeveralSeeds([] {
    const auto result = Run(ReverseKernel<true>, dim3(4), dim3(128), MakeNumbers(512));
    for (int i = 0; i < 512; ++i)
    {
      ASSERT_EQ(result[i], i / 128 * 128 + 127 - i % 128);
    }
    EXPECT_EQ(Run(SumKernel, dim3(1), dim3(64), MakeNumbers(64))[0], 64 * 63 / 2);
  });
}

TEST_F(EmulatedDevice, ShuffledOrderFindsAMissingBarrier)
{
  // Every seed must reveal it: half of the threads read before the other half has written.
  ForSeveralSeeds([] {
    const auto right = Run(ReverseKernel<true>, dim3(4), dim3(128), MakeNumbers(512));
    const auto wrong = Run(ReverseKernel<false>, dim3(4), dim3(128), MakeNumbers(512));
    EXPECT_NE(right, wrong);
  });
}

TEST_F(EmulatedDevice, ShuffledOrderFindsAMissingAtomic)
{
  ForSeveralSeeds([] { EXPECT_LT(Run(LoseCountsKernel, dim3(4), dim3(64), std::vector<int>{ 0 })[0], 256); });
}

TEST_F(EmulatedDevice, WarpFunctions)
{
  ForSeveralSeeds([] {
    const auto result = Run(WarpKernel, dim3(2), dim3(64), std::vector<int>(128 * 12));
    for (int thread = 0; thread < 128; ++thread)
    {
      const int * const mine = result.data() + thread * 12;
      const int         lane = thread % 32;
      EXPECT_EQ(mine[0], 31 * 32 / 2);
      EXPECT_EQ(mine[1], lane == 0 ? 0 : lane - 1);
      EXPECT_EQ(mine[2], lane ^ 5);
      EXPECT_EQ(static_cast<unsigned int>(mine[3]), 0x49249249u);
      EXPECT_EQ(mine[4], 1);
      EXPECT_EQ(mine[5], 0);
      EXPECT_EQ(mine[6], 31);
      EXPECT_EQ(static_cast<unsigned int>(mine[7]), 0xffu << (lane / 8 * 8));
      EXPECT_EQ(mine[8], lane / 8 * 8 + 3);
      EXPECT_EQ(mine[9], lane < 20 ? 20 : 12);
      EXPECT_EQ(mine[10], 500000);
      EXPECT_EQ(mine[11], 32);
    }
  });
}

TEST_F(EmulatedDevice, Atomics)
{
  ForSeveralSeeds([] {
    const auto result = Run(CountKernel, dim3(5), dim3(96), std::vector<int>(5));
    EXPECT_EQ(result, (std::vector<int>{ 480, 95, -4, 255, 960 }));
  });
}

TEST_F(EmulatedDevice, BlocksOnTheDeviceAtOnceCanWaitForEachOther)
{
  ForSeveralSeeds([] { EXPECT_EQ(Run(HandOverKernel, dim3(2), dim3(1), std::vector<int>(2))[1], 7); });
}

TEST_F(EmulatedDevice, KernelWithoutBarriersIsALoop)
{
  const auto before = Emulation::GetStatistics().Switches;
  Run(IndexKernel, dim3(12), dim3(48), MakeNumbers(12 * 48));
  EXPECT_LE(Emulation::GetStatistics().Switches - before, 3u);
}

TEST_F(EmulatedDevice, TeamsHaveTheirOwnBarriers)
{
  ForSeveralSeeds([] {
    const auto values = Run(ReverseTeamsKernel, dim3(1), dim3(128), MakeNumbers(128));
    for (int i = 0; i < 128; ++i)
    {
      EXPECT_EQ(values[i], MakeNumbers(128)[i / 64 * 64 + 63 - i % 64]);
    }
  });
}

TEST_F(EmulatedDevice, ThreadsThatWaitForEverAreFound)
{
  try
  {
    Run(DivergentKernel, dim3(1), dim3(64), MakeNumbers(64));
    FAIL() << "no error";
  }
  catch (const DeviceError & error)
  {
    EXPECT_NE(std::string(error.what()).find("cudaErrorLaunchFailure"), std::string::npos) << error.what();
  }
  EXPECT_NE(Emulation::GetLastFailure().find("32 wait at __syncthreads()"), std::string::npos)
    << Emulation::GetLastFailure();
  // As on a real device, all later calls fail.
  EXPECT_THROW(Run(IndexKernel, dim3(1), dim3(8), MakeNumbers(8)), DeviceError);
  Emulation::RepairDevices();
  EXPECT_EQ(Run(IndexKernel, dim3(1), dim3(8), MakeNumbers(8))[7], 1007);
}

#if defined(__SANITIZE_ADDRESS__)
using EmulatedDeviceDeathTest = EmulatedDevice;

TEST_F(EmulatedDeviceDeathTest, OutOfBoundsAccessIsCaught)
{
  EXPECT_DEATH(Run(OutOfBoundsKernel, dim3(1), dim3(64), MakeNumbers(63)), "AddressSanitizer");
  EXPECT_DEATH(Run(SharedOutOfBoundsKernel, dim3(1), dim3(32), MakeNumbers(32)), "AddressSanitizer");
}

TEST_F(EmulatedDeviceDeathTest, HostCannotTouchDeviceMemory)
{
  const auto touch = [] {
    const Execution execution(0, {});
    const auto      buffer = execution.Allocate(64);
    *static_cast<volatile char *>(buffer->GetPointer()) = 1;
  };
  EXPECT_DEATH(touch(), "AddressSanitizer");
}

TEST_F(EmulatedDeviceDeathTest, KernelCannotTouchAnotherDevicesMemory)
{
  if (Emulation::GetSettings().NumberOfDevices < 2)
  {
    GTEST_SKIP() << "needs two devices";
  }
  const auto touch = [] {
    const Execution first(0, {});
    const auto      buffer = first.Allocate(64 * sizeof(int));
    const Execution second(1, {});
    itk::CudaFilters::Launch(
      second, "OutOfBoundsKernel", OutOfBoundsKernel, { dim3(1), dim3(64) }, static_cast<int *>(buffer->GetPointer()));
    second.GetStream()->Synchronize();
  };
  EXPECT_DEATH(touch(), "AddressSanitizer");
}
#endif

TEST_F(EmulatedDevice, WorkWaitsUntilSomebodyWaitsForIt)
{
  // A host that does not wait reads stale values, at least with some seeds, as on a real device.
  unsigned int tooEarly = 0;
  ForSeveralSeeds([&tooEarly] {
    const Execution  execution(0, {});
    const auto       buffer = execution.Allocate(8 * sizeof(int));
    auto * const     pointer = static_cast<int *>(buffer->GetPointer());
    std::vector<int> values(8, -1);
    cudaStream_t     stream = execution.GetStream()->GetHandle();
    cudaMemsetAsync(pointer, 0, 8 * sizeof(int), stream);
    cudaMemcpyAsync(values.data(), pointer, 8 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    tooEarly += values[0] == -1 ? 1 : 0;
    execution.GetStream()->Synchronize();
    EXPECT_EQ(values[0], 0);
  });
  EXPECT_GT(tooEarly, 0u);
}

TEST_F(EmulatedDevice, StreamsOfTwoThreadsAreOrderedByTheBuffer)
{
  const Execution execution(0, {});
  for (int round = 0; round < 50; ++round)
  {
    const auto   buffer = execution.Allocate(16 * sizeof(int));
    auto * const pointer = static_cast<int *>(buffer->GetPointer());
    buffer->BeginWrite(*execution.GetStream());
    cudaMemsetAsync(pointer, 0, 16 * sizeof(int), execution.GetStream()->GetHandle());
    buffer->EndWrite(execution.GetStream());

    std::vector<int> values(16, -1);
    std::thread([&] {
      const Execution other(0, {});
      ASSERT_NE(other.GetStream(), execution.GetStream());
      buffer->BeginWrite(*other.GetStream());
      itk::CudaFilters::Launch(other, "IndexKernel", IndexKernel, { dim3(1), dim3(16) }, pointer);
      buffer->EndWrite(other.GetStream());
    }).join();

    buffer->BeginRead(*execution.GetStream());
    cudaMemcpyAsync(
      values.data(), pointer, 16 * sizeof(int), cudaMemcpyDeviceToHost, execution.GetStream()->GetHandle());
    buffer->EndRead(execution.GetStream());
    execution.GetStream()->Synchronize();
    ASSERT_EQ(values[15], 1000);
  }
}

TEST_F(EmulatedDevice, SeveralDevicesHaveMemoryOfTheirOwn)
{
  const int count = Emulation::GetSettings().NumberOfDevices;
  for (int device = 0; device < count; ++device)
  {
    const Execution execution(device, {});
    int             current = -1;
    cudaGetDevice(&current);
    EXPECT_EQ(current, device);
    const auto       buffer = execution.Allocate(8 * sizeof(int));
    auto * const     pointer = static_cast<int *>(buffer->GetPointer());
    std::vector<int> values = MakeNumbers(8);
    cudaStream_t     stream = execution.GetStream()->GetHandle();
    ASSERT_EQ(cudaMemcpyAsync(pointer, values.data(), 32, cudaMemcpyHostToDevice, stream), cudaSuccess);
    itk::CudaFilters::Launch(execution, "IndexKernel", IndexKernel, { dim3(1), dim3(8) }, pointer);
    ASSERT_EQ(cudaMemcpyAsync(values.data(), pointer, 32, cudaMemcpyDeviceToHost, stream), cudaSuccess);
    execution.GetStream()->Synchronize();
    EXPECT_EQ(values[7], 1007);
  }
  int current = -1;
  cudaGetDevice(&current);
  EXPECT_EQ(current, 0);
}

TEST_F(EmulatedDevice, CopiesCheckWhereTheirEndsAre)
{
  const Execution execution(0, {});
  const auto      buffer = execution.Allocate(32);
  char            host[64] = {};
  cudaStream_t    stream = execution.GetStream()->GetHandle();
  EXPECT_EQ(cudaMemcpyAsync(host, buffer->GetPointer(), 32, cudaMemcpyHostToDevice, stream), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyAsync(buffer->GetPointer(), host, 33, cudaMemcpyHostToDevice, stream), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(buffer->GetPointer(), host, 32, cudaMemcpyHostToDevice, stream), cudaSuccess);
  execution.GetStream()->Synchronize();
}

TEST_F(EmulatedDevice, ImpossibleLaunchesAreRefused)
{
  EXPECT_THROW(Run(IndexKernel, dim3(1), dim3(1025), MakeNumbers(8)), DeviceError);
  EXPECT_THROW(Run(IndexKernel, dim3(1, 65536), dim3(1), MakeNumbers(8)), DeviceError);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "no error is left for the next call";
  // An empty grid is no work, and no error.
  EXPECT_EQ(Run(IndexKernel, dim3(0), dim3(8), MakeNumbers(8)), MakeNumbers(8));
}
