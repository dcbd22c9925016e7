// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersCannyEdges_cuh
#define itkCudaFiltersCannyEdges_cuh

#include "../Device/Divide.cuh"
#include "../Stencil/Stencil.cuh"
#include "../ZeroCrossing/ZeroCrossings.cuh"
#include <cmath>
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** Derivatives as itk::CannyEdgeDetectionImageFilter computes them, from three or four pixels. The weights are those of
 * itk::DerivativeOperator, including the zero weight, which matters if a pixel is infinite or NaN. VIsExact: computed
 * in double precision where ITK does so, and in the order of ITK; otherwise in TReal, with differences first. */
template <typename TReal, bool VIsExact>
struct CannyMath
{
  __device__ __forceinline__ static TReal
  First(TReal before, TReal middle, TReal behind)
  {
    if constexpr (VIsExact)
    {
      return static_cast<TReal>(0.0 + 0.5 * static_cast<double>(before) + 0.0 * static_cast<double>(middle) +
                                -0.5 * static_cast<double>(behind));
    }
    else
    {
      return fma(TReal(0), middle, TReal(0.5) * (before - behind));
    }
  }

  __device__ __forceinline__ static TReal
  Second(TReal before, TReal middle, TReal behind)
  {
    if constexpr (VIsExact)
    {
      return static_cast<TReal>(0.0 + static_cast<double>(before) + -2.0 * static_cast<double>(middle) +
                                static_cast<double>(behind));
    }
    else
    {
      return (before - middle) + (behind - middle);
    }
  }

  __device__ __forceinline__ static TReal
  Mixed(TReal beforeBefore, TReal beforeBehind, TReal behindBefore, TReal behindBehind)
  {
    if constexpr (VIsExact)
    {
      return static_cast<TReal>(0.25 * static_cast<double>(beforeBefore) - 0.25 * static_cast<double>(beforeBehind) -
                                0.25 * static_cast<double>(behindBefore) + 0.25 * static_cast<double>(behindBehind));
    }
    else
    {
      return TReal(0.25) * ((beforeBefore - beforeBehind) - (behindBefore - behindBehind));
    }
  }

  /** Returns sum + 2 * a * b * c. */
  __device__ __forceinline__ static TReal
  AddTwice(TReal sum, TReal a, TReal b, TReal c)
  {
    if constexpr (VIsExact)
    {
      return static_cast<TReal>(static_cast<double>(sum) +
                                2.0 * static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c));
    }
    else
    {
      return fma(TReal(2) * a * b, c, sum);
    }
  }

  __device__ __forceinline__ static TReal
  Divide(TReal a, TReal b)
  {
    if constexpr (VIsExact)
    {
      return a / b;
    }
    else
    {
      return __fdividef(a, b);
    }
  }

  /** a must be positive. */
  __device__ __forceinline__ static TReal
  SquareRoot(TReal a)
  {
    if constexpr (VIsExact)
    {
      return static_cast<TReal>(sqrt(static_cast<double>(a)));
    }
    else
    {
      return a * rsqrtf(a);
    }
  }

  __device__ __forceinline__ static TReal
  AddProduct(TReal sum, TReal a, TReal b)
  {
    if constexpr (VIsExact)
    {
      return sum + a * b;
    }
    else
    {
      return fma(a, b, sum);
    }
  }
};

/** A box of pixels that a block holds in shared memory. */
template <typename TReal, int VSizeX, int VSizeY, int VSizeZ>
struct CannyTile
{
  static constexpr int SizeX = VSizeX;
  static constexpr int SizeY = VSizeY;
  static constexpr int Pixels = VSizeX * VSizeY * VSizeZ;

  TReal Values[Pixels];

  __device__ static constexpr int
  GetStride(int axis)
  {
    return axis == 0 ? 1 : (axis == 1 ? VSizeX : VSizeX * VSizeY);
  }
  __device__ static constexpr int
  GetPlace(int x, int y, int z)
  {
    return x + VSizeX * (y + VSizeY * z);
  }
};

/** The box of pixels that one block computes: SizeX by SizeY by SizeZ, in 2-D one slice. Smoothed and Second are the
 * tiles that it needs for this, with margins. Each thread computes a line of pixels along the last axis. The lanes of a
 * warp are adjacent along x, and the warps along y. */
