// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersSobelEdges_cuh
#define itkCudaFiltersSobelEdges_cuh

#include "../Stencil/Stencil.cuh"
#include "CudaFilters/SobelEdges.h"
#include <cmath>

namespace itk
{
namespace CudaFilters
{
/** A gradient; z is 0 in 2-D. */
template <typename TReal>
struct Gradient
{
  TReal X;
  TReal Y;
  TReal Z;
};

/** Stores what is wanted of a gradient. */
template <int VDimension, typename TReal, typename TOutput>
__device__ __forceinline__ void
StoreAngles(const Gradient<TReal> & gradient, const SobelOutputs<TOutput> & outputs, std::int64_t place)
{
  if (outputs.Azimuth != nullptr)
  {
    outputs.Azimuth[place] = static_cast<TOutput>(atan2(gradient.Y, gradient.X));
  }
  if constexpr (VDimension == 3)
  {
    if (outputs.Elevation != nullptr)
    {
      outputs.Elevation[place] = static_cast<TOutput>(atan2(gradient.Z, hypot(gradient.X, gradient.Y)));
    }
  }
}

/** Sobel's operators in single precision. Differences come before sums, so that flat regions of any height give 0. */
template <int VDimension>
struct FastSobel
{
  using ValueType = float;

  SobelOutputs<float> Outputs;

  template <typename TView>
  __device__ __forceinline__ void
  operator()(const TView & v, std::int64_t place) const
  {
    const Gradient<float> gradient = this->GetGradient(v);
    const float           planar = fmaf(gradient.X, gradient.X, gradient.Y * gradient.Y);
    this->Outputs.Magnitude[place] = sqrtf(VDimension == 2 ? planar : fmaf(gradient.Z, gradient.Z, planar));
    StoreAngles<VDimension>(gradient, this->Outputs, place);
  }

private:
  /** ITK multiplies the pixels with weight 0, too: that counts where they are infinite or not numbers. */
  template <typename... TValues>
  __device__ __forceinline__ static float
  Nothing(TValues... values)
  {
    float sum = 0.0f;
    ((sum = fmaf(0.0f, values, sum)), ...);
    return sum;
  }

  template <typename TView>
  __device__ __forceinline__ static Gradient<float>
             GetGradient(const TView & v)
  {
    if constexpr (VDimension == 2)
    {
      const auto alongX = [&](int y) { return v(1, y) - v(-1, y); };
      const auto alongY = [&](int x) { return v(x, 1) - v(x, -1); };
      return { fmaf(2.0f, alongX(0), alongX(-1) + alongX(1)) + Nothing(v(0, -1), v(0, 0), v(0, 1)),
               fmaf(2.0f, alongY(0), alongY(-1) + alongY(1)) + Nothing(v(-1, 0), v(0, 0), v(1, 0)),
               0.0f };
    }
    else
    {
      // Weights: 1 at corners, 3 beside the middle, 6 in the middle.
      const auto weigh = [](float corners, float sides, float middle) {
        return fmaf(6.0f, middle, fmaf(3.0f, sides, corners));
      };
      // What belongs to one slice stands by itself, since three pixels of a line share it.
      const auto sliceX = [&](int z, float outer, float inner) {
        const auto d = [&](int y) { return v(1, y, z) - v(-1, y, z); };
        return fmaf(inner, d(0), outer * (d(-1) + d(1)));
      };
      const auto sliceY = [&](int z, float outer, float inner) {
        const auto d = [&](int x) { return v(x, 1, z) - v(x, -1, z); };
        return fmaf(inner, d(0), outer * (d(-1) + d(1)));
      };
      const auto nothingX = [&](int z) { return Nothing(v(0, -1, z), v(0, 0, z), v(0, 1, z)); };
      const auto nothingY = [&](int z) { return Nothing(v(-1, 0, z), v(0, 0, z), v(1, 0, z)); };
      const auto alongZ = [&](int x, int y) { return v(x, y, 1) - v(x, y, -1); };
      return { sliceX(-1, 1.0f, 3.0f) + sliceX(0, 3.0f, 6.0f) + sliceX(1, 1.0f, 3.0f) + nothingX(-1) + nothingX(0) +
                 nothingX(1),
               sliceY(-1, 1.0f, 3.0f) + sliceY(0, 3.0f, 6.0f) + sliceY(1, 1.0f, 3.0f) + nothingY(-1) + nothingY(0) +
                 nothingY(1),
               weigh(alongZ(-1, -1) + alongZ(1, -1) + alongZ(-1, 1) + alongZ(1, 1),
                     alongZ(0, -1) + alongZ(-1, 0) + alongZ(1, 0) + alongZ(0, 1),
                     alongZ(0, 0)) +
                 nothingX(0) + nothingY(0) + Nothing(v(-1, -1, 0), v(1, -1, 0), v(-1, 1, 0), v(1, 1, 0)) };
    }
  }
};

/** Sobel's operators as ITK computes them: sums in double precision, from the first pixel of the neighbourhood to the
 * last, then rounded to the output's type; squares rounded to that type, too. */
template <int VDimension, typename TOutput>
struct ExactSobel
{
  using ValueType = double;

  SobelOutputs<TOutput> Outputs;

  template <typename TView>
  __device__ void
  operator()(const TView & v, std::int64_t place) const
  {
    const Gradient<TOutput> gradient{ GetDerivative<0>(v), GetDerivative<1>(v), GetDerivative<2>(v) };
    double                  sum = static_cast<double>(gradient.X * gradient.X);
    sum += static_cast<double>(gradient.Y * gradient.Y);
    if constexpr (VDimension == 3)
    {
      sum += static_cast<double>(gradient.Z * gradient.Z);
    }
    this->Outputs.Magnitude[place] = static_cast<TOutput>(sqrt(static_cast<double>(static_cast<TOutput>(sum))));
    StoreAngles<VDimension>(Gradient<double>{ gradient.X, gradient.Y, gradient.Z }, this->Outputs, place);
  }

private:
  /** The weight of a neighbour of which two offsets are across the derivative's axis. */
  __device__ static constexpr double
  GetWeight(int along, int across1, int across2)
  {
    if (VDimension == 2)
    {
      return along * (across1 == 0 ? 2.0 : 1.0);
    }
    return along * (across1 == 0 && across2 == 0 ? 6.0 : (across1 == 0 || across2 == 0 ? 3.0 : 1.0));
  }

  template <int VAxis, typename TView>
  __device__ static TOutput
  GetDerivative(const TView & v)
  {
    double sum = 0.0;
    if constexpr (VDimension == 2 && VAxis < 2)
    {
#pragma unroll
      for (int y = -1; y <= 1; ++y)
      {
#pragma unroll
        for (int x = -1; x <= 1; ++x)
        {
          sum += (VAxis == 0 ? GetWeight(x, y, 0) : GetWeight(y, x, 0)) * v(x, y);
        }
      }
    }
    else if constexpr (VDimension == 3)
    {
#pragma unroll
      for (int z = -1; z <= 1; ++z)
      {
#pragma unroll
        for (int y = -1; y <= 1; ++y)
        {
#pragma unroll
          for (int x = -1; x <= 1; ++x)
          {
            sum +=
              (VAxis == 0 ? GetWeight(x, y, z) : (VAxis == 1 ? GetWeight(y, x, z) : GetWeight(z, x, y))) * v(x, y, z);
          }
        }
      }
    }
    return static_cast<TOutput>(sum);
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
