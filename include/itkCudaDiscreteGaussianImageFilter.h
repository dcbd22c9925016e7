// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDiscreteGaussianImageFilter_h
#define itkCudaDiscreteGaussianImageFilter_h

#include "itkCudaExactModeImageFilter.h"
#include "itkDiscreteGaussianImageFilter.h"

namespace itk
{
/** \class CudaDiscreteGaussianImageFilter
 * \brief Smooths an image with discrete Gaussian kernels on a CUDA device.
 *
 * Convolves the image along each axis with a discrete Gaussian (T. Lindeberg, Scale-Space Theory in Computer Vision,
 * 1994), which GaussianOperator makes from Variance, MaximumError and MaximumKernelWidth. Use it to remove noise and to
 * choose the scale of what later filters detect.
 *
 * Parameters and results are those of DiscreteGaussianImageFilter. Differences: float images are computed in single
 * precision unless ExactMode is on; boundary conditions other than the default, ZeroFluxNeumannBoundaryCondition, run
 * on the CPU.
 *
 * \code
 * auto smooth = itk::CudaDiscreteGaussianImageFilter<ImageType>::New();
 * smooth->SetInput(image);
 * smooth->SetVariance(2.0);
 * \endcode
 *
 * \sa GaussianOperator, CudaSeparableConvolutionImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaDiscreteGaussianImageFilter
  : public CudaExactModeImageFilter<DiscreteGaussianImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaDiscreteGaussianImageFilter,
                     CudaExactModeImageFilter<DiscreteGaussianImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaDiscreteGaussianImageFilter() = default;
  ~CudaDiscreteGaussianImageFilter() override = default;

  std::string
  GetUnsupportedReason() const override;

  CudaFilters::OperationPointer
  MakeOperation() override;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaDiscreteGaussianImageFilter.hxx"
#endif

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaDiscreteGaussianImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                                              \
                       CudaDiscreteGaussianImageFilter,                                     \
                       CudaExactModeImageFilter,                                            \
                       DiscreteGaussianImageFilter,                                         \
                       Image<TPixel, VDimension>,                                           \
                       Image<TPixel, VDimension>)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaDiscreteGaussianImageFilter);
} // namespace itk

#endif
