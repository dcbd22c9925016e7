// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDanielssonDistanceMapImageFilter_h
#define itkCudaDanielssonDistanceMapImageFilter_h

#include "CudaFilters/detail/Instances.h"
#include "itkCudaNearestObjectBaseImageFilter.h"
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
 * \sa DanielssonDistanceMapImageFilter, CudaSignedDanielssonDistanceMapImageFilter,
 *     CudaSignedMaurerDistanceMapImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage, typename TVoronoiImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaDanielssonDistanceMapImageFilter
  : public CudaNearestObjectBaseImageFilter<DanielssonDistanceMapImageFilter<TInputImage, TOutputImage, TVoronoiImage>>
{
public:
  itkCudaFilterMacro(
    CudaDanielssonDistanceMapImageFilter,
    CudaNearestObjectBaseImageFilter<DanielssonDistanceMapImageFilter<TInputImage, TOutputImage, TVoronoiImage>>);

protected:
  CudaDanielssonDistanceMapImageFilter() = default;
  ~CudaDanielssonDistanceMapImageFilter() override = default;

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    CudaFilters::DistanceMapParameters parameters = this->MakeParameters();
    parameters.IsBinary = this->GetInputIsBinary();
    return this->MakeNearestOperation(parameters);
  }
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaDanielssonDistanceMapImageFilter(prefix, TPixel, VDimension)               \
  prefix template class DanielssonDistanceMapImageFilter<Image<TPixel, VDimension>, Image<float, VDimension>>; \
  prefix template class CudaAcceleratedImageFilter<                                                            \
    DanielssonDistanceMapImageFilter<Image<TPixel, VDimension>, Image<float, VDimension>>>;                    \
  prefix template class CudaDistanceMapBaseImageFilter<                                                        \
    DanielssonDistanceMapImageFilter<Image<TPixel, VDimension>, Image<float, VDimension>>>;                    \
  prefix template class CudaNearestObjectBaseImageFilter<                                                      \
    DanielssonDistanceMapImageFilter<Image<TPixel, VDimension>, Image<float, VDimension>>>;                    \
  prefix template class CudaDanielssonDistanceMapImageFilter<Image<TPixel, VDimension>, Image<float, VDimension>>

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaDanielssonDistanceMapImageFilter);
} // namespace itk

#endif
