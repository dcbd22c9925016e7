// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersSobelEdges_cuh
#define itkCudaFiltersSobelEdges_cuh

#include "../Stencil/Stencil.cuh"
#include <cmath>

namespace itk
{
namespace CudaFilters
{
/** The output images. The angles are nullptr if they are not computed; the elevation is nullptr in 2-D. */
template <typename TOutput>
struct SobelOutputs
{
  TOutput * Magnitude = nullptr;
  TOutput * Azimuth = nullptr;   // of the gradient in the x-y plane
  TOutput * Elevation = nullptr; // of the gradient above the x-y plane
};

/** A gradient; z is 0 in 2-D. */
template <typename TReal>
struct Gradient
{
  TReal X;
  TReal Y;
  TReal Z;
};

/** The results for one pixel. Angles that are not computed are 0. */
template <typename TReal>
struct SobelResult
{
  TReal Magnitude;
  TReal Azimuth;
  TReal Elevation;
};

template <int VDimension, bool VHasAngles, typename TReal>
__device__ __forceinline__ SobelResult<TReal>
                           GetSobelResult(const Gradient<TReal> & gradient, TReal magnitude)
{
  SobelResult<TReal> result{ magnitude, TReal(0), TReal(0) };
  if constexpr (VHasAngles)
  {
    result.Azimuth = atan2(gradient.Y, gradient.X);
    if constexpr (VDimension == 3)
    {
      result.Elevation = atan2(gradient.Z, hypot(gradient.X, gradient.Y));
    }
  }
  return result;
}

template <int VDimension, bool VHasAngles, int VWidth, typename TReal, typename TOutput>
__device__ __forceinline__ void
StoreSobelResults(const SobelOutputs<TOutput> & outputs,
                  const SobelResult<TReal> (&results)[VWidth],
                  std::int64_t place)
{
  StorePack(outputs.Magnitude + place, results, &SobelResult<TReal>::Magnitude);
  if constexpr (VHasAngles)
  {
    StorePack(outputs.Azimuth + place, results, &SobelResult<TReal>::Azimuth);
    if constexpr (VDimension == 3)
    {
      StorePack(outputs.Elevation + place, results, &SobelResult<TReal>::Elevation);
    }
  }
}

/** The common part of the single-precision operators for 2-D and 3-D. */
template <int VDimension, bool VHasAngles>
struct FastSobelBase
{
  using ValueType = float;
  using ResultType = SobelResult<float>;

  SobelOutputs<float> Outputs;

  template <int VWidth>
  __device__ __forceinline__ void
  Store(const ResultType (&results)[VWidth], std::int64_t place) const
  {
    StoreSobelResults<VDimension, VHasAngles>(this->Outputs, results, place);
  }

protected:
  __device__ __forceinline__ static ResultType
  GetResult(const Gradient<float> & gradient)
  {
    const float planar = fmaf(gradient.X, gradient.X, gradient.Y * gradient.Y);
    const float magnitude = sqrtf(VDimension == 2 ? planar : fmaf(gradient.Z, gradient.Z, planar));
    return GetSobelResult<VDimension, VHasAngles>(gradient, magnitude);
  }

  /** Returns 0, or NaN if a value is infinite or NaN. Added to a derivative, it reproduces the effect of ITK's
   * multiplication of pixels by zero weights. */
  template <typename... TValues>
  __device__ __forceinline__ static float
  Nothing(TValues... values)
  {
    float sum = 0.0f;
    ((sum = fmaf(0.0f, values, sum)), ...);
    return sum;
  }
};

/** Sobel operators in single precision. Differences are computed before sums, so that constant regions give exactly
 * 0. */
template <int VDimension, bool VHasAngles>
struct FastSobel;

/** Weights across the derivative: 1, 2, 1. */
template <bool VHasAngles>
struct FastSobel<2, VHasAngles> : FastSobelBase<2, VHasAngles>
{
  using Base = FastSobelBase<2, VHasAngles>;
  using PartType = NoStencilPart;

  template <typename TView>
  __device__ __forceinline__ static PartType
  GetPart(const TView &)
  {
    return {};
  }

