// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaHausdorffDistanceImageFilter_h
#define itkCudaHausdorffDistanceImageFilter_h

#include "CudaFilters/detail/Instances.h"
#include "itkCudaHausdorffBaseImageFilter.h"
#include "itkHausdorffDistanceImageFilter.h"
#include <algorithm>

namespace itk
{
/** \class CudaHausdorffDistanceImageFilter
 * \brief How far the objects of two images are from each other, on a CUDA device: the largest and the average distance.
 *
 * Of the directed distances from the first image to the second one and back (CudaDirectedHausdorffDistanceImageFilter),
 * the Hausdorff distance is the larger one, and the average distance the mean. Parameters and results are those of
 * HausdorffDistanceImageFilter. Use it to compare a segmentation with a reference. If
 * both images fit into device memory, each is uploaded once.
 *
 * If an image has no object, or the two images have different regions, ITK's filter runs, which throws an exception.
 *
 * \code
 * auto hausdorff = itk::CudaHausdorffDistanceImageFilter<MaskType, MaskType>::New();
 * hausdorff->SetInput1(segmentation);
 * hausdorff->SetInput2(reference);
 * hausdorff->Update();
 * const double worst = hausdorff->GetHausdorffDistance();
 * \endcode
 *
 * \sa HausdorffDistanceImageFilter, CudaDirectedHausdorffDistanceImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage1, typename TInputImage2>
class ITK_TEMPLATE_EXPORT CudaHausdorffDistanceImageFilter
  : public CudaHausdorffBaseImageFilter<HausdorffDistanceImageFilter<TInputImage1, TInputImage2>>
{
public:
  itkCudaFilterMacro(CudaHausdorffDistanceImageFilter,
                     CudaHausdorffBaseImageFilter<HausdorffDistanceImageFilter<TInputImage1, TInputImage2>>);

  using typename Superclass::RealType;

  /** As in the superclass. */
  /**@{*/
  RealType
  GetHausdorffDistance() const override
  {
    const CudaFilters::HausdorffDistances & distances = this->GetDistancesFromDevice();
    return this->AreDistancesFromDevice()
             ? static_cast<RealType>(std::max(distances.From1To2.Largest, distances.From2To1.Largest))
             : Superclass::GetHausdorffDistance();
  }
  RealType
  GetAverageHausdorffDistance() const override
  {
    const CudaFilters::HausdorffDistances & distances = this->GetDistancesFromDevice();
    return this->AreDistancesFromDevice()
             ? static_cast<RealType>((distances.From1To2.Average + distances.From2To1.Average) / 2.0)
             : Superclass::GetAverageHausdorffDistance();
  }
  /**@}*/

protected:
  CudaHausdorffDistanceImageFilter() = default;
  ~CudaHausdorffDistanceImageFilter() override = default;

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    return this->MakeHausdorffOperation(/* isSymmetric */ true);
  }
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaHausdorffDistanceImageFilter(prefix, TPixel, VDimension)                \
  prefix template class HausdorffDistanceImageFilter<Image<TPixel, VDimension>, Image<TPixel, VDimension>>; \
  prefix template class CudaAcceleratedImageFilter<                                                         \
    HausdorffDistanceImageFilter<Image<TPixel, VDimension>, Image<TPixel, VDimension>>>;                    \
  prefix template class CudaDistanceMapBaseImageFilter<                                                     \
    HausdorffDistanceImageFilter<Image<TPixel, VDimension>, Image<TPixel, VDimension>>>;                    \
  prefix template class CudaHausdorffBaseImageFilter<                                                       \
    HausdorffDistanceImageFilter<Image<TPixel, VDimension>, Image<TPixel, VDimension>>>;                    \
  prefix template class CudaHausdorffDistanceImageFilter<Image<TPixel, VDimension>, Image<TPixel, VDimension>>

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaHausdorffDistanceImageFilter);
} // namespace itk

#endif
