// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef OwnFunctors_h
#define OwnFunctors_h

// Functions of pixels, as users write them.

#include "CudaFilters/Binning.h"
#include "CudaFilters/PixelFunction.h"
#include "CudaFilters/Reduction.h"
#include <cstdint>

/** What filters ask a functor without parameters. */
template <typename TFunctor>
struct WithoutParameters
{
  friend bool
  operator==(const TFunctor &, const TFunctor &)
  {
    return true;
  }
  friend bool
  operator!=(const TFunctor &, const TFunctor &)
  {
    return false;
  }
};

struct Brighten
{
  float Factor = 1.0f;

  CUDAFILTERS_HOST_DEVICE float
  operator()(unsigned char pixel) const
  {
    return static_cast<float>(pixel) * this->Factor;
  }
  bool
  operator==(const Brighten & other) const
  {
    return this->Factor == other.Factor;
  }
  bool
  operator!=(const Brighten & other) const
  {
    return !(*this == other);
  }
};

/** Takes the position. */
struct Checker : WithoutParameters<Checker>
{
  CUDAFILTERS_HOST_DEVICE int
  operator()(unsigned char pixel, const itk::CudaFilters::PixelPosition & position) const
  {
    return static_cast<int>(pixel + 1000 * position.Index[0] - 77 * position.Index[1] + position.Offset % 13);
  }
};

using Rgb = itk::CudaFilters::PixelArray<unsigned char, 3>;

struct Luminance : WithoutParameters<Luminance>
{
  CUDAFILTERS_HOST_DEVICE float
  operator()(const Rgb & pixel) const
  {
    return 0.3f * pixel[0] + 0.6f * pixel[1] + 0.1f * pixel[2];
  }
};

struct SwapColors : WithoutParameters<SwapColors>
{
  CUDAFILTERS_HOST_DEVICE Rgb
  operator()(const Rgb & pixel) const
  {
    return { { pixel[2], pixel[0], pixel[1] } };
  }
};

struct Blend : WithoutParameters<Blend>
{
  CUDAFILTERS_HOST_DEVICE float
  operator()(float a, unsigned char b) const
  {
    return a * 0.25f + static_cast<float>(b);
  }
};

struct MiddleOfThree : WithoutParameters<MiddleOfThree>
{
  CUDAFILTERS_HOST_DEVICE short
  operator()(short a, short b, short c) const
  {
    const short lower = a < b ? a : b;
    const short upper = a < b ? b : a;
    return c < lower ? lower : (c > upper ? upper : c);
  }
};

/** A sum with rounding errors, which depend on the order. */
struct FloatSum : WithoutParameters<FloatSum>
{
  using ValueType = float;

  CUDAFILTERS_HOST_DEVICE float
  GetIdentity() const
  {
    return 0.0f;
  }
  CUDAFILTERS_HOST_DEVICE float
  Transform(float pixel) const
  {
    return pixel;
  }
  CUDAFILTERS_HOST_DEVICE float
  Combine(float a, float b) const
  {
    return a + b;
  }
};

struct CenterOfMass
{
  double Mass;
  double Moments[3];
};

/** Takes the position. */
struct CenterReducer : WithoutParameters<CenterReducer>
{
  using ValueType = CenterOfMass;

  CUDAFILTERS_HOST_DEVICE ValueType
  GetIdentity() const
  {
    return { 0.0, { 0.0, 0.0, 0.0 } };
  }
  CUDAFILTERS_HOST_DEVICE ValueType
  Transform(short pixel, const itk::CudaFilters::PixelPosition & position) const
  {
    const double mass = pixel * 0.1;
    return { mass,
             { mass * static_cast<double>(position.Index[0]),
               mass * static_cast<double>(position.Index[1]),
               mass * static_cast<double>(position.Offset) } };
  }
  CUDAFILTERS_HOST_DEVICE ValueType
  Combine(const ValueType & a, const ValueType & b) const
  {
    return { a.Mass + b.Mass,
             { a.Moments[0] + b.Moments[0], a.Moments[1] + b.Moments[1], a.Moments[2] + b.Moments[2] } };
  }
};