template <int VDimension, typename TReal>
struct CannyShape
{
  static constexpr int SizeX = 32;
  static constexpr int SizeY = VDimension == 2 ? 32 : (sizeof(TReal) == 4 ? 8 : 4);
  static constexpr int SizeZ = VDimension == 2 ? 1 : 8;
  static constexpr int RimZ = VDimension == 2 ? 0 : 1; // unit of the margins along z, which is 1 along the other axes
  static constexpr int Threads = sizeof(TReal) == 4 || VDimension == 2 ? 256 : 128;
  static constexpr int Line = SizeX * SizeY * SizeZ / Threads;

  using Smoothed = CannyTile<TReal, SizeX + 4, SizeY + 4, SizeZ + 4 * RimZ>;
  using Second = CannyTile<TReal, SizeX + 2, SizeY + 2, SizeZ + 2 * RimZ>;
};

/** The gradient at a pixel, and its squared length plus 0.0001, so that it is never zero. */
template <int VDimension, typename TReal>
struct CannyGradient
{
  TReal Along[VDimension];
  TReal SquaredLength;
};

template <int VDimension, typename TReal, bool VIsExact, typename TTile>
__device__ __forceinline__ CannyGradient<VDimension, TReal>
                           GetCannyGradient(const TTile & tile, int place)
{
  using Math = CannyMath<TReal, VIsExact>;
  CannyGradient<VDimension, TReal> gradient;
  gradient.SquaredLength = static_cast<TReal>(0.0001);
#pragma unroll
  for (int axis = 0; axis < VDimension; ++axis)
  {
    const int stride = TTile::GetStride(axis);
    gradient.Along[axis] = Math::First(tile.Values[place - stride], tile.Values[place], tile.Values[place + stride]);
    gradient.SquaredLength = Math::AddProduct(gradient.SquaredLength, gradient.Along[axis], gradient.Along[axis]);
  }
  return gradient;
}

/** The second derivative in the direction of the gradient. */
template <int VDimension, typename TReal, bool VIsExact, typename TTile>
__device__ __forceinline__ TReal
GetSecondDerivative(const TTile & tile, int place, const CannyGradient<VDimension, TReal> & gradient)
{
  using Math = CannyMath<TReal, VIsExact>;

  TReal sum = 0;
#pragma unroll
  for (int i = 0; i < VDimension - 1; ++i)
  {
#pragma unroll
    for (int j = i + 1; j < VDimension; ++j)
    {
      const int   a = TTile::GetStride(i);
      const int   b = TTile::GetStride(j);
      const TReal mixed = Math::Mixed(
        tile.Values[place - a - b], tile.Values[place - a + b], tile.Values[place + a - b], tile.Values[place + a + b]);
      sum = Math::AddTwice(sum, gradient.Along[i], gradient.Along[j], mixed);
    }
  }
#pragma unroll
  for (int i = 0; i < VDimension; ++i)
  {
    const int   stride = TTile::GetStride(i);
    const TReal second = Math::Second(tile.Values[place - stride], tile.Values[place], tile.Values[place + stride]);
    sum = Math::AddProduct(sum, gradient.Along[i] * gradient.Along[i], second);
  }
  return Math::Divide(sum, gradient.SquaredLength);
}

/** Returns the magnitude of the gradient if it is a maximum across the edge: if the second derivative along the
 * gradient changes its sign, and decreases. Returns 0 otherwise, and NaN if the gradient is NaN. */
template <int VDimension, typename TReal, bool VIsExact, typename TSecond>
__device__ __forceinline__ TReal
SuppressNonMaximum(const CannyGradient<VDimension, TReal> & gradient, const TSecond & second, int secondPlace)
{
  using Math = CannyMath<TReal, VIsExact>;
  const TReal length = Math::SquareRoot(gradient.SquaredLength);
  const TReal middle = second.Values[secondPlace];

  TReal third = 0;
  bool  isCrossing = false;
#pragma unroll
  for (int axis = 0; axis < VDimension; ++axis)
  {
    const TReal before = second.Values[secondPlace - TSecond::GetStride(axis)];
    const TReal behind = second.Values[secondPlace + TSecond::GetStride(axis)];
    // Only the sign of the sum is used. Division by the length, which is positive, only changes rounding; ITK does it.
    third = Math::AddProduct(
      third, Math::First(before, middle, behind), VIsExact ? gradient.Along[axis] / length : gradient.Along[axis]);
    isCrossing = isCrossing || IsZeroCrossing(middle, before, false) || IsZeroCrossing(middle, behind, true);
  }
  return (third <= TReal(0) ? TReal(1) : TReal(0)) * length * (isCrossing ? TReal(1) : TReal(0));
}

