// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDiscreteGaussianImageFilter_hxx
#define itkCudaDiscreteGaussianImageFilter_hxx

#include "itkCudaDiscreteGaussianImageFilter.h"
#include "CudaFilters/detail/GaussianMasks.h"
#include "itkZeroFluxNeumannBoundaryCondition.h"

namespace itk
{
template <typename TInputImage, typename TOutputImage>
std::string
CudaDiscreteGaussianImageFilter<TInputImage, TOutputImage>::GetUnsupportedReason() const
{
  using Parent = DiscreteGaussianImageFilter<TInputImage, TOutputImage>;
  using InputCondition = ZeroFluxNeumannBoundaryCondition<TInputImage>;
  using RealCondition = ZeroFluxNeumannBoundaryCondition<typename Parent::RealOutputImageType>;

  if (dynamic_cast<const InputCondition *>(this->GetInputBoundaryCondition()) == nullptr ||
      dynamic_cast<const RealCondition *>(this->GetRealBoundaryCondition()) == nullptr)
  {
    return "there are kernels for the zero flux Neumann boundary condition only";
  }
  return {};
}

template <typename TInputImage, typename TOutputImage>
CudaFilters::OperationPointer
CudaDiscreteGaussianImageFilter<TInputImage, TOutputImage>::MakeOperation()
{
  using Parent = DiscreteGaussianImageFilter<TInputImage, TOutputImage>;

  auto parameters = CudaFilters::MakeGaussianConvolution<Parent>(*this, this->GetInput()->GetSpacing());
  parameters.InDouble = this->GetExactMode();
  return CudaFilters::MakeSeparableConvolutionOperation(parameters,
                                                        CudaFilters::GetPixelTypes<TInputImage, TOutputImage>());
}
} // namespace itk

#endif
