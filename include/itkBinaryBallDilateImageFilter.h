// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkBinaryBallDilateImageFilter_h
#define itkBinaryBallDilateImageFilter_h

#include "itkBinaryBallMorphologyImageFilter.h"

namespace itk
{
/** \class BinaryBallDilateImageFilter
 * \brief Grows objects by an exact ball of any radius.
 *
 * Objects are the pixels of the foreground value. All pixels within the radius of an object become objects, too; others
 * keep their values. The result is that of BinaryDilateImageFilter with a kernel of all offsets of the ball, which
 * exists for whole radii in pixels (FlatStructuringElement::Ball() with a parametric radius). See
 * BinaryBallMorphologyImageFilter for the ball.
 *
 * This is the CPU filter; CudaBinaryBallDilateImageFilter computes the same on a CUDA device.
 *
 * \code
 * auto filter = itk::BinaryBallDilateImageFilter<MaskType>::New();
 * filter->SetInput(mask);
 * filter->SetForegroundValue(1);
 * filter->SetRadius(2.5); // millimetres
 * \endcode
 *
 * \sa CudaBinaryBallDilateImageFilter, BinaryDilateImageFilter, BinaryBallMorphologyImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT BinaryBallDilateImageFilter
  : public BinaryBallMorphologyImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(BinaryBallDilateImageFilter);

  using Self = BinaryBallDilateImageFilter;
  using Superclass = BinaryBallMorphologyImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "BinaryBallDilateImageFilter";
  }

  using typename Superclass::OutputPixelType;

protected:
  BinaryBallDilateImageFilter() = default;
  ~BinaryBallDilateImageFilter() override = default;

  /** Objects grow. */
  bool
  IsErosion() const override
  {
    return false;
  }
  /** The value of objects. */
  OutputPixelType
  GetNewValue() const override
  {
    return static_cast<OutputPixelType>(this->GetForegroundValue());
  }
};
} // namespace itk

#endif