/** Numbers the positions of a margin, one pixel wide, around the pixels of a block. Positions are relative to the
 * block's first pixel. */
template <typename TShape>
struct CannyRim
{
  static constexpr int Slices = 2 * TShape::RimZ * TShape::Second::SizeX * TShape::Second::SizeY;
  static constexpr int Rows = 2 * TShape::Second::SizeX * TShape::SizeZ;
  static constexpr int Pixels = Slices + Rows + 2 * TShape::SizeY * TShape::SizeZ;

  __device__ static void
  GetPosition(int number, int (&position)[3])
  {
    if (number < Slices)
    {
      position[0] = number % TShape::Second::SizeX - 1;
      position[1] = number / TShape::Second::SizeX % TShape::Second::SizeY - 1;
      position[2] = number / (TShape::Second::SizeX * TShape::Second::SizeY) == 0 ? -1 : TShape::SizeZ;
    }
    else if (number < Slices + Rows)
    {
      const int n = number - Slices;
      position[0] = n % TShape::Second::SizeX - 1;
      position[1] = n / TShape::Second::SizeX % 2 == 0 ? -1 : TShape::SizeY;
      position[2] = n / (2 * TShape::Second::SizeX);
    }
    else
    {
      const int n = number - Slices - Rows;
      position[0] = n % 2 == 0 ? -1 : TShape::SizeX;
      position[1] = n / 2 % TShape::SizeY;
      position[2] = n / (2 * TShape::SizeY);
    }
  }
};

/** The bits of 32 pixels in the masks of candidates and strong pixels. */
struct EdgeWords
{
  unsigned int Candidates;
  unsigned int Strong;
};

/** The bits of the pixels of a warp. All its threads call it. isPixel: whether this thread has a pixel. */
template <typename TReal>
__device__ __forceinline__ EdgeWords
GetEdgeWords(bool isPixel, TReal value, TReal upper, TReal lower)
{
  // ITK rounds to single precision before it compares with the upper threshold, for all pixel types.
  const bool isStrong = isPixel && static_cast<TReal>(static_cast<float>(value)) > upper;
  const bool isCandidate = isStrong || (isPixel && value > lower);
  return { __ballot_sync(0xffffffffu, isCandidate), __ballot_sync(0xffffffffu, isStrong) };
}

/** Computes the masks of candidates and strong pixels that hysteresis starts from. A block owns the pixels of a
 * CannyShape. It loads the smoothed pixels, with a margin of two pixels, into shared memory. From these it computes the
 * second derivatives, with a margin of one pixel, also into shared memory, and then classifies each pixel. A thread
 * computes a line of pixels. A warp classifies 32 pixels of a row at a time, which are one word of the masks. Beyond
 * the border of the image, smoothed pixels and second derivatives are those of the nearest pixel. */
