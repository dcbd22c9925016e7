// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDiscreteGaussianImageFilter_h
#define itkCudaDiscreteGaussianImageFilter_h

#include "itkCudaSeparableImageFilter.h"
#include "itkDiscreteGaussianImageFilter.h"

namespace itk
{
/** \class CudaDiscreteGaussianImageFilter
 * \brief Smooths an image with discrete Gaussian kernels, on a CUDA device where there is one.
 *
 * Parameters and results are those of DiscreteGaussianImageFilter. The masks are made by the same GaussianOperator.
 * Boundary conditions other than the default, ZeroFluxNeumannBoundaryCondition, are left to the CPU.
 *
 * \sa GaussianOperator
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaDiscreteGaussianImageFilter
  : public CudaSeparableImageFilter<DiscreteGaussianImageFilter<TInputImage, TOutputImage>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaDiscreteGaussianImageFilter);

  using Self = CudaDiscreteGaussianImageFilter;
  using Superclass = CudaSeparableImageFilter<DiscreteGaussianImageFilter<TInputImage, TOutputImage>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaDiscreteGaussianImageFilter";
  }

  using Superclass::ImageDimension;

protected:
  CudaDiscreteGaussianImageFilter() = default;
  ~CudaDiscreteGaussianImageFilter() override = default;

  std::string
  GetWhyNoKernel() const override;

  CudaFilters::SeparableConvolution
  MakeConvolution() const override;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaDiscreteGaussianImageFilter.hxx"
#endif

#endif