struct GreyLevel : WithoutParameters<GreyLevel>
{
  CUDAFILTERS_HOST_DEVICE int
  operator()(unsigned char pixel) const
  {
    return pixel;
  }
};

/** Which colour is the strongest. */
struct StrongestColor : WithoutParameters<StrongestColor>
{
  CUDAFILTERS_HOST_DEVICE int
  operator()(const Rgb & pixel) const
  {
    return pixel[0] >= pixel[1] && pixel[0] >= pixel[2] ? 0 : (pixel[1] >= pixel[2] ? 1 : 2);
  }
};

/** More bins than shared memory holds; some pixels are left out. */
struct ManyBins : WithoutParameters<ManyBins>
{
  CUDAFILTERS_HOST_DEVICE std::int64_t
                          operator()(short pixel) const
  {
    return pixel % 5 == 0 ? itk::CudaFilters::NoBin : pixel + 32768;
  }
};

/** The sum of each column. */
struct Projection : WithoutParameters<Projection>
{
  CUDAFILTERS_HOST_DEVICE itk::CudaFilters::PixelBin
                          operator()(short pixel, const itk::CudaFilters::PixelPosition & position) const
  {
    return { position.Index[0] + 3, pixel };
  }
};

struct Gradient : WithoutParameters<Gradient>
{
  template <typename TNeighbours>
  CUDAFILTERS_HOST_DEVICE float
  operator()(const TNeighbours & neighbours) const
  {
    const float x = neighbours(1, 0) - neighbours(-1, 0) + neighbours(1, 1) * 0.5f;
    const float y = neighbours(0, 1) - neighbours(0, -1) - neighbours(-1, -1) * 0.25f;
    return x * x + y * y + static_cast<float>(neighbours.GetIndex(0) - 3 * neighbours.GetIndex(1));
  }
};

/** The same, with the neighbours in registers. */
struct FixedGradient : Gradient
{
  static constexpr int FixedRadius = 1;
};

struct Corners : WithoutParameters<Corners>
{
  static constexpr int FixedRadius = 1;

  template <typename TNeighbours>
  CUDAFILTERS_HOST_DEVICE short
  operator()(const TNeighbours & neighbours) const
  {
    return static_cast<short>(neighbours(1, 1, 1) - 2 * neighbours(-1, 1, -1) + 3 * neighbours(0, -1, 1) +
                              neighbours.GetIndex(0) + 5 * neighbours.GetIndex(1) + 7 * neighbours.GetIndex(2));
  }
};

struct LargestInBox
{
  int Radius[3] = { 2, 1, 1 };

  template <typename TNeighbours>
  CUDAFILTERS_HOST_DEVICE short
  operator()(const TNeighbours & neighbours) const
  {
    short largest = neighbours(0, 0, 0);
    for (int z = -this->Radius[2]; z <= this->Radius[2]; ++z)
    {
      for (int y = -this->Radius[1]; y <= this->Radius[1]; ++y)
      {
        for (int x = -this->Radius[0]; x <= this->Radius[0]; ++x)
        {
          const short other = neighbours(x, y, z);
          largest = other > largest ? other : largest;
        }
      }
    }
    return largest;
  }
  bool
  operator==(const LargestInBox & other) const
  {
    return this->Radius[0] == other.Radius[0] && this->Radius[1] == other.Radius[1] &&
           this->Radius[2] == other.Radius[2];
  }
};

/** Compares what functors compute on the device with the CPU. budget: of device memory, in bytes. */
bool
TestFunctors(std::uint64_t budget);

/** Only the emulated device and the CPU notice it. As after any error of a kernel, the device is of no use then. */
bool
TestNeighbourBeyondTheRadius();

#endif
