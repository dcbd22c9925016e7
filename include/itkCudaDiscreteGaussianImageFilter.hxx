// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDiscreteGaussianImageFilter_hxx
#define itkCudaDiscreteGaussianImageFilter_hxx

#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkGaussianOperator.h"
#include "itkZeroFluxNeumannBoundaryCondition.h"
#include <algorithm>
#include <type_traits>

namespace itk
{
template <typename TInputImage, typename TOutputImage>
std::string
CudaDiscreteGaussianImageFilter<TInputImage, TOutputImage>::GetWhyNoKernel() const
{
  using Parent = DiscreteGaussianImageFilter<TInputImage, TOutputImage>;
  using InputRule = ZeroFluxNeumannBoundaryCondition<TInputImage>;
  using RealRule = ZeroFluxNeumannBoundaryCondition<typename Parent::RealOutputImageType>;

  const std::string why = Superclass::GetWhyNoKernel();
  if (!why.empty())
  {
    return why;
  }
  if (dynamic_cast<const InputRule *>(this->GetInputBoundaryCondition()) == nullptr ||
      dynamic_cast<const RealRule *>(this->GetRealBoundaryCondition()) == nullptr)
  {
    return "there are kernels for the zero flux Neumann boundary condition only";
  }
  return {};
}

template <typename TInputImage, typename TOutputImage>
CudaFilters::SeparableConvolution
CudaDiscreteGaussianImageFilter<TInputImage, TOutputImage>::MakeConvolution() const
{
  using Parent = DiscreteGaussianImageFilter<TInputImage, TOutputImage>;

  CudaFilters::SeparableConvolution convolution;
  // In spite of its name, the parent's RealOutputImageType holds output pixels in ITK 5.2; ask rather than assume.
  convolution.ConvertAfterEachAxis =
    std::is_same<typename Parent::RealOutputImageType::PixelType, typename Parent::OutputPixelType>::value;

  const unsigned int dimensionality = std::min<unsigned int>(this->GetFilterDimensionality(), ImageDimension);
  for (unsigned int axis = 0; axis < dimensionality && axis < convolution.Masks.size(); ++axis)
  {
    double variance = this->GetVariance()[axis];
    if (this->GetUseImageSpacing())
    {
      const double spacing = this->GetInput()->GetSpacing()[axis];
      if (spacing == 0.0)
      {
        itkExceptionMacro("Pixel spacing cannot be zero");
      }
      variance /= spacing * spacing;
    }
    GaussianOperator<typename Parent::RealOutputPixelValueType, ImageDimension> gaussian;
    gaussian.SetDirection(axis);
    gaussian.SetVariance(variance);
    gaussian.SetMaximumKernelWidth(this->GetMaximumKernelWidth());
    gaussian.SetMaximumError(this->GetMaximumError()[axis]);
    gaussian.CreateDirectional();
    convolution.Masks[axis].assign(gaussian.Begin(), gaussian.End());
  }
  return convolution;
}
} // namespace itk

#endif
