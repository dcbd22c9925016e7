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
 * \brief Convolves an image with one 1-D mask an axis.
 *
 * The value of a pixel is the sum of its neighbors along the axis, each times its weight: the first weight of a mask
 * belongs to the neighbor with the lowest index, the middle one to the pixel itself. (As with ITK's neighborhood
 * operators, the mask is not flipped.) The axes follow one another from the last to the first. In between, values are
 * of NumericTraits<OutputPixelType>::RealType, and only the last is converted to the output's pixel type, by a cast.
 * Beyond the edge of the image, a mask finds the pixel at the edge (ZeroFluxNeumannBoundaryCondition).
 *
 * An axis without a mask is left as it is.
 *
 * This is the CPU filter; CudaSeparableConvolutionImageFilter does the same on a CUDA device.
 *
 * \sa NeighborhoodOperatorImageFilter, DiscreteGaussianImageFilter
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
  using MaskType = std::vector<double>;

  static constexpr unsigned int ImageDimension = TOutputImage::ImageDimension;

  /** The mask of one axis: an odd number of weights, or none for an axis to be left as it is (the default). */
  void
  SetMask(unsigned int axis, const MaskType & mask);
  const MaskType &
  GetMask(unsigned int axis) const;

  /** The same mask for all axes. */
  void
  SetMask(const MaskType & mask);

protected:
  SeparableConvolutionImageFilter() = default;
  ~SeparableConvolutionImageFilter() override = default;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  /** Wider than the output's by half a mask along each axis. */
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