  template <typename TView>
  __device__ __forceinline__ typename Base::ResultType
             operator()(const TView & v) const
  {
    const auto alongX = [&](int y) { return v(1, y) - v(-1, y); };
    const auto alongY = [&](int x) { return v(x, 1) - v(x, -1); };
    return Base::GetResult({ fmaf(2.0f, alongX(0), alongX(-1) + alongX(1)) + Base::Nothing(v(0, -1), v(0, 0), v(0, 1)),
                             fmaf(2.0f, alongY(0), alongY(-1) + alongY(1)) + Base::Nothing(v(-1, 0), v(0, 0), v(1, 0)),
                             0.0f });
  }
};

/** Weights across the derivative: 1 at the corners, 3 at the sides, 6 in the middle. */
template <bool VHasAngles>
struct FastSobel<3, VHasAngles> : FastSobelBase<3, VHasAngles>
{
  using Base = FastSobelBase<3, VHasAngles>;

  /** The contribution of one slice to the derivatives along x and y, with the weights of an outer slice and of the
   * middle slice; and the result of Nothing() for the derivative along z. */
  struct PartType
  {
    float OuterX;
    float InnerX;
    float OuterY;
    float InnerY;
    float Nothing;
  };

  template <typename TView>
  __device__ __forceinline__ static PartType
  GetPart(const TView & v)
  {
    const auto  alongX = [&](int y) { return v(1, y) - v(-1, y); };
    const auto  alongY = [&](int x) { return v(x, 1) - v(x, -1); };
    const auto  column = [&](int x) { return Base::Nothing(v(x, -1), v(x, 0), v(x, 1)); };
    const float sidesX = alongX(-1) + alongX(1);
    const float sidesY = alongY(-1) + alongY(1);
    const float nothingX = column(0);
    const float nothingY = Base::Nothing(v(-1, 0), v(0, 0), v(1, 0));
    return { fmaf(3.0f, alongX(0), sidesX) + nothingX,
             fmaf(6.0f, alongX(0), fmaf(3.0f, sidesX, nothingX)),
             fmaf(3.0f, alongY(0), sidesY) + nothingY,
             fmaf(6.0f, alongY(0), fmaf(3.0f, sidesY, nothingY)),
             column(-1) + nothingX + column(1) };
  }

  template <typename TView>
  __device__ __forceinline__ typename Base::ResultType
             operator()(const TView & v) const
  {
    const auto sum = [&](float PartType::*outer, float PartType::*inner) {
      return v.GetPart(-1).*outer + v.GetPart(1).*outer + v.GetPart(0).*inner;
    };
    const auto  along = [&](int x, int y) { return v(x, y, 1) - v(x, y, -1); };
    const float corners = (along(-1, -1) + along(-1, 1)) + (along(1, -1) + along(1, 1));
    const float sides = (along(0, -1) + along(0, 1)) + (along(-1, 0) + along(1, 0));
    return Base::GetResult({ sum(&PartType::OuterX, &PartType::InnerX),
                             sum(&PartType::OuterY, &PartType::InnerY),
                             fmaf(6.0f, along(0, 0), fmaf(3.0f, sides, corners)) + v.GetPart(0).Nothing });
  }
};

/** Sobel operators as ITK computes them: sums in double precision, from the first pixel of the neighbourhood to the
 * last, then rounded to the output type; squares are rounded to that type, too. */
template <int VDimension, bool VHasAngles, typename TOutput>
struct ExactSobel
{
  using ValueType = double;
  using PartType = NoStencilPart;
  using ResultType = SobelResult<double>;

  SobelOutputs<TOutput> Outputs;

  template <typename TView>
  __device__ static PartType
  GetPart(const TView &)
  {
    return {};
  }

  template <int VWidth>
  __device__ __forceinline__ void
  Store(const ResultType (&results)[VWidth], std::int64_t place) const
  {
    StoreSobelResults<VDimension, VHasAngles>(this->Outputs, results, place);
  }

  template <typename TView>
  __device__ ResultType
  operator()(const TView & v) const
  {
    const Gradient<TOutput> gradient{ GetDerivative<0>(v), GetDerivative<1>(v), GetDerivative<2>(v) };
    double                  sum = static_cast<double>(gradient.X * gradient.X);
    sum += static_cast<double>(gradient.Y * gradient.Y);
    if constexpr (VDimension == 3)
    {
      sum += static_cast<double>(gradient.Z * gradient.Z);
    }
    const double magnitude = sqrt(static_cast<double>(static_cast<TOutput>(sum)));
    return GetSobelResult<VDimension, VHasAngles>(Gradient<double>{ gradient.X, gradient.Y, gradient.Z }, magnitude);
  }

private:
  /** The weight of a neighbour with the given offsets along the derivative's axis and along the other two axes. */
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
