// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaSignedDanielssonDistanceMapImageFilter_h
#define itkCudaSignedDanielssonDistanceMapImageFilter_h

#include "CudaFilters/detail/Instances.h"
#include "itkCudaNearestObjectBaseImageFilter.h"
#include "itkSignedDanielssonDistanceMapImageFilter.h"

namespace itk
{
/** \class CudaSignedDanielssonDistanceMapImageFilter
 * \brief As CudaDanielssonDistanceMapImageFilter, with distances that are negative inside objects.
 *
 * Parameters and outputs are those of SignedDanielssonDistanceMapImageFilter. Outside objects, GetDistanceMap() is the
 * distance to the nearest object pixel; inside, it is minus the distance to the nearest pixel that is background, or
 * has background beside it. So the outermost pixels of objects are 0, as in CudaSignedMaurerDistanceMapImageFilter. (In
 * volumes, background at the corner of a voxel alone does not count; there, the two filters differ.) InsideIsPositive
 * reverses the signs. The other two outputs are those of CudaDanielssonDistanceMapImageFilter: in an object pixel, its
 * own label, and an offset of 0.
 *
 * On a device, distances are exact; those of ITK's filter are not always (see CudaDanielssonDistanceMapImageFilter).
 * An image without objects, or without background, is passed to ITK's filter.
 *
 * If only the distances are wanted, CudaSignedMaurerDistanceMapImageFilter takes less time and memory.
 *
 * \code
 * auto nearest = itk::CudaSignedDanielssonDistanceMapImageFilter<LabelImageType, itk::Image<float, 3>>::New();
 * nearest->SetInput(labels);
 * nearest->Update();
 * auto depth = nearest->GetDistanceMap(); // negative inside
 * auto cells = nearest->GetVoronoiMap();
 * \endcode
 *
 * \sa SignedDanielssonDistanceMapImageFilter, CudaDanielssonDistanceMapImageFilter,
 *     CudaSignedMaurerDistanceMapImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage, typename TVoronoiImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaSignedDanielssonDistanceMapImageFilter
  : public CudaNearestObjectBaseImageFilter<
      SignedDanielssonDistanceMapImageFilter<TInputImage, TOutputImage, TVoronoiImage>>
{
public:
  itkCudaFilterMacro(
    CudaSignedDanielssonDistanceMapImageFilter,
    CudaNearestObjectBaseImageFilter<SignedDanielssonDistanceMapImageFilter<TInputImage, TOutputImage, TVoronoiImage>>);

protected:
  CudaSignedDanielssonDistanceMapImageFilter() = default;
  ~CudaSignedDanielssonDistanceMapImageFilter() override = default;

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    CudaFilters::DistanceMapParameters parameters = this->MakeParameters();
    parameters.IsSigned = true;
    parameters.InsideIsPositive = this->GetInsideIsPositive();
    return this->MakeNearestOperation(parameters);
  }

  bool
  KeepsFormerPixelsInParent() const override
  {
    return true; // it grafts the outputs of filters that it creates for each run
  }
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaSignedDanielssonDistanceMapImageFilter(prefix, TPixel, VDimension)               \
  prefix template class SignedDanielssonDistanceMapImageFilter<Image<TPixel, VDimension>, Image<float, VDimension>>; \
  prefix template class CudaAcceleratedImageFilter<                                                                  \
    SignedDanielssonDistanceMapImageFilter<Image<TPixel, VDimension>, Image<float, VDimension>>>;                    \
  prefix template class CudaDistanceMapBaseImageFilter<                                                              \
    SignedDanielssonDistanceMapImageFilter<Image<TPixel, VDimension>, Image<float, VDimension>>>;                    \
  prefix template class CudaNearestObjectBaseImageFilter<                                                            \
    SignedDanielssonDistanceMapImageFilter<Image<TPixel, VDimension>, Image<float, VDimension>>>;                    \
  prefix template class CudaSignedDanielssonDistanceMapImageFilter<Image<TPixel, VDimension>, Image<float, VDimension>>

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaSignedDanielssonDistanceMapImageFilter);
} // namespace itk

#endif
