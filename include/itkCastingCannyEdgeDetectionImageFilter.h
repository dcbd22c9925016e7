// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCastingCannyEdgeDetectionImageFilter_h
#define itkCastingCannyEdgeDetectionImageFilter_h

#include "itkCannyEdgeDetectionImageFilter.h"
#include <type_traits>

namespace itk
{
/** \class CastingCannyEdgeDetectionImageFilter
 * \brief Detects Canny edges in images of any scalar pixel type, on the CPU.
 *
 * The filter smooths the image with a Gaussian, finds the local maxima of the gradient magnitude along the gradient
 * direction (non-maximum suppression), and keeps the maxima above UpperThreshold together with the maxima above
 * LowerThreshold that are connected to them (hysteresis). The output is 1 at edges and 0 elsewhere. Canny edges are
 * used for segmentation, registration and measurement, where thin connected contours are needed.
 *
 * CannyEdgeDetectionImageFilter requires that input and output have the same type, with float or double pixels. This
 * filter casts the input to such an image, runs CannyEdgeDetectionImageFilter, and casts its result to the output type.
 * It computes in double precision if the input or the output has double pixels, and otherwise in single precision.
 * CudaCannyEdgeDetectionImageFilter computes the same on a CUDA device.
 *
 * J. Canny, "A computational approach to edge detection", IEEE Transactions on Pattern Analysis and Machine
 * Intelligence, 8(6):679-698, 1986.
 *
 * \code
 * auto filter = itk::CastingCannyEdgeDetectionImageFilter<InputImageType, OutputImageType>::New();
 * filter->SetInput(image);
 * filter->SetVariance(2.0);
 * filter->SetUpperThreshold(10);
 * filter->SetLowerThreshold(5);
 * \endcode
 *
 * \sa CannyEdgeDetectionImageFilter, CudaCannyEdgeDetectionImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CastingCannyEdgeDetectionImageFilter : public ImageToImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CastingCannyEdgeDetectionImageFilter);

  using Self = CastingCannyEdgeDetectionImageFilter;
  using Superclass = ImageToImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CastingCannyEdgeDetectionImageFilter";
  }

  using InputImageType = TInputImage;
  using OutputImageType = TOutputImage;

  static constexpr unsigned int ImageDimension = TOutputImage::ImageDimension;

  /** Pixel type of the computation. */
  using RealPixelType = std::conditional_t<std::is_same<typename TInputImage::PixelType, double>::value ||
                                             std::is_same<typename TOutputImage::PixelType, double>::value,
                                           double,
                                           float>;
  using RealImageType = Image<RealPixelType, ImageDimension>;
  using CannyFilterType = CannyEdgeDetectionImageFilter<RealImageType, RealImageType>;
  using ArrayType = typename CannyFilterType::ArrayType;

  /** Set/Get the variance of the Gaussian smoothing per axis. Default: 0. */
  itkSetMacro(Variance, ArrayType);
  itkGetConstMacro(Variance, const ArrayType);
  void
  SetVariance(double variance)
  {
    this->SetVariance(MakeFilled(variance));
  }

  /** Set/Get the maximum truncation error of the Gaussian mask per axis, as a fraction of its area. Default: 0.01. */
  itkSetMacro(MaximumError, ArrayType);
  itkGetConstMacro(MaximumError, const ArrayType);
  void
  SetMaximumError(double error)
  {
    this->SetMaximumError(MakeFilled(error));
  }

  /** Set/Get the gradient magnitude above which a local maximum is an edge. Default: 0. */
  itkSetMacro(UpperThreshold, RealPixelType);
  itkGetConstMacro(UpperThreshold, RealPixelType);

  /** Set/Get the gradient magnitude above which a local maximum connected to an edge is also an edge. Default: 0. */
  itkSetMacro(LowerThreshold, RealPixelType);
  itkGetConstMacro(LowerThreshold, RealPixelType);

  /** Set/Get whether an update after a change of the thresholds alone begins with the gradient magnitude before
   * hysteresis of the update before: for programs that change thresholds often, as when a user drags a slider. The
   * filter keeps it, one real number per pixel; a program must not write to GetNonMaximumSuppressionImage(). As always
   * in ITK, a program that writes to the pixels of the input calls Modified() of the image; Modified() of the filter
   * does not discard what is kept. Default: off. */
  itkSetMacro(ReuseStages, bool);
  itkGetConstMacro(ReuseStages, bool);
  itkBooleanMacro(ReuseStages);

  /** Returns the gradient magnitude of the edges before hysteresis, and 0 elsewhere, from the last run; nullptr if the
   * last run did not store it. */
  itkGetModifiableObjectMacro(NonMaximumSuppressionImage, RealImageType);

protected:
  CastingCannyEdgeDetectionImageFilter() = default;
  ~CastingCannyEdgeDetectionImageFilter() override = default;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  void
  GenerateInputRequestedRegion() override;

  void
  EnlargeOutputRequestedRegion(DataObject * output) override;

  void
  GenerateData() override;

  /** What the stages before hysteresis depend on. */
  struct StageKey
  {
    const TInputImage * Input = nullptr;     ///< the image itself
    ModifiedTimeType    InputTime = 0;       ///< of its last change
    ModifiedTimeType    InputUpdateTime = 0; ///< of its last update
    const void *        Pixels = nullptr;    ///< a grafted image gets new ones unnoticed
    ModifiedTimeType    PixelsTime = 0;      ///< of the last change of the container
    ArrayType           Variance{};          ///< of the smoothing
    ArrayType           MaximumError{};      ///< of the mask

    /** Whether kept stages are those of another run. */
    bool
    operator==(const StageKey & other) const
    {
      return this->Input == other.Input && this->InputTime == other.InputTime &&
             this->InputUpdateTime == other.InputUpdateTime && this->Pixels == other.Pixels &&
             this->PixelsTime == other.PixelsTime && this->Variance == other.Variance &&
             this->MaximumError == other.MaximumError;
    }
  };

  /** For the settings and the input as they are now. */
  StageKey
  GetStageKey() const;

  /** Sets the image before hysteresis to one that is not from the CPU, or to none. */
  void
  SetNonMaximumSuppressionImage(RealImageType * image)
  {
    m_NonMaximumSuppressionImage = image;
    m_CpuStageKey = StageKey();
  }

private:
  /** Whether m_NonMaximumSuppressionImage is that of the last run on the CPU, with the same stages before it. */
  bool
  HasStages(const StageKey & key) const;

  /** Applies hysteresis to m_NonMaximumSuppressionImage. */
  void
  LinkEdges(TOutputImage & output) const;

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
  bool          m_ReuseStages = false;

  typename RealImageType::Pointer m_NonMaximumSuppressionImage;
  StageKey                        m_CpuStageKey;      // of this image, if it is from the CPU and may be used again
  ModifiedTimeType                m_CpuStageTime = 0; // of this image then
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCastingCannyEdgeDetectionImageFilter.hxx"
#endif

#endif
