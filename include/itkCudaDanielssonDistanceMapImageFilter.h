// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDanielssonDistanceMapImageFilter_h
#define itkCudaDanielssonDistanceMapImageFilter_h

#include "CudaFilters/detail/Instances.h"
#include "itkCudaBackedImage.h"
#include "itkCudaDistanceMapBaseImageFilter.h"
#include "itkDanielssonDistanceMapImageFilter.h"

namespace itk
{
/** \class CudaDanielssonDistanceMapImageFilter
 * \brief The nearest object pixel of each pixel, on a CUDA device: its distance, its label, and where it is.
 *
 * Objects are the pixels that are not 0. Parameters and outputs are those of DanielssonDistanceMapImageFilter:
 * - GetDistanceMap(), or GetOutput(): the Euclidean distance to the nearest object pixel, 0 in objects
 * - GetVoronoiMap(): the label of this pixel, which is its value in the input, or 1 if InputIsBinary is on
 * - GetVectorDistanceMap(): the offset from a pixel to its nearest object pixel
 *
 * On a device, the nearest object pixel is exact. ITK's filter propagates offsets from neighbour to neighbour, which
 * misses the nearest object pixel in a few places, where the distance of ITK's filter is greater than that of this one
 * (see Documentation/Distances.md). Of object pixels at the same distance, this filter takes the first one of the
 * image, if the distances are exact (see CudaSignedMaurerDistanceMapImageFilter for spacings); which one ITK's filter
 * takes depends on its order of visits.
 *
 * All pixels are computed from all pixels of the input, whatever region is requested. (ITK's filter ignores objects
 * outside the requested region.) An image without objects is passed to ITK's filter.
 *
 * \code
 * auto nearest = itk::CudaDanielssonDistanceMapImageFilter<LabelImageType, itk::Image<float, 3>>::New();
 * nearest->SetInput(labels);
 * nearest->Update();
 * auto cells = nearest->GetVoronoiMap(); // labels grown over the whole image
 * \endcode
 *
 * \sa DanielssonDistanceMapImageFilter, CudaSignedMaurerDistanceMapImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage, typename TVoronoiImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaDanielssonDistanceMapImageFilter
  : public CudaDistanceMapBaseImageFilter<DanielssonDistanceMapImageFilter<TInputImage, TOutputImage, TVoronoiImage>>
{
public:
  itkCudaFilterMacro(
    CudaDanielssonDistanceMapImageFilter,
    CudaDistanceMapBaseImageFilter<DanielssonDistanceMapImageFilter<TInputImage, TOutputImage, TVoronoiImage>>);

  using typename Superclass::DataObjectPointer;
  using typename Superclass::DataObjectPointerArraySizeType;
  using typename Superclass::OutputImageType;
  using typename Superclass::VectorImageType;
  using typename Superclass::VoronoiImageType;

  /** The outputs, as in the superclass, with valid pixels on the host (see CudaAcceleratedImageFilter::GetOutput()). */
  /**@{*/
  OutputImageType *
  GetDistanceMap()
  {
    return Superclass::ShowOnHost(Superclass::GetDistanceMap());
  }
  VoronoiImageType *
  GetVoronoiMap()
  {
    return Superclass::ShowOnHost(Superclass::GetVoronoiMap());
  }
  VectorImageType *
  GetVectorDistanceMap();
  /**@}*/

  /** Keeps the offsets on the device until this class's GetVectorDistanceMap() is called. Otherwise, each Update() of a
   * program downloads them, 8 bytes per axis and pixel, since an image of their type cannot tell when it is read. Call
   * it if nothing else reads the third output. */
  void
  KeepOffsetsOnDevice();

  using Superclass::MakeOutput;
  DataObjectPointer
  MakeOutput(DataObjectPointerArraySizeType index) override;

protected:
  CudaDanielssonDistanceMapImageFilter();
  ~CudaDanielssonDistanceMapImageFilter() override = default;

  bool
  SupportsPixelTypes() const override;

  void
  CollectImages(CudaFilters::ImageList & images) override;

  CudaFilters::OperationPointer
  MakeOperation() override;

private:
  using BackedVectorImageType = CudaBackedImage<typename VectorImageType::PixelType, VectorImageType::ImageDimension>;

  /** The offsets, if they may stay on the device. */
  BackedVectorImageType *
  GetBackedOffsets();
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaDanielssonDistanceMapImageFilter.hxx"
#endif

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaDanielssonDistanceMapImageFilter(prefix, TPixel, VDimension)               \
  prefix template class DanielssonDistanceMapImageFilter<Image<TPixel, VDimension>, Image<float, VDimension>>; \
  prefix template class CudaAcceleratedImageFilter<                                                            \
    DanielssonDistanceMapImageFilter<Image<TPixel, VDimension>, Image<float, VDimension>>>;                    \
  prefix template class CudaDistanceMapBaseImageFilter<                                                        \
    DanielssonDistanceMapImageFilter<Image<TPixel, VDimension>, Image<float, VDimension>>>;                    \
  prefix template class CudaDanielssonDistanceMapImageFilter<Image<TPixel, VDimension>, Image<float, VDimension>>

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaDanielssonDistanceMapImageFilter);
} // namespace itk

#endif
