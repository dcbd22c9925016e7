// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CopyNumbers.h"
#include "ForEachIndex.cuh"
#include "Launch.h"

namespace itk
{
namespace CudaFilters
{
namespace
{
__global__ void
CopyNumbersKernel(const std::int64_t * from, std::int64_t count, std::int64_t * to)
{
  ForEachIndex(count, [&](std::int64_t i) { to[i] = from[i]; });
}
} // namespace

void
CopyNumbers(const Execution & execution, const std::int64_t * from, std::int64_t count, std::int64_t * to)
{
  constexpr unsigned int threads = 512;
  Launch(execution,
         "CopyNumbersKernel",
         CopyNumbersKernel,
         { GridOf(DivideUp(count, threads)), dim3(threads) },
         from,
         count,
         to);
}
} // namespace CudaFilters
} // namespace itk
