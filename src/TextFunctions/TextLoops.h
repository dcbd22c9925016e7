// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// The end of programs that compute an image. ComputeTextPixel() has been defined.

TEXT_FUNCTION OutputPixel *
GetTextRow(const TextArguments & arguments, long long y, long long z)
{
  return static_cast<OutputPixel *>(arguments.Output) + z * arguments.OutputStrides[1] + y * arguments.OutputStrides[0];
}

#if defined(__CUDACC_RTC__)
/** One thread computes four pixels of a row, blockDim.x apart. */
extern "C" __global__ void
CudaFiltersText(const TextArguments arguments)
{
  const long long first = static_cast<long long>(blockIdx.x) * (4 * blockDim.x) + threadIdx.x;
  for (long long z = blockIdx.z; z < arguments.Size[2]; z += gridDim.z)
  {
    for (long long y = blockIdx.y; y < arguments.Size[1]; y += gridDim.y)
    {
      // All pixels are loaded before any is stored.
      OutputPixel results[4];
#  pragma unroll
      for (int i = 0; i < 4; ++i)
      {
        const long long x = first + i * static_cast<int>(blockDim.x);
        if (x < arguments.Size[0])
        {
          results[i] = ComputeTextPixel(arguments, x, y, z);
        }
      }
      OutputPixel * const row = GetTextRow(arguments, y, z);
#  pragma unroll
      for (int i = 0; i < 4; ++i)
      {
        const long long x = first + i * static_cast<int>(blockDim.x);
        if (x < arguments.Size[0])
        {
          row[x] = results[i];
        }
      }
    }
  }
}
#else
/** Computes some of the rows, which are counted through all slices. */
extern "C" TEXT_EXPORT void
CudaFiltersText(const TextArguments * arguments, long long firstRow, long long endRow)
{
  for (long long row = firstRow; row < endRow; ++row)
  {
    const long long     z = row / arguments->Size[1];
    const long long     y = row % arguments->Size[1];
    OutputPixel * const output = GetTextRow(*arguments, y, z);
    for (long long x = 0; x < arguments->Size[0]; ++x)
    {
      output[x] = ComputeTextPixel(*arguments, x, y, z);
    }
  }
}
#endif
