// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaCannyEdgeDetectionImageFilter_h
#define itkCudaCannyEdgeDetectionImageFilter_h

#include "itkCastingCannyEdgeDetectionImageFilter.h"
#include "itkCudaExactModeImageFilter.h"
#include <memory>

namespace itk
{
namespace CudaFilters
{
struct CannyStages;
}

/** \class CudaCannyEdgeDetectionImageFilter
 * \brief Canny's edge detector in 2-D and 3-D on a CUDA device.
 *
 * Finds thin, connected edges (J. Canny, A Computational Approach to Edge Detection, IEEE Transactions on Pattern
 * Analysis and Machine Intelligence, 1986). Parameters, stages and results are those of CannyEdgeDetectionImageFilter:
 * Gaussian smoothing with Variance, the second derivative along the gradient, its zero crossings where the third
 * derivative is not positive, and hysteresis between LowerThreshold and UpperThreshold.
 *
 * ITK's class cannot be derived from, and takes float and double pixels only; this one derives from
 * CastingCannyEdgeDetectionImageFilter, which has the same methods for all scalar pixels.
 *
 * The smoothed image equals ITK's bit by bit. Its derivatives are computed in single precision for float pixels, so
 * that a few edge pixels in a million may differ from ITK's; with ExactMode on, none differs.
 *
 * Derivatives, zero crossings and thresholds are one pass over the smoothed image. Hysteresis joins connected
 * candidates by parallel union-find, so that an edge that winds through the whole image takes no longer than others. An
 * image that does not fit into device memory is computed in tiles, and its edges are linked across the borders of the
 * tiles.
 *
 * The filter always computes the whole image, since an edge may begin anywhere. With ReuseStages on, it keeps on the
 * device what new thresholds do not change, and takes a fraction of the time for them.
 *
 * \code
 * auto canny = itk::CudaCannyEdgeDetectionImageFilter<ImageType, itk::Image<unsigned char, 3>>::New();
 * canny->SetInput(image);
 * canny->SetVariance(2.0);
 * \endcode
 *
 * \sa EdgeQualityCalculator
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaCannyEdgeDetectionImageFilter
  : public CudaExactModeImageFilter<CastingCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaCannyEdgeDetectionImageFilter,
                     CudaExactModeImageFilter<CastingCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>>);

  using typename Superclass::RealImageType;

  /** Set/Get whether the gradient magnitude before hysteresis is kept for GetNonMaximumSuppressionImage(), which takes
   * time and memory. On the CPU it is always kept. Default: off. */
  itkSetMacro(KeepNonMaximumSuppressionImage, bool);
  itkGetConstMacro(KeepNonMaximumSuppressionImage, bool);
  itkBooleanMacro(KeepNonMaximumSuppressionImage);

protected:
  CudaCannyEdgeDetectionImageFilter() = default;
  ~CudaCannyEdgeDetectionImageFilter() override = default;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  CudaFilters::OperationPointer
  MakeOperation() override;

  void
  GenerateDataOnCPU() override;

private:
  using typename Superclass::StageKey;

  bool m_KeepNonMaximumSuppressionImage = false;

  std::shared_ptr<CudaFilters::CannyStages> m_Stages; // for the next run, if ReuseStages is on
  StageKey                                  m_DeviceStageKey;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaCannyEdgeDetectionImageFilter.hxx"
#endif

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaCannyEdgeDetectionImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                                                \
                       CudaCannyEdgeDetectionImageFilter,                                     \
                       CudaExactModeImageFilter,                                              \
                       CastingCannyEdgeDetectionImageFilter,                                  \
                       Image<TPixel, VDimension>,                                             \
                       Image<TPixel, VDimension>)
#define CUDAFILTERS_INSTANCE_OF_CudaCannyToUnsignedChar(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                                      \
                       CudaCannyEdgeDetectionImageFilter,                           \
                       CudaExactModeImageFilter,                                    \
                       CastingCannyEdgeDetectionImageFilter,                        \
                       Image<TPixel, VDimension>,                                   \
                       Image<unsigned char, VDimension>)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaCannyEdgeDetectionImageFilter);
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaCannyToUnsignedChar);
} // namespace itk

#endif
