// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaSeparableConvolutionImageFilter_h
#define itkCudaSeparableConvolutionImageFilter_h

#include "CudaFilters/detail/SeparableConvolutionOperation.h"
#include "itkCudaExactModeImageFilter.h"
#include "itkSeparableConvolutionImageFilter.h"

namespace itk
{
/** \class CudaSeparableConvolutionImageFilter
 * \brief Convolves an image with one mask per axis on a CUDA device.
 *
 * Use it for any separable linear filter: derivatives, binomial smoothing, matched filters. Parameters and results are
 * those of SeparableConvolutionImageFilter, which is part of this module, too. Float images are computed in single
 * precision unless ExactMode is on.
 *
 * \code
 * auto derivative = itk::CudaSeparableConvolutionImageFilter<ImageType>::New();
 * derivative->SetInput(image);
 * derivative->SetMask(0, { -0.5, 0.0, 0.5 });
 * \endcode
 *
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaSeparableConvolutionImageFilter
  : public CudaExactModeImageFilter<SeparableConvolutionImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaSeparableConvolutionImageFilter,
                     CudaExactModeImageFilter<SeparableConvolutionImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaSeparableConvolutionImageFilter() = default;
  ~CudaSeparableConvolutionImageFilter() override = default;

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    CudaFilters::SeparableConvolutionParameters parameters;
    for (unsigned int axis = 0; axis < Superclass::ImageDimension && axis < parameters.Masks.size(); ++axis)
    {
      parameters.Masks[axis] = this->GetMask(axis);
    }
    parameters.InDouble = this->GetExactMode();
    return CudaFilters::MakeSeparableConvolutionOperation(parameters,
                                                          CudaFilters::GetPixelTypes<TInputImage, TOutputImage>());
  }
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaSeparableConvolutionImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                                                  \
                       CudaSeparableConvolutionImageFilter,                                     \
                       CudaExactModeImageFilter,                                                \
                       SeparableConvolutionImageFilter,                                         \
                       Image<TPixel, VDimension>,                                               \
                       Image<TPixel, VDimension>)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaSeparableConvolutionImageFilter);
} // namespace itk

#endif
