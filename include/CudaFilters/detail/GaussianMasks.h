// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_GaussianMasks_h
#define CudaFilters_detail_GaussianMasks_h

#include "CudaFilters/detail/SeparableConvolutionOperation.h"
#include "itkGaussianOperator.h"
#include "itkMacro.h"
#include <algorithm>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** The convolution that a DiscreteGaussianImageFilter computes on an image with the given spacing. */
template <typename TGaussianFilter, typename TSpacing>
SeparableConvolutionParameters
MakeGaussianConvolution(const TGaussianFilter & filter, const TSpacing & imageSpacing)
{
  constexpr unsigned int dimension = TGaussianFilter::ImageDimension;

  SeparableConvolutionParameters convolution;
  // In spite of its name, the filter's RealOutputImageType holds output pixels in ITK 5.2; ask rather than assume.
  convolution.ConvertAfterEachAxis = std::is_same<typename TGaussianFilter::RealOutputImageType::PixelType,
                                                  typename TGaussianFilter::OutputPixelType>::value;

  const unsigned int dimensionality = std::min<unsigned int>(filter.GetFilterDimensionality(), dimension);
  for (unsigned int axis = 0; axis < dimensionality && axis < convolution.Masks.size(); ++axis)
  {
    double variance = filter.GetVariance()[axis];
    if (filter.GetUseImageSpacing())
    {
      const double spacing = imageSpacing[axis];
      if (spacing == 0.0)
      {
        itkGenericExceptionMacro("Pixel spacing cannot be zero");
      }
      variance /= spacing * spacing;
    }
    GaussianOperator<typename TGaussianFilter::RealOutputPixelValueType, dimension> gaussian;
    gaussian.SetDirection(axis);
    gaussian.SetVariance(variance);
    gaussian.SetMaximumKernelWidth(filter.GetMaximumKernelWidth());
    gaussian.SetMaximumError(filter.GetMaximumError()[axis]);
    gaussian.CreateDirectional();
    convolution.Masks[axis].assign(gaussian.Begin(), gaussian.End());
  }
  return convolution;
}
} // namespace CudaFilters
} // namespace itk

#endif
