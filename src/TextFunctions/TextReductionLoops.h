// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// The end of programs that reduce pixels to one value. ComputeTextPixel(), CombineText(), and the constants of
// ReductionTree.h, whose order of combination this is, have been defined. Values are double numbers.

/** The value of a pixel, or a value that has been computed before, by its number. */
TEXT_FUNCTION double
GetTextValue(const TextArguments & arguments, long long number)
{
  if (arguments.Values != 0)
  {
    return arguments.Values[number];
  }
  if (arguments.Size[1] == 1 && arguments.Size[2] == 1)
  {
    return ComputeTextPixel(arguments, number, 0, 0);
  }
  const long long row = number / arguments.Size[0];
  return ComputeTextPixel(
    arguments, number - row * arguments.Size[0], row % arguments.Size[1], row / arguments.Size[1]);
}

TEXT_FUNCTION double
CombineTextSums(const TextArguments & arguments, const double * sums)
{
  return CombineText(arguments, CombineText(arguments, sums[0], sums[1]), CombineText(arguments, sums[2], sums[3]));
}

/** Combines values[i] with values[i + distance], for distances of number / 2 down to 1. The result is the first. */
TEXT_FUNCTION void
CombineTextPairs(const TextArguments & arguments, double * values, int number)
{
  for (int distance = number / 2; distance > 0; distance /= 2)
  {
    for (int i = 0; i < distance; ++i)
    {
      values[i] = CombineText(arguments, values[i], values[i + distance]);
    }
  }
}

#if defined(__CUDACC_RTC__)
/** One block reduces one leaf at a time. */
extern "C" __global__ void
__launch_bounds__(LeafThreads) CudaFiltersText(const TextArguments arguments)
{
  __shared__ double ofWarps[2][LeafThreads / 32];
  int               turn = 0;
  for (long long leaf = blockIdx.x; leaf < arguments.NumberOfLeaves; leaf += gridDim.x, turn ^= 1)
  {
    const long long first =
      (arguments.FirstLeaf + leaf) * (LeafPack * LeafThreads * LeafRounds) + threadIdx.x * LeafPack;
    double sums[LeafPack];
    for (int j = 0; j < LeafPack; ++j)
    {
      sums[j] = arguments.Identity;
    }
#  pragma unroll
    for (int k = 0; k < LeafRounds; ++k)
    {
#  pragma unroll
      for (int j = 0; j < LeafPack; ++j)
      {
        const long long number = first + k * (LeafPack * LeafThreads) + j;
        if (number < arguments.Count)
        {
          sums[j] = CombineText(arguments, sums[j], GetTextValue(arguments, number));
        }
      }
    }
    double value = CombineTextSums(arguments, sums);
#  pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
    {
      value = CombineText(arguments, value, __shfl_down_sync(0xffffffffu, value, distance));
    }
    if (threadIdx.x % 32 == 0)
    {
      ofWarps[turn][threadIdx.x / 32] = value;
    }
    __syncthreads();
    if (threadIdx.x == 0)
    {
      CombineTextPairs(arguments, ofWarps[turn], LeafThreads / 32);
      static_cast<double *>(arguments.Output)[leaf] = ofWarps[turn][0];
    }
  }
}
#else
/** Reduces some of the leaves. */
extern "C" TEXT_EXPORT void
CudaFiltersText(const TextArguments * arguments, long long firstLeaf, long long endLeaf)
{
  const long long round = LeafPack * LeafThreads;
  for (long long leaf = firstLeaf; leaf < endLeaf; ++leaf)
  {
    const long long first = (arguments->FirstLeaf + leaf) * (round * LeafRounds);
    const long long rest = arguments->Count - first;
    const long long count = rest < round * LeafRounds ? rest : round * LeafRounds;
    double          sums[LeafPack * LeafThreads];
    for (long long i = 0; i < round; ++i)
    {
      sums[i] = arguments->Identity;
    }
    for (long long i = 0; i < count; ++i)
    {
      sums[i % round] = CombineText(*arguments, sums[i % round], GetTextValue(*arguments, first + i));
    }
    double ofWarps[LeafThreads / 32];
    for (int warp = 0; warp < LeafThreads / 32; ++warp)
    {
      double ofThreads[32];
      for (int lane = 0; lane < 32; ++lane)
      {
        ofThreads[lane] = CombineTextSums(*arguments, sums + (warp * 32 + lane) * LeafPack);
      }
      CombineTextPairs(*arguments, ofThreads, 32);
      ofWarps[warp] = ofThreads[0];
    }
    CombineTextPairs(*arguments, ofWarps, LeafThreads / 32);
    static_cast<double *>(arguments->Output)[leaf] = ofWarps[0];
  }
}
#endif
