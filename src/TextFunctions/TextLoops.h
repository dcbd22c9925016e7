// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// The end of all programs that are made from texts. ComputeTextPixel() has been defined.

TEXT_FUNCTION void
StoreTextPixel(const TextArguments & arguments, long long x, long long y, long long z)
{
  static_cast<OutputPixel *>(arguments.Output)[z * arguments.OutputStrides[1] + y * arguments.OutputStrides[0] + x] =
    ComputeTextPixel(arguments, x, y, z);
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
#  pragma unroll
      for (int i = 0; i < 4; ++i)
      {
        const long long x = first + i * static_cast<int>(blockDim.x);
        if (x < arguments.Size[0])
        {
          StoreTextPixel(arguments, x, y, z);
        }
      }
    }
  }
}
#else
/** Computes some of the rows, which are counted through all slices. */
extern "C"
#  if defined(_WIN32)
  __declspec(dllexport)
#  endif
    void CudaFiltersText(const TextArguments * arguments, long long firstRow, long long endRow)
{
  for (long long row = firstRow; row < endRow; ++row)
  {
    const long long z = row / arguments->Size[1];
    const long long y = row % arguments->Size[1];
    for (long long x = 0; x < arguments->Size[0]; ++x)
    {
      StoreTextPixel(*arguments, x, y, z);
    }
  }
}
#endif