template <int VDimension, typename TReal, bool VIsExact>
__global__ void
__launch_bounds__(CannyShape<VDimension, TReal>::Threads) FindCannyEdgesKernel(KernelBox     box,
                                                                               dim3          blocks, // along each axis
                                                                               TReal         upper,
                                                                               TReal         lower,
                                                                               const TReal * input,
                                                                               std::uint32_t * candidates,
                                                                               std::uint32_t * strong,
                                                                               TReal *         suppressed)
{
  using Shape = CannyShape<VDimension, TReal>;
  using Rim = CannyRim<Shape>;
  using SmoothedTile = typename Shape::Smoothed;
  using SecondTile = typename Shape::Second;
  CUDAFILTERS_SHARED(SmoothedTile, smoothed, );
  CUDAFILTERS_SHARED(SecondTile, second, );

  const std::int64_t first[3] = { static_cast<std::int64_t>(blockIdx.x % blocks.x) * Shape::SizeX,
                                  static_cast<std::int64_t>(blockIdx.x / blocks.x % blocks.y) * Shape::SizeY,
                                  static_cast<std::int64_t>(blockIdx.x / blocks.x / blocks.y) * Shape::SizeZ };
  const auto         isWithin = [&](int axis, int size) {
    const std::int64_t start = first[axis] + box.Start[axis];
    return start >= 2 && start + size + 2 <= box.InputSize[axis];
  };
  // Most blocks do not touch the border of the image, and need not clamp coordinates.
  const bool isInside =
    isWithin(0, Shape::SizeX) && isWithin(1, Shape::SizeY) && (VDimension == 2 || isWithin(2, Shape::SizeZ));

  if (isInside)
  {
    const std::int64_t  z0 = VDimension == 2 ? 0 : first[2] + box.Start[2] - 2;
    const std::int64_t  y0 = first[1] + box.Start[1] - 2;
    const TReal * const corner = input + (z0 * box.InputSize[1] + y0) * box.InputSize[0] + first[0] + box.Start[0] - 2;
    const std::int64_t  rowStride = box.InputSize[0];
    const std::int64_t  sliceStride = box.InputSize[0] * box.InputSize[1];
#pragma unroll
    for (int start = 0; start < SmoothedTile::Pixels; start += Shape::Threads)
    {
      const int i = start + static_cast<int>(threadIdx.x);
      if (i < SmoothedTile::Pixels)
      {
        const int row = i / SmoothedTile::SizeX;
        const int x = i - row * SmoothedTile::SizeX;
        const int y = VDimension == 2 ? row : row % SmoothedTile::SizeY;
        const int z = VDimension == 2 ? 0 : row / SmoothedTile::SizeY;
        smoothed.Values[i] = corner[z * sliceStride + y * rowStride + x];
      }
    }
  }
  else
  {
    for (int i = threadIdx.x; i < SmoothedTile::Pixels; i += Shape::Threads)
    {
      const std::int64_t x = box.ToInput(0, first[0] + i % SmoothedTile::SizeX - 2);
      const std::int64_t y = box.ToInput(1, first[1] + i / SmoothedTile::SizeX % SmoothedTile::SizeY - 2);
      const std::int64_t z =
        VDimension == 2 ? 0 : box.ToInput(2, first[2] + i / (SmoothedTile::SizeX * SmoothedTile::SizeY) - 2);
      smoothed.Values[i] = input[(z * box.InputSize[1] + y) * box.InputSize[0] + x];
    }
  }
  __syncthreads();

  // Convert a position in the block to an index into each of the two tiles.
  const auto toSmoothed = [](int x, int y, int z) { return SmoothedTile::GetPlace(x + 2, y + 2, z + 2 * Shape::RimZ); };
  const auto toSecond = [](int x, int y, int z) { return SecondTile::GetPlace(x + 1, y + 1, z + Shape::RimZ); };

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int ownY = VDimension == 2 ? warp * Shape::Line : warp;

  CannyGradient<VDimension, TReal> gradients[Shape::Line];
  {
    TReal own[Shape::Line];
#pragma unroll
    for (int k = 0; k < Shape::Line; ++k)
    {
      const int place = VDimension == 2 ? toSmoothed(lane, ownY + k, 0) : toSmoothed(lane, ownY, k);
      gradients[k] = GetCannyGradient<VDimension, TReal, VIsExact>(smoothed, place);
      own[k] = GetSecondDerivative<VDimension, TReal, VIsExact>(smoothed, place, gradients[k]);
    }
#pragma unroll
    for (int k = 0; k < Shape::Line; ++k)
    {
      second.Values[VDimension == 2 ? toSecond(lane, ownY + k, 0) : toSecond(lane, ownY, k)] = own[k];
    }
  }
  for (int i = threadIdx.x; i < Rim::Pixels; i += Shape::Threads)
  {
    int position[3];
    Rim::GetPosition(i, position);
    const int place = toSmoothed(position[0], position[1], position[2]);
    second.Values[toSecond(position[0], position[1], position[2])] = GetSecondDerivative<VDimension, TReal, VIsExact>(
      smoothed, place, GetCannyGradient<VDimension, TReal, VIsExact>(smoothed, place));
  }
  __syncthreads();

  if (!isInside)
  {
    // Beyond the border of the image, repeat the value at the border. No thread reads an element that another thread
    // writes: elements inside the image are not written.
    for (int i = threadIdx.x; i < SecondTile::Pixels; i += Shape::Threads)
    {
      const int position[3] = { i % SecondTile::SizeX - 1,
                                i / SecondTile::SizeX % SecondTile::SizeY - 1,
                                i / (SecondTile::SizeX * SecondTile::SizeY) - Shape::RimZ };
      int       nearest[3] = { position[0], position[1], position[2] };
      bool      isBeyond = false;
      for (int axis = 0; axis < VDimension; ++axis)
      {
        const std::int64_t place = box.ToInput(axis, first[axis] + position[axis]);
        nearest[axis] = static_cast<int>(place - box.Start[axis] - first[axis]);
        isBeyond = isBeyond || nearest[axis] != position[axis];
      }
      if (isBeyond)
      {
        second.Values[i] = second.Values[toSecond(nearest[0], nearest[1], nearest[2])];
      }
    }
    __syncthreads();
  }

  const std::int64_t wordsPerRow = (box.OutputSize[0] + 31) / 32;
  const bool         isPixel = first[0] + lane < box.OutputSize[0];
#pragma unroll
  for (int k = 0; k < Shape::Line; ++k)
  {
    const int          y = VDimension == 2 ? ownY + k : ownY;
    const int          z = VDimension == 2 ? 0 : k;
    const std::int64_t row = first[1] + y;
    const std::int64_t slice = first[2] + z;
    const TReal     value = SuppressNonMaximum<VDimension, TReal, VIsExact>(gradients[k], second, toSecond(lane, y, z));
    const EdgeWords words = GetEdgeWords(isPixel, value, upper, lower);
    if (row < box.OutputSize[1] && slice < box.OutputSize[2])
    {
      const std::int64_t rowNumber = slice * box.OutputSize[1] + row;
      if (lane == 0)
      {
        const std::int64_t word = rowNumber * wordsPerRow + first[0] / 32;
        candidates[word] = words.Candidates;
        strong[word] = words.Strong;
      }
      if (suppressed != nullptr && isPixel)
      {
        suppressed[rowNumber * box.OutputSize[0] + first[0] + lane] = value;
      }
    }
  }
}

