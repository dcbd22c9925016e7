// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNearestObjectBaseImageFilter_hxx
#define itkCudaNearestObjectBaseImageFilter_hxx

#include "itkCudaNearestObjectBaseImageFilter.h"
#include <cstdint>

namespace itk
{
template <typename TParent>
CudaNearestObjectBaseImageFilter<TParent>::CudaNearestObjectBaseImageFilter()
{
  // The constructor of the superclass could not yet call this class's MakeOutput().
  for (unsigned int i = 1; i <= 2; ++i)
  {
    this->SetNthOutput(i, this->Self::MakeOutput(i));
  }
}

template <typename TParent>
auto
CudaNearestObjectBaseImageFilter<TParent>::MakeOutput(DataObjectPointerArraySizeType index) -> DataObjectPointer
{
  return index == 1   ? CudaFilters::OutputImageMaker<VoronoiImageType>::Make()
         : index == 2 ? CudaFilters::OutputImageMaker<VectorImageType>::Make()
                      : Superclass::MakeOutput(index);
}

template <typename TParent>
auto
CudaNearestObjectBaseImageFilter<TParent>::GetBackedOffsets() -> BackedVectorImageType *
{
  return dynamic_cast<BackedVectorImageType *>(Superclass::GetVectorDistanceMap());
}

template <typename TParent>
void
CudaNearestObjectBaseImageFilter<TParent>::KeepOffsetsOnDevice()
{
  if (auto * const offsets = this->GetBackedOffsets())
  {
    offsets->SetHostAccessTracked(true);
  }
}

template <typename TParent>
auto
CudaNearestObjectBaseImageFilter<TParent>::GetVectorDistanceMap() -> VectorImageType *
{
  if (auto * const offsets = this->GetBackedOffsets())
  {
    offsets->GetBufferPointer(); // downloads them
    offsets->SetHostAccessTracked(false);
  }
  return Superclass::ShowOnHost(Superclass::GetVectorDistanceMap());
}

template <typename TParent>
bool
CudaNearestObjectBaseImageFilter<TParent>::SupportsPixelTypes() const
{
  return Superclass::SupportsPixelTypes() && CudaFilters::IsDeviceImage<VoronoiImageType>() &&
         CudaFilters::IsKernelPixel<typename VoronoiImageType::PixelType>();
}

template <typename TParent>
void
CudaNearestObjectBaseImageFilter<TParent>::CollectImages(CudaFilters::ImageList & images)
{
  if constexpr (CudaFilters::IsDeviceImage<InputImageType>() && CudaFilters::IsDeviceImage<OutputImageType>() &&
                CudaFilters::IsDeviceImage<VoronoiImageType>())
  {
    images.AddInput(this->GetInput());
    const auto add = [&](auto * output) {
      output->SetRequestedRegion(this->GetPrimaryOutput());
      images.AddOutput(output);
    };
    add(Superclass::GetDistanceMap());
    add(Superclass::GetVoronoiMap());
    add(Superclass::GetVectorDistanceMap());
  }
}

template <typename TParent>
CudaFilters::OperationPointer
CudaNearestObjectBaseImageFilter<TParent>::MakeNearestOperation(CudaFilters::DistanceMapParameters parameters) const
{
  static_assert(sizeof(OffsetValueType) == sizeof(std::int64_t), "The device writes offsets of 64 bits.");
  parameters.IsSquared = this->GetSquaredDistance();
  return CudaFilters::MakeNearestObjectOperation(parameters,
                                                 CudaFilters::GetPixelTypes<InputImageType, OutputImageType>(),
                                                 CudaFilters::GetPixelType<typename VoronoiImageType::PixelType>());
}
} // namespace itk

#endif
