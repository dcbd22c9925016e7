// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkBinaryBallMorphologyImageFilter_h
#define itkBinaryBallMorphologyImageFilter_h

#include "itkImageToImageFilter.h"

namespace itk
{
/** \class BinaryBallMorphologyImageFilter
 * \brief What BinaryBallDilateImageFilter and BinaryBallErodeImageFilter have in common.
 *
 * A pixel is in the ball around another one if the distance of their centres is at most the radius. The ball has any
 * radius, in physical units or, if UseImageSpacing is off, in pixels; the computation takes the same time for all
 * radii. A distance that exceeds the radius by a relative error of 1e-12 or less counts as equal to it, so that
 * three spacings of 0.1 are within a radius of 0.3. (If the spacings have no common unit of at least a sixteenth of the
 * smallest one, distances on the CPU may have greater errors far from the origin of a large image.)
 *
 * All pixels are computed from all pixels of the input, whatever region is requested.
 *
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT BinaryBallMorphologyImageFilter : public ImageToImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(BinaryBallMorphologyImageFilter);

  using Self = BinaryBallMorphologyImageFilter;
  using Superclass = ImageToImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "BinaryBallMorphologyImageFilter";
  }

  using InputImageType = TInputImage;
  using OutputImageType = TOutputImage;
  using InputPixelType = typename TInputImage::PixelType;
  using OutputPixelType = typename TOutputImage::PixelType;

  static constexpr unsigned int ImageDimension = TOutputImage::ImageDimension;
  static_assert(ImageDimension >= 2, "SignedMaurerDistanceMapImageFilter is for two dimensions or more.");

  /** Set/Get the radius of the ball, which is not negative. Default: 1. */
  /**@{*/
  void
  SetRadius(double radius);
  itkGetConstMacro(Radius, double);
  /**@}*/

  /** Set/Get the value of objects. Default: the largest value of the pixel type, as in BinaryDilateImageFilter. */
  /**@{*/
  itkSetMacro(ForegroundValue, InputPixelType);
  itkGetConstMacro(ForegroundValue, InputPixelType);
  /**@}*/

  /** Set/Get whether the radius is in physical units. Default: true. */
  /**@{*/
  itkSetMacro(UseImageSpacing, bool);
  itkGetConstMacro(UseImageSpacing, bool);
  itkBooleanMacro(UseImageSpacing);
  /**@}*/

protected:
  BinaryBallMorphologyImageFilter() = default;
  ~BinaryBallMorphologyImageFilter() override = default;

  /** Whether objects shrink. */
  virtual bool
  IsErosion() const = 0;

  /** The value of pixels that become object, or cease to be object. */
  virtual OutputPixelType
  GetNewValue() const = 0;

  /** The greatest squared distance in the ball. */
  double
  GetLargestSquaredDistance() const
  {
    return m_Radius * m_Radius * (1.0 + 2e-12);
  }

  void
  EnlargeOutputRequestedRegion(DataObject * output) override;
  void
  GenerateInputRequestedRegion() override;

  void
  GenerateData() override;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  double         m_Radius = 1.0;
  InputPixelType m_ForegroundValue = NumericTraits<InputPixelType>::max();
  bool           m_UseImageSpacing = true;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkBinaryBallMorphologyImageFilter.hxx"
#endif

#endif