constexpr int WordsPerWarp = 4;
constexpr int ThresholdThreads = 256;

/** Computes the masks of candidates and strong pixels from the gradient magnitude that FindCannyEdgesKernel has written
 * to suppressed. A warp owns WordsPerWarp words of each mask at a time, and reads all their pixels before it compares
 * them, so that it waits for memory once. */
template <typename TReal>
__global__ void
__launch_bounds__(ThresholdThreads) ApplyEdgeThresholdsKernel(const TReal *   suppressed,
                                                              std::int64_t    width,
                                                              std::int64_t    words,
                                                              TReal           upper,
                                                              TReal           lower,
                                                              std::uint32_t * candidates,
                                                              std::uint32_t * strong)
{
  const int          lane = threadIdx.x % 32;
  const int          wordsPerRow = static_cast<int>((width + 31) / 32);
  const std::int64_t warps = static_cast<std::int64_t>(gridDim.x) * (ThresholdThreads / 32);
  const std::int64_t warp = static_cast<std::int64_t>(blockIdx.x) * (ThresholdThreads / 32) + threadIdx.x / 32;
  for (std::int64_t first = warp * WordsPerWarp; first < words; first += warps * WordsPerWarp)
  {
    TReal values[WordsPerWarp];
    bool  isPixel[WordsPerWarp];
#pragma unroll
    for (int k = 0; k < WordsPerWarp; ++k)
    {
      const std::int64_t row = Divide(first + k, wordsPerRow);
      const std::int64_t x = (first + k - row * wordsPerRow) * 32 + lane;
      isPixel[k] = first + k < words && x < width;
      values[k] = isPixel[k] ? suppressed[row * width + x] : TReal(0);
    }
#pragma unroll
    for (int k = 0; k < WordsPerWarp; ++k)
    {
      const EdgeWords bits = GetEdgeWords(isPixel[k], values[k], upper, lower);
      if (lane == 0 && first + k < words)
      {
        candidates[first + k] = bits.Candidates;
        strong[first + k] = bits.Strong;
      }
    }
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
