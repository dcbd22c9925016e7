// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// The end of programs that add pixels to bins. ComputeTextPixel(), the bin of a pixel, ComputeTextWeight(), its weight,
// and TextSharedBin, the type of a bin in shared memory, have been defined.

#if defined(__CUDACC_RTC__)
/** Each block counts in shared memory, if it got memory for the bins. */
extern "C" __global__ void
CudaFiltersText(const TextArguments arguments)
{
  extern __shared__ TextSharedBin shared[];
  unsigned long long * const      sums = static_cast<unsigned long long *>(arguments.Output);
  if (arguments.HasSharedBins)
  {
    for (long long i = threadIdx.x; i < arguments.NumberOfBins; i += blockDim.x)
    {
      shared[i] = 0;
    }
    __syncthreads();
  }
  // A step is some pixels of a row per thread, which lie blockDim.x apart.
  const int       pixels = 8;
  const long long rowSteps = (arguments.Size[0] + pixels * blockDim.x - 1) / (pixels * blockDim.x);
  const long long steps = rowSteps * arguments.Size[1] * arguments.Size[2];
  for (long long step = blockIdx.x; step < steps; step += gridDim.x)
  {
    const long long row = step / rowSteps;
    const long long y = row % arguments.Size[1];
    const long long z = row / arguments.Size[1];
    const long long first = (step - row * rowSteps) * (pixels * blockDim.x) + threadIdx.x;
    long long       bins[pixels];
    long long       weights[pixels];
#  pragma unroll
    for (int i = 0; i < pixels; ++i)
    {
      const long long x = first + i * static_cast<int>(blockDim.x);
      const bool      exists = x < arguments.Size[0];
      bins[i] = exists ? ComputeTextPixel(arguments, x, y, z).Value : -1;
      weights[i] = exists ? ComputeTextWeight(arguments, x, y, z) : 0;
    }
#  pragma unroll
    for (int i = 0; i < pixels; ++i)
    {
      if (bins[i] >= 0 && bins[i] < arguments.NumberOfBins)
      {
        if (arguments.HasSharedBins)
        {
          atomicAdd(&shared[bins[i]], static_cast<TextSharedBin>(weights[i]));
        }
        else
        {
          atomicAdd(&sums[bins[i]], static_cast<unsigned long long>(weights[i]));
        }
      }
      else if (bins[i] != -1)
      {
        *arguments.BadBin = bins[i];
      }
    }
  }
  if (arguments.HasSharedBins)
  {
    __syncthreads();
    for (long long i = threadIdx.x; i < arguments.NumberOfBins; i += blockDim.x)
    {
      if (shared[i] != 0)
      {
        atomicAdd(&sums[i], static_cast<unsigned long long>(shared[i]));
      }
    }
  }
}
#else
/** Adds the pixels of some of the rows, which are counted through all slices. */
extern "C" TEXT_EXPORT void
CudaFiltersText(const TextArguments * arguments, long long firstRow, long long endRow)
{
  long long * const sums = static_cast<long long *>(arguments->Output);
  for (long long row = firstRow; row < endRow; ++row)
  {
    const long long y = row % arguments->Size[1];
    const long long z = row / arguments->Size[1];
    for (long long x = 0; x < arguments->Size[0]; ++x)
    {
      const long long bin = ComputeTextPixel(*arguments, x, y, z).Value;
      if (bin >= 0 && bin < arguments->NumberOfBins)
      {
        sums[bin] += ComputeTextWeight(*arguments, x, y, z);
      }
      else if (bin != -1)
      {
        *arguments->BadBin = bin;
      }
    }
  }
}
#endif
