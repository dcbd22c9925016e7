// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaCannyEdgeDetectionImageFilter_h
#define itkCudaCannyEdgeDetectionImageFilter_h

#include "itkAnyPixelCannyEdgeDetectionImageFilter.h"
#include "itkCudaTiledImageFilter.h"
#include "CudaFilters/CannyEdges.h"
#include <type_traits>

namespace itk
{
/** \class CudaCannyEdgeDetectionImageFilter
 * \brief Canny's edge detector, on a CUDA device where there is one.
 *
 * Parameters, stages and results are those of CannyEdgeDetectionImageFilter: Gaussian smoothing, the second derivative
 * along the gradient, its zero crossings where the third derivative is not positive, and hysteresis. That class itself
 * cannot be derived from, and takes float and double pixels only; this one derives from one with the same methods for
 * all pixels.
 *
 * The smoothed image is ITK's, bit by bit. Of float pixels, its derivatives are computed in single precision, in which
 * a few edge pixels in a million come out otherwise than with ITK's filter; with ExactMode on, none.
 *
 * Derivatives, zero crossings and thresholds are one pass over the smoothed image. Hysteresis joins candidates into
 * trees, all at once, and so takes no longer for an edge that winds through the whole image. An image that does not fit
 * the memory is computed in tiles, and its edges linked across their borders.
 *
 * The whole image is computed, whatever region of it is asked for: an edge may begin anywhere.
 *
 * \sa EdgeQualityCalculator
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaCannyEdgeDetectionImageFilter
  : public CudaTiledImageFilter<AnyPixelCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaCannyEdgeDetectionImageFilter);

  using Self = CudaCannyEdgeDetectionImageFilter;
  using Superclass = CudaTiledImageFilter<AnyPixelCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaCannyEdgeDetectionImageFilter";
  }

  using Superclass::ImageDimension;
  using typename Superclass::InputImageType;
  using typename Superclass::InputPixelType;
  using typename Superclass::OutputImageType;
  using typename Superclass::OutputPixelType;
  using typename Superclass::RegionType;

  using typename Superclass::RealImageType;
  using typename Superclass::RealPixelType;

  /** Compute float images as the CPU filter does, and so equal to it on every pixel. Slower. Default: off. Images of
   * double pixels are always computed so. */
  itkSetMacro(ExactMode, bool);
  itkGetConstMacro(ExactMode, bool);
  itkBooleanMacro(ExactMode);

  /** Keep the magnitude of the gradient on the edges before hysteresis for GetNonMaximumSuppressionImage(); it takes
   * time and memory. On the CPU it always is kept. Default: off. */
  itkSetMacro(KeepNonMaximumSuppressionImage, bool);
  itkGetConstMacro(KeepNonMaximumSuppressionImage, bool);
  itkBooleanMacro(KeepNonMaximumSuppressionImage);

protected:
  CudaCannyEdgeDetectionImageFilter() = default;
  ~CudaCannyEdgeDetectionImageFilter() override = default;

  using typename Superclass::Lane;
  using typename Superclass::Tiling;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  void
  BeforeRegionsOnDevice() override;

  RegionType
  GetInputRegionFor(const RegionType & outputRegion) const override;

  SizeValueType
  GetScratchBytesFor(const RegionType & outputRegion) const override;

  void
  GenerateWhole(int device) override;

  void
  GenerateTiles(const Tiling & tiling) override;

private:
  /** Enqueues the search for candidates in a region. */
  void
  FindEdges(CudaFilters::Execution &       execution,
            const InputPixelType *         input,
            const RegionType &             inputRegion,
            const RegionType &             outputRegion,
            const CudaFilters::EdgeMasks & masks);

  CudaFilters::CannyEdges m_Edges;
  bool                    m_ExactMode = false;
  bool                    m_KeepNonMaximumSuppressionImage = false;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaCannyEdgeDetectionImageFilter.hxx"
#endif

#endif
