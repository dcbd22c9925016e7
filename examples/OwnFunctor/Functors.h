// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef Functors_h
#define Functors_h

// Functions of pixels: ordinary C++, which the CPU and the device execute.

#include "CudaFilters/HostDevice.h"
#include <math.h>

/** Pixel to pixel: the square root of the brightness, times a factor. */
struct Brighten
{
  float Factor = 1.0f;

  CUDAFILTERS_HOST_DEVICE float
  operator()(unsigned char pixel) const
  {
    return sqrtf(static_cast<float>(pixel) / 255.0f) * this->Factor;
  }
  bool
  operator==(const Brighten & other) const
  {
    return this->Factor == other.Factor;
  }
};

/** Neighbourhood to pixel: the largest difference to the four neighbours. */
struct LargestStep
{
  template <typename TNeighbours>
  CUDAFILTERS_HOST_DEVICE float
  operator()(const TNeighbours & neighbours) const
  {
    const float here = neighbours(0, 0);
    return fmaxf(fmaxf(fabsf(neighbours(-1, 0) - here), fabsf(neighbours(1, 0) - here)),
                 fmaxf(fabsf(neighbours(0, -1) - here), fabsf(neighbours(0, 1) - here)));
  }
  bool
  operator==(const LargestStep &) const
  {
    return true;
  }
};

/** Reduction to a scalar: the sum. */
struct Sum
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
  operator==(const Sum &) const
  {
    return true;
  }
};

/** Reduction to a vector: how many pixels have each grey level. */
struct GreyLevel
{
  CUDAFILTERS_HOST_DEVICE int
  operator()(unsigned char pixel) const
  {
    return pixel;
  }
  bool
  operator==(const GreyLevel &) const
  {
    return true;
  }
};

#endif
