// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBinaryBallMorphologyImageFilter_h
#define itkCudaBinaryBallMorphologyImageFilter_h

#include "itkCudaDistanceMapBaseImageFilter.h"

namespace itk
{
/** \class CudaBinaryBallMorphologyImageFilter
 * \brief What CudaBinaryBallDilateImageFilter and CudaBinaryBallErodeImageFilter have in common.
 *
 * \ingroup CudaFilters
 */
template <typename TParent>
class ITK_TEMPLATE_EXPORT CudaBinaryBallMorphologyImageFilter : public CudaDistanceMapBaseImageFilter<TParent>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaBinaryBallMorphologyImageFilter);

  using Self = CudaBinaryBallMorphologyImageFilter;
  using Superclass = CudaDistanceMapBaseImageFilter<TParent>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaBinaryBallMorphologyImageFilter";
  }

protected:
  CudaBinaryBallMorphologyImageFilter() = default;
  ~CudaBinaryBallMorphologyImageFilter() override = default;

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    CudaFilters::BallParameters parameters;
    parameters.Distances = this->MakeParameters();
    parameters.LargestSquaredDistance = this->GetLargestSquaredDistance();
    parameters.Foreground = static_cast<double>(this->GetForegroundValue());
    parameters.IsErosion = this->IsErosion();
    parameters.NewValue = static_cast<double>(this->GetNewValue());
    return CudaFilters::MakeBallOperation(
      parameters, CudaFilters::GetPixelTypes<typename TParent::InputImageType, typename TParent::OutputImageType>());
  }
};
} // namespace itk

#endif
