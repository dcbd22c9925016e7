// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Sum.h"
#include "Launch.h"
#if defined(__CUDACC__)
#  include <cub/device/device_scan.cuh>
#  include <thrust/iterator/counting_iterator.h>
#  include <thrust/iterator/transform_iterator.h>
#endif

namespace itk
{
namespace CudaFilters
{
#if defined(__CUDACC__)
namespace
{
/** Reads the numbers, and 0 behind the last one, whose sum is then that of all. */
struct NumberOrZero
{
  const std::uint64_t * Numbers;
  std::int64_t          Count;

  __device__ std::uint64_t
             operator()(std::int64_t i) const
  {
    return i < this->Count ? this->Numbers[i] : 0;
  }
};

auto
MakeNumbers(const std::uint64_t * numbers, std::int64_t count)
{
  return thrust::make_transform_iterator(thrust::make_counting_iterator<std::int64_t>(0),
                                         NumberOrZero{ numbers, count });
}
} // namespace

std::size_t
GetSumScratchBytes(std::int64_t count)
{
  std::size_t           bytes = 0;
  std::uint64_t * const none = nullptr;
  Check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, MakeNumbers(none, count), none, count + 1),
        "Asking for the memory of sums");
  return bytes;
}

void
SumBefore(const Execution & execution, std::uint64_t * numbers, std::int64_t count)
{
  std::size_t         bytes = GetSumScratchBytes(count);
  const ScratchMemory scratch(execution, bytes);
  Check(cub::DeviceScan::ExclusiveSum(scratch.GetPointer(),
                                      bytes,
                                      MakeNumbers(numbers, count),
                                      numbers,
                                      count + 1,
                                      static_cast<cudaStream_t>(GetStreamHandle(execution))),
        "Starting sums");
  AfterWork(execution, "Sums");
}
#else
namespace
{
/** The emulated device does without CUB. One thread. */
__global__ void
SumBeforeKernel(std::uint64_t * numbers, std::int64_t count)
{
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i <= count; ++i)
  {
    const std::uint64_t number = i < count ? numbers[i] : 0;
    numbers[i] = sum;
    sum += number;
  }
}
} // namespace

std::size_t
GetSumScratchBytes(std::int64_t)
{
  return 0;
}

void
SumBefore(const Execution & execution, std::uint64_t * numbers, std::int64_t count)
{
  Launch(execution, "SumBeforeKernel", SumBeforeKernel, { dim3(1), dim3(1) }, numbers, count);
}
#endif
} // namespace CudaFilters
} // namespace itk
