// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaReconstructionBaseImageFilter_hxx
#define itkCudaReconstructionBaseImageFilter_hxx

#include "itkCudaReconstructionBaseImageFilter.h"
#include "CudaFilters/DeviceError.h"

namespace itk
{
template <typename TParent>
CudaFilters::OperationPointer
CudaReconstructionBaseImageFilter<TParent>::MakeOperation()
{
  const auto & marker = this->GetInput()->GetRequestedRegion();
  const auto & mask = this->GetReconstructionMask()->GetRequestedRegion();
  if (marker.GetSize() != mask.GetSize())
  {
    throw CudaFilters::DeviceError(CudaFilters::DeviceError::Kind::BadInput, "marker and mask have different sizes");
  }
  if (marker.GetIndex() != mask.GetIndex())
  {
    this->LeaveToParent("marker and mask have different indices");
    itkExceptionMacro("Marker and mask must begin at the same index: " << marker.GetIndex() << " and "
                                                                       << mask.GetIndex() << '.');
  }

  m_Statistics = {};
  CudaFilters::ReconstructionParameters parameters;
  parameters.Dimension = Superclass::ImageDimension;
  parameters.IsFullyConnected = this->GetFullyConnected();
  parameters.Strategy = m_Strategy;
  parameters.Statistics = &m_Statistics;
  this->Describe(parameters);
  return CudaFilters::MakeReconstructionOperation(parameters,
                                                  CudaFilters::GetPixelTypes<InputImageType, OutputImageType>());
}

template <typename TParent>
void
CudaReconstructionBaseImageFilter<TParent>::CollectImages(CudaFilters::ImageList & images)
{
  Superclass::CollectImages(images);
  if constexpr (CudaFilters::IsDeviceImage<InputImageType>())
  {
    if (this->GetReconstructionMask() != this->GetInput())
    {
      images.AddInput(this->GetReconstructionMask());
    }
  }
}

template <typename TParent>
void
CudaReconstructionBaseImageFilter<TParent>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  os << indent << "Strategy: " << m_Strategy << std::endl;
  os << indent << "NumberOfDeviceTiles: " << this->GetNumberOfDeviceTiles() << std::endl;
  os << indent << "NumberOfVisits: " << this->GetNumberOfVisits() << std::endl;
  os << indent << "NumberOfSweeps: " << this->GetNumberOfSweeps() << std::endl;
  os << indent << "NumberOfLaunches: " << this->GetNumberOfLaunches() << std::endl;
}
} // namespace itk

#endif
