// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkSeparableConvolutionImageFilter_h
#define itkSeparableConvolutionImageFilter_h

#include "itkImageToImageFilter.h"
#include <array>
#include <vector>

namespace itk
{
/** \class SeparableConvolutionImageFilter
 * \brief Convolves an image with one 1-D mask per axis.
 *
 * Many smoothing and derivative filters (Gaussian, box, binomial, Sobel) are separable: consecutive 1-D convolutions
 * along the axes give the same result as one convolution with a dense mask, with much less computation.
 *
 * Along each axis, the value of a pixel is the weighted sum of its neighbors. The first weight of a mask belongs to the
 * neighbor with the lowest index, the middle weight to the pixel itself; as with the neighborhood operators of ITK, the
 * mask is not flipped. The axes are processed from the last to the first. Intermediate values have the type
 * NumericTraits<OutputPixelType>::RealType; only the final values are cast to the output pixel type. Outside the image,
 * a mask reads the nearest border pixel (ZeroFluxNeumannBoundaryCondition). Axes without a mask are not processed; by
 * default no axis has a mask.
 *
 * This is the CPU filter; CudaSeparableConvolutionImageFilter computes the same on a CUDA device.
 *
 * \code
 * auto filter = itk::SeparableConvolutionImageFilter<ImageType>::New();
 * filter->SetInput(image);
 * filter->SetMask({ 0.25, 0.5, 0.25 });
 * \endcode
 *
 * \sa CudaSeparableConvolutionImageFilter, NeighborhoodOperatorImageFilter, DiscreteGaussianImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT SeparableConvolutionImageFilter : public ImageToImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(SeparableConvolutionImageFilter);

  using Self = SeparableConvolutionImageFilter;
  using Superclass = ImageToImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "SeparableConvolutionImageFilter";
  }

  using InputImageType = TInputImage;
  using OutputImageType = TOutputImage;
  using InputPixelType = typename TInputImage::PixelType;
  using OutputPixelType = typename TOutputImage::PixelType;
  using RealPixelType = typename NumericTraits<OutputPixelType>::RealType;
  using RealValueType = typename NumericTraits<RealPixelType>::ValueType;
  using MaskType = std::vector<double>; ///< the weights along one axis

  static constexpr unsigned int ImageDimension = TOutputImage::ImageDimension;

  /** Set/Get the mask of one axis: an odd number of weights, or an empty mask (the default) to skip the axis. Any other
   * mask or an invalid axis throws. */
  void
  SetMask(unsigned int axis, const MaskType & mask);
  const MaskType &
  GetMask(unsigned int axis) const;

  /** Set the same mask for all axes. */
  void
  SetMask(const MaskType & mask);

protected:
  SeparableConvolutionImageFilter() = default;
  ~SeparableConvolutionImageFilter() override = default;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  /** Pads the requested region of the output by half the mask size along each axis. */
  void
  GenerateInputRequestedRegion() override;

  void
  GenerateData() override;

private:
  std::array<MaskType, ImageDimension> m_Masks;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkSeparableConvolutionImageFilter.hxx"
#endif

#endif
