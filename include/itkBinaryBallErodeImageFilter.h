// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkBinaryBallErodeImageFilter_h
#define itkBinaryBallErodeImageFilter_h

#include "itkBinaryBallMorphologyImageFilter.h"

namespace itk
{
/** \class BinaryBallErodeImageFilter
 * \brief Shrinks objects by an exact ball of any radius.
 *
 * Objects are the pixels of the foreground value. Object pixels within the radius of another pixel of the image get the
 * background value; others keep their values. Pixels outside the image count as objects. The result is that of
 * BinaryErodeImageFilter with a kernel of all offsets of the ball, which exists for whole radii in pixels
 * (FlatStructuringElement::Ball() with a parametric radius). See BinaryBallMorphologyImageFilter for the ball.
 *
 * This is the CPU filter; CudaBinaryBallErodeImageFilter computes the same on a CUDA device.
 *
 * \code
 * auto filter = itk::BinaryBallErodeImageFilter<MaskType>::New();
 * filter->SetInput(mask);
 * filter->SetForegroundValue(1);
 * filter->SetBackgroundValue(0);
 * filter->SetRadius(2.5); // millimetres
 * \endcode
 *
 * \sa CudaBinaryBallErodeImageFilter, BinaryErodeImageFilter, BinaryBallMorphologyImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT BinaryBallErodeImageFilter : public BinaryBallMorphologyImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(BinaryBallErodeImageFilter);

  using Self = BinaryBallErodeImageFilter;
  using Superclass = BinaryBallMorphologyImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "BinaryBallErodeImageFilter";
  }

  using typename Superclass::OutputPixelType;

  /** Set/Get the value of object pixels that cease to be object. Default: the least value of the pixel type, as in
   * BinaryErodeImageFilter. */
  /**@{*/
  itkSetMacro(BackgroundValue, OutputPixelType);
  itkGetConstMacro(BackgroundValue, OutputPixelType);
  /**@}*/

protected:
  BinaryBallErodeImageFilter() = default;
  ~BinaryBallErodeImageFilter() override = default;

  /** Objects shrink. */
  bool
  IsErosion() const override
  {
    return true;
  }
  /** The value of the background. */
  OutputPixelType
  GetNewValue() const override
  {
    return m_BackgroundValue;
  }

  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    os << indent
       << "BackgroundValue: " << static_cast<typename NumericTraits<OutputPixelType>::PrintType>(m_BackgroundValue)
       << std::endl;
  }

private:
  OutputPixelType m_BackgroundValue = NumericTraits<OutputPixelType>::NonpositiveMin();
};
} // namespace itk

#endif
