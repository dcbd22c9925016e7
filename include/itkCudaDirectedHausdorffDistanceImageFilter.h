// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDirectedHausdorffDistanceImageFilter_h
#define itkCudaDirectedHausdorffDistanceImageFilter_h

#include "CudaFilters/detail/Instances.h"
#include "itkCudaHausdorffBaseImageFilter.h"
#include "itkDirectedHausdorffDistanceImageFilter.h"

namespace itk
{
/** \class CudaDirectedHausdorffDistanceImageFilter
 * \brief How far the objects of one image are from those of another one, on a CUDA device: the largest and the average
 * distance.
 *
 * Objects are the pixels that are not 0. For each object pixel of the first image, the exact distance to the nearest
 * object pixel of the second one is computed, which is 0 where the objects overlap. Parameters and results are those of
 * DirectedHausdorffDistanceImageFilter; the average may differ in the last digits, since sums are formed in another
 * order, which depends only on the image and its tiles. The distances themselves are never stored. Use it to find out
 * whether one structure keeps its distance to another one, or is inside it.
 *
 * If the first image has no object, or the second one is larger, ITK's filter runs; in the first case, it throws an
 * exception.
 *
 * \code
 * auto directed = itk::CudaDirectedHausdorffDistanceImageFilter<MaskType, MaskType>::New();
 * directed->SetInput1(tumour);
 * directed->SetInput2(plannedTarget);
 * directed->Update();
 * const bool isCovered = directed->GetDirectedHausdorffDistance() == 0.0;
 * \endcode
 *
 * \sa DirectedHausdorffDistanceImageFilter, CudaHausdorffDistanceImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage1, typename TInputImage2>
class ITK_TEMPLATE_EXPORT CudaDirectedHausdorffDistanceImageFilter
  : public CudaHausdorffBaseImageFilter<DirectedHausdorffDistanceImageFilter<TInputImage1, TInputImage2>>
{
public:
  itkCudaFilterMacro(CudaDirectedHausdorffDistanceImageFilter,
                     CudaHausdorffBaseImageFilter<DirectedHausdorffDistanceImageFilter<TInputImage1, TInputImage2>>);

  using typename Superclass::RealType;

  /** As in the superclass. */
  /**@{*/
  RealType
  GetDirectedHausdorffDistance() const override
  {
    return this->AreDistancesFromDevice() ? static_cast<RealType>(this->GetDistancesFromDevice().From1To2.Largest)
                                          : Superclass::GetDirectedHausdorffDistance();
  }
  RealType
  GetAverageHausdorffDistance() const override
  {
    return this->AreDistancesFromDevice() ? static_cast<RealType>(this->GetDistancesFromDevice().From1To2.Average)
                                          : Superclass::GetAverageHausdorffDistance();
  }
  /**@}*/

protected:
  CudaDirectedHausdorffDistanceImageFilter() = default;
  ~CudaDirectedHausdorffDistanceImageFilter() override = default;

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    return this->MakeHausdorffOperation(/* isSymmetric */ false);
  }
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaDirectedHausdorffDistanceImageFilter(prefix, TPixel, VDimension)                \
  prefix template class DirectedHausdorffDistanceImageFilter<Image<TPixel, VDimension>, Image<TPixel, VDimension>>; \
  prefix template class CudaAcceleratedImageFilter<                                                                 \
    DirectedHausdorffDistanceImageFilter<Image<TPixel, VDimension>, Image<TPixel, VDimension>>>;                    \
  prefix template class CudaDistanceMapBaseImageFilter<                                                             \
    DirectedHausdorffDistanceImageFilter<Image<TPixel, VDimension>, Image<TPixel, VDimension>>>;                    \
  prefix template class CudaHausdorffBaseImageFilter<                                                               \
    DirectedHausdorffDistanceImageFilter<Image<TPixel, VDimension>, Image<TPixel, VDimension>>>;                    \
  prefix template class CudaDirectedHausdorffDistanceImageFilter<Image<TPixel, VDimension>, Image<TPixel, VDimension>>

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaDirectedHausdorffDistanceImageFilter);
} // namespace itk

#endif
