// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaSignedMaurerDistanceMapImageFilter_h
#define itkCudaSignedMaurerDistanceMapImageFilter_h

#include "CudaFilters/detail/Instances.h"
#include "itkCudaDistanceMapBaseImageFilter.h"
#include "itkSignedMaurerDistanceMapImageFilter.h"

namespace itk
{
/** \class CudaSignedMaurerDistanceMapImageFilter
 * \brief The exact signed Euclidean distance to the contour of objects, on a CUDA device.
 *
 * Objects are the pixels that differ from the background value; their contour are the object pixels with a background
 * pixel beside them, diagonally or not. Each pixel of the output is the distance of its centre to the centre of the
 * nearest pixel of the contour, with one sign inside the objects and the other one outside. Use it for level sets and
 * shape interpolation. CudaBinaryBallDilateImageFilter and CudaBinaryBallErodeImageFilter grow and shrink objects
 * by a distance. Other strategies than the default one approximate distances, for comparison (see SetStrategy()).
 *
 * Parameters and results are those of SignedMaurerDistanceMapImageFilter. If the spacings along the axes are multiples
 * of a common unit (of at least a sixteenth of the smallest one), or if UseImageSpacing is off, squared distances are
 * exact integers, which are rounded to the pixel type at the end. Other spacings are computed in double precision.
 * ITK's filter computes in the precision of the output pixels: in float, its squared distances beyond 2^24 are rounded.
 *
 * As in ITK's filter, there is no contour if all pixels are objects, or none: then the squared distance is the largest
 * number of the output pixel type everywhere.
 *
 * \code
 * auto distance = itk::CudaSignedMaurerDistanceMapImageFilter<MaskType, itk::Image<float, 3>>::New();
 * distance->SetInput(mask);
 * distance->SquaredDistanceOff();
 * \endcode
 *
 * \sa SignedMaurerDistanceMapImageFilter, CudaBinaryBallDilateImageFilter, CudaBinaryBallErodeImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaSignedMaurerDistanceMapImageFilter
  : public CudaDistanceMapBaseImageFilter<SignedMaurerDistanceMapImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaSignedMaurerDistanceMapImageFilter,
                     CudaDistanceMapBaseImageFilter<SignedMaurerDistanceMapImageFilter<TInputImage, TOutputImage>>);

  /** Set/Get how distances are found on a device. Default: Exact. The wavefronts need the whole image on one device;
   * the CPU computes exact distances, whatever the strategy is. */
  itkSetMacro(Strategy, CudaDistanceStrategyEnum);
  itkGetConstMacro(Strategy, CudaDistanceStrategyEnum);

protected:
  CudaSignedMaurerDistanceMapImageFilter() = default;
  ~CudaSignedMaurerDistanceMapImageFilter() override = default;

  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    os << indent << "Strategy: " << m_Strategy << std::endl;
  }

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    CudaFilters::DistanceMapParameters parameters = this->MakeParameters();
    parameters.IsSquared = this->GetSquaredDistance();
    parameters.Background = static_cast<double>(this->GetBackgroundValue());
    parameters.InsideIsPositive = this->GetInsideIsPositive();
    parameters.Strategy = m_Strategy;
    return CudaFilters::MakeDistanceMapOperation(parameters, CudaFilters::GetPixelTypes<TInputImage, TOutputImage>());
  }

private:
  CudaDistanceStrategyEnum m_Strategy = CudaDistanceStrategyEnum::Exact;
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaSignedMaurerDistanceMapImageFilter(prefix, TPixel, VDimension)               \
  prefix template class SignedMaurerDistanceMapImageFilter<Image<TPixel, VDimension>, Image<float, VDimension>>; \
  prefix template class CudaAcceleratedImageFilter<                                                              \
    SignedMaurerDistanceMapImageFilter<Image<TPixel, VDimension>, Image<float, VDimension>>>;                    \
  prefix template class CudaDistanceMapBaseImageFilter<                                                          \
    SignedMaurerDistanceMapImageFilter<Image<TPixel, VDimension>, Image<float, VDimension>>>;                    \
  prefix template class CudaSignedMaurerDistanceMapImageFilter<Image<TPixel, VDimension>, Image<float, VDimension>>

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaSignedMaurerDistanceMapImageFilter);
} // namespace itk

#endif
