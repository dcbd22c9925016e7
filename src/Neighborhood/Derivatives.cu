// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "NeighborhoodOperation.cuh"
#include "../Device/PixelDispatch.h"
#include "CudaFilters/detail/DerivativeOperation.h"
#include <algorithm>
#include <cmath>

namespace itk
{
namespace CudaFilters
{
namespace
{
constexpr const char * StageName = "derivatives";

// Both compute with double, and in the order of ITK's filters: with products by 0, which matter for infinite pixels.

template <int VDimension>
struct GradientMagnitudeFunctor
{
  static constexpr int FixedRadius = 1;

  double Weights[3];

  template <typename TNeighbours>
  __device__ double
  operator()(const TNeighbours & neighbours) const
  {
    const double nothing = 0.0 * static_cast<double>(neighbours(0, 0));
    double       sum = 0.0;
#pragma unroll
    for (int axis = 0; axis < VDimension; ++axis)
    {
      const int    x = axis == 0;
      const int    y = axis == 1;
      const int    z = axis == 2;
      const double before = VDimension == 2 ? neighbours(-x, -y) : neighbours(-x, -y, -z);
      const double behind = VDimension == 2 ? neighbours(x, y) : neighbours(x, y, z);
      const double difference = this->Weights[axis] * before + nothing - this->Weights[axis] * behind;
      sum += difference * difference;
    }
    return std::sqrt(sum);
  }
};

template <int VDimension>
struct WeightedSumFunctor
{
  static constexpr int FixedRadius = 1;

  double Weights[VDimension == 2 ? 9 : 27];

  template <typename TNeighbours>
  __device__ double
  operator()(const TNeighbours & neighbours) const
  {
    double sum = 0.0;
#pragma unroll
    for (int i = 0; i < (VDimension == 2 ? 9 : 27); ++i)
    {
      const int    x = i % 3 - 1;
      const int    y = i / 3 % 3 - 1;
      const int    z = i / 9 - 1;
      const double pixel = VDimension == 2 ? neighbours(x, y) : neighbours(x, y, z);
      sum += this->Weights[i] * pixel;
    }
    return sum;
  }
};

template <int VDimension>
WeightedSumFunctor<VDimension>
MakeWeightedSum(const std::array<double, 27> & weights)
{
  WeightedSumFunctor<VDimension> functor;
  std::copy_n(weights.begin(), VDimension == 2 ? 9 : 27, functor.Weights);
  return functor;
}
} // namespace

OperationPointer
MakeGradientMagnitudeOperation(unsigned int                  dimension,
                               const std::array<double, 3> & weights,
                               PixelType                     input,
                               ScalarType                    output)
{
  const Size3 radius = GetUnitRadius(dimension);
  return WithPixel(input, [&](auto pixel) {
    using Pixel = decltype(pixel);
    const auto & w = weights;
    return dimension == 2 ? MakeNeighborhoodOperation<Pixel>(
                              StageName, radius, GradientMagnitudeFunctor<2>{ { w[0], w[1], w[2] } }, output)
                          : MakeNeighborhoodOperation<Pixel>(
                              StageName, radius, GradientMagnitudeFunctor<3>{ { w[0], w[1], w[2] } }, output);
  });
}

OperationPointer
MakeWeightedSumOperation(unsigned int                   dimension,
                         const std::array<double, 27> & weights,
                         PixelType                      input,
                         ScalarType                     output)
{
  const Size3 radius = GetUnitRadius(dimension);
  const auto  make = [&](const auto & functor) {
    return input == PixelType::Float ? MakeNeighborhoodOperation<float>(StageName, radius, functor, output)
                                      : MakeNeighborhoodOperation<double>(StageName, radius, functor, output);
  };
  return dimension == 2 ? make(MakeWeightedSum<2>(weights)) : make(MakeWeightedSum<3>(weights));
}
} // namespace CudaFilters
} // namespace itk
