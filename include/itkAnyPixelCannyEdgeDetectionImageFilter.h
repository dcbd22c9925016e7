// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkAnyPixelCannyEdgeDetectionImageFilter_h
#define itkAnyPixelCannyEdgeDetectionImageFilter_h

#include "itkCannyEdgeDetectionImageFilter.h"
#include <type_traits>

namespace itk
{
/** \class AnyPixelCannyEdgeDetectionImageFilter
 * \brief CannyEdgeDetectionImageFilter for images of any scalar pixels, on the CPU.
 *
 * CannyEdgeDetectionImageFilter takes and gives images of one and the same type, with float or double pixels. This
 * filter converts the input to that, runs it, and converts its output, an image of zeros and ones. It computes with
 * double pixels if those of the input or the output are double, else with float.
 *
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT AnyPixelCannyEdgeDetectionImageFilter : public ImageToImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(AnyPixelCannyEdgeDetectionImageFilter);

  using Self = AnyPixelCannyEdgeDetectionImageFilter;
  using Superclass = ImageToImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "AnyPixelCannyEdgeDetectionImageFilter";
  }

  using InputImageType = TInputImage;
  using OutputImageType = TOutputImage;

  static constexpr unsigned int ImageDimension = TOutputImage::ImageDimension;

  /** What the edges are computed with. */
  using RealPixelType = std::conditional_t<std::is_same<typename TInputImage::PixelType, double>::value ||
                                             std::is_same<typename TOutputImage::PixelType, double>::value,
                                           double,
                                           float>;
  using RealImageType = Image<RealPixelType, ImageDimension>;
  using CannyFilterType = CannyEdgeDetectionImageFilter<RealImageType, RealImageType>;
  using ArrayType = typename CannyFilterType::ArrayType;

  /** Set/Get the variance of the Gaussian smoothing, along each axis. */
  itkSetMacro(Variance, ArrayType);
  itkGetConstMacro(Variance, const ArrayType);
  void
  SetVariance(double variance)
  {
    this->SetVariance(MakeFilled(variance));
  }

  /** Set/Get the share of the Gaussian that its mask may cut off, along each axis. */
  itkSetMacro(MaximumError, ArrayType);
  itkGetConstMacro(MaximumError, const ArrayType);
  void
  SetMaximumError(double error)
  {
    this->SetMaximumError(MakeFilled(error));
  }

  /** Set/Get the magnitude of the gradient over which a pixel is an edge by itself. */
  itkSetMacro(UpperThreshold, RealPixelType);
  itkGetConstMacro(UpperThreshold, RealPixelType);

  /** Set/Get the magnitude of the gradient over which a pixel is an edge if it hangs together with one. */
  itkSetMacro(LowerThreshold, RealPixelType);
  itkGetConstMacro(LowerThreshold, RealPixelType);

  /** The magnitude of the gradient on the edges before hysteresis, 0 elsewhere, of the last run; nullptr if that did
   * not keep it. */
  itkGetModifiableObjectMacro(NonMaximumSuppressionImage, RealImageType);

protected:
  AnyPixelCannyEdgeDetectionImageFilter() = default;
  ~AnyPixelCannyEdgeDetectionImageFilter() override = default;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  void
  GenerateInputRequestedRegion() override;

  void
  EnlargeOutputRequestedRegion(DataObject * output) override;

  void
  GenerateData() override;

  typename RealImageType::Pointer m_NonMaximumSuppressionImage;

private:
  static ArrayType
  MakeFilled(double value)
  {
    ArrayType array;
    array.Fill(value);
    return array;
  }

  ArrayType     m_Variance = MakeFilled(0.0);
  ArrayType     m_MaximumError = MakeFilled(0.01);
  RealPixelType m_UpperThreshold = 0;
  RealPixelType m_LowerThreshold = 0;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkAnyPixelCannyEdgeDetectionImageFilter.hxx"
#endif

#endif
