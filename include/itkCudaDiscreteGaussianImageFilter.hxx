// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDiscreteGaussianImageFilter_hxx
#define itkCudaDiscreteGaussianImageFilter_hxx

#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaGaussianConvolution.h"
#include "itkZeroFluxNeumannBoundaryCondition.h"

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
  return CudaFilters::MakeGaussianConvolution<Parent>(*this, this->GetInput()->GetSpacing());
}
} // namespace itk

#endif
