// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBenchmarkPixelFunctors_h
#define itkCudaBenchmarkPixelFunctors_h

// Functions of pixels as users write them.

#include "CudaFilters/HostDevice.h"
#include <math.h>

namespace itk
{
namespace CudaBenchmark
{
struct MaximumReducer
{
  using ValueType = float;

  CUDAFILTERS_HOST_DEVICE float
  GetIdentity() const
  {
    return -3.402823466e38f;
  }
  CUDAFILTERS_HOST_DEVICE float
  Transform(float pixel) const
  {
    return pixel;
  }
  CUDAFILTERS_HOST_DEVICE float
  Combine(float a, float b) const
  {
    return a > b ? a : b;
  }
  bool
  operator==(const MaximumReducer &) const
  {
    return true;
  }
};

struct SumReducer
{
  using ValueType = double;

  CUDAFILTERS_HOST_DEVICE double
  GetIdentity() const
  {
    return 0.0;
  }
  CUDAFILTERS_HOST_DEVICE double
  Transform(float pixel) const
  {
    return pixel;
  }
  CUDAFILTERS_HOST_DEVICE double
  Combine(double a, double b) const
  {
    return a + b;
  }
  bool
  operator==(const SumReducer &) const
  {
    return true;
  }
};

struct GreyLevel
{
  template <typename TPixel>
  CUDAFILTERS_HOST_DEVICE int
  operator()(TPixel pixel) const
  {
    return pixel;
  }
  bool
  operator==(const GreyLevel &) const
  {
    return true;
  }
};

/** Sobel's masks, and the magnitude of the gradient. */
struct SobelFunctor
{
  static constexpr int FixedRadius = 1;

  template <typename TNeighbours>
  CUDAFILTERS_HOST_DEVICE float
  operator()(const TNeighbours & n) const
  {
    const float x = n(1, -1) - n(-1, -1) + 2.0f * (n(1, 0) - n(-1, 0)) + n(1, 1) - n(-1, 1);
    const float y = n(-1, 1) - n(-1, -1) + 2.0f * (n(0, 1) - n(0, -1)) + n(1, 1) - n(1, -1);
    return sqrtf(x * x + y * y);
  }
  bool
  operator==(const SobelFunctor &) const
  {
    return true;
  }
};

// The four functions of the experiment with skeletons: the bodies of sequential loops over 8-bit pixels.

struct Binarize
{
  CUDAFILTERS_HOST_DEVICE unsigned char
  operator()(unsigned char pixel) const
  {
    return pixel > 127 ? 255 : 0;
  }
  bool
  operator==(const Binarize &) const
  {
    return true;
  }
};

struct SobelOfBytes
{
  static constexpr int FixedRadius = 1;

  template <typename TNeighbours>
  CUDAFILTERS_HOST_DEVICE unsigned char
  operator()(const TNeighbours & n) const
  {
    const int x = n(1, -1) - n(-1, -1) + 2 * (n(1, 0) - n(-1, 0)) + n(1, 1) - n(-1, 1);
    const int y = n(-1, 1) - n(-1, -1) + 2 * (n(0, 1) - n(0, -1)) + n(1, 1) - n(1, -1);
    const int sum = (x < 0 ? -x : x) + (y < 0 ? -y : y);
    return static_cast<unsigned char>(sum < 255 ? sum : 255);
  }
  bool
  operator==(const SobelOfBytes &) const
  {
    return true;
  }
};

struct MaximumOfBytes
{
  using ValueType = int;

  CUDAFILTERS_HOST_DEVICE int
  GetIdentity() const
  {
    return 0;
  }
  CUDAFILTERS_HOST_DEVICE int
  Transform(unsigned char pixel) const
  {
    return pixel;
  }
  CUDAFILTERS_HOST_DEVICE int
  Combine(int a, int b) const
  {
    return a > b ? a : b;
  }
  bool
  operator==(const MaximumOfBytes &) const
  {
    return true;
  }
};
} // namespace CudaBenchmark
} // namespace itk

#endif
