// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaSeparableConvolutionImageFilter_h
#define itkCudaSeparableConvolutionImageFilter_h

#include "itkCudaSeparableImageFilter.h"
#include "itkSeparableConvolutionImageFilter.h"

namespace itk
{
/** \class CudaSeparableConvolutionImageFilter
 * \brief Convolves an image with any 1-D mask an axis, on a CUDA device where there is one.
 *
 * Parameters and results are those of SeparableConvolutionImageFilter.
 *
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaSeparableConvolutionImageFilter
  : public CudaSeparableImageFilter<SeparableConvolutionImageFilter<TInputImage, TOutputImage>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaSeparableConvolutionImageFilter);

  using Self = CudaSeparableConvolutionImageFilter;
  using Superclass = CudaSeparableImageFilter<SeparableConvolutionImageFilter<TInputImage, TOutputImage>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaSeparableConvolutionImageFilter";
  }

protected:
  CudaSeparableConvolutionImageFilter() = default;
  ~CudaSeparableConvolutionImageFilter() override = default;

  CudaFilters::SeparableConvolution
  MakeConvolution() const override
  {
    CudaFilters::SeparableConvolution convolution;
    for (unsigned int axis = 0; axis < Superclass::ImageDimension && axis < convolution.Masks.size(); ++axis)
    {
      convolution.Masks[axis] = this->GetMask(axis);
    }
    return convolution;
  }
};
} // namespace itk

#endif
