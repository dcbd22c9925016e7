// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersSeparableConvolution_cuh
#define itkCudaFiltersSeparableConvolution_cuh

#include <cstdint>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** The next term of a sum of products. In double precision nothing is contracted, so that the sum is the one that the
 * CPU finds. */
__device__ inline float
AddProduct(float sum, float weight, float value)
{
  return fmaf(weight, value, sum);
}

__device__ inline double
AddProduct(double sum, double weight, double value)
{
  return __dadd_rn(sum, __dmul_rn(weight, value));
}

/** A sum as a pixel: integers are cut off towards zero, and those too large for the type, but not for an int, wrap
 * around, as with the compilers of x86 processors. */
template <typename TPixel, typename TReal>
__device__ inline TPixel
ToPixel(TReal value)
{
  if constexpr (std::is_integral<TPixel>::value)
  {
    return static_cast<TPixel>(static_cast<int>(value));
  }
  else
  {
    return static_cast<TPixel>(value);
  }
}

/** One pass along one axis. */
struct AxisPass
{
  std::int64_t InputSize[3];
  std::int64_t OutputSize[3];
  std::int64_t Start[3]; // of the first output pixel in the input
  int          Axis;
  int          Radius;
};

/** Weights that travel as an argument of the kernel. */
template <typename TReal>
struct WeightsByValue
{
  static constexpr int Capacity = 256;
  TReal                Values[Capacity];
};

/** Puts weights into device memory: one thread a weight. Spares the host a copy from memory that would have to wait
 * for it. */
template <typename TReal>
__global__ void
StoreWeightsKernel(WeightsByValue<TReal> weights, int count, TReal * destination)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
  {
    destination[i] = weights.Values[i];
  }
}

/** Convolves along one axis. Each thread computes the pixels of one column x in every (grid height)-th row, where the
 * rows of all slices count on; threads of a warp lie next to each other in x, so that their loads are coalesced
 * whichever the axis. No shared memory: neighbouring loads meet in the first-level cache. */
template <typename TReal, typename TInput, typename TOutput>
__global__ void
ConvolveAxisKernel(AxisPass pass, const TReal * weights, const TInput * input, TOutput * output)
{
  const std::int64_t x = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (x >= pass.OutputSize[0])
  {
    return;
  }
  const std::int64_t rows = pass.OutputSize[1] * pass.OutputSize[2];
  const std::int64_t rowsAtATime = static_cast<std::int64_t>(gridDim.y) * blockDim.y;
  const std::int64_t length = pass.InputSize[pass.Axis];
  const std::int64_t stride =
    pass.Axis == 0 ? 1 : (pass.Axis == 1 ? pass.InputSize[0] : pass.InputSize[0] * pass.InputSize[1]);

  for (std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y; row < rows;
       row += rowsAtATime)
  {
    const std::int64_t position[3] = { x + pass.Start[0],
                                       row % pass.OutputSize[1] + pass.Start[1],
                                       row / pass.OutputSize[1] + pass.Start[2] };
    const std::int64_t along = position[pass.Axis];
    const TInput * center = input + (position[2] * pass.InputSize[1] + position[1]) * pass.InputSize[0] + position[0];

    TReal sum = 0;
    if (along >= pass.Radius && along + pass.Radius < length)
    {
      const TInput * pixel = center - pass.Radius * stride;
      for (int k = 0; k <= 2 * pass.Radius; ++k, pixel += stride)
      {
        sum = AddProduct(sum, weights[k], static_cast<TReal>(*pixel));
      }
    }
    else
    {
      for (int k = 0; k <= 2 * pass.Radius; ++k)
      {
        std::int64_t neighbor = along + k - pass.Radius;
        neighbor = neighbor < 0 ? 0 : (neighbor < length ? neighbor : length - 1);
        sum = AddProduct(sum, weights[k], static_cast<TReal>(center[(neighbor - along) * stride]));
      }
    }
    output[row * pass.OutputSize[0] + x] = ToPixel<TOutput>(sum);
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
