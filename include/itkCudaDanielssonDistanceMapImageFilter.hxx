// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDanielssonDistanceMapImageFilter_hxx
#define itkCudaDanielssonDistanceMapImageFilter_hxx

#include "itkCudaDanielssonDistanceMapImageFilter.h"
#include <cstdint>

namespace itk
{
template <typename TInputImage, typename TOutputImage, typename TVoronoiImage>
CudaDanielssonDistanceMapImageFilter<TInputImage, TOutputImage, TVoronoiImage>::CudaDanielssonDistanceMapImageFilter()
{
  // The constructor of the superclass could not yet call this class's MakeOutput().
  for (unsigned int i = 1; i <= 2; ++i)
  {
    this->SetNthOutput(i, this->Self::MakeOutput(i));
  }
}

template <typename TInputImage, typename TOutputImage, typename TVoronoiImage>
auto
CudaDanielssonDistanceMapImageFilter<TInputImage, TOutputImage, TVoronoiImage>::MakeOutput(
  DataObjectPointerArraySizeType index) -> DataObjectPointer
{
  return index == 1   ? CudaFilters::OutputImageMaker<VoronoiImageType>::Make()
         : index == 2 ? CudaFilters::OutputImageMaker<VectorImageType>::Make()
                      : Superclass::MakeOutput(index);
}

template <typename TInputImage, typename TOutputImage, typename TVoronoiImage>
auto
CudaDanielssonDistanceMapImageFilter<TInputImage, TOutputImage, TVoronoiImage>::GetBackedOffsets()
  -> BackedVectorImageType *
{
  return dynamic_cast<BackedVectorImageType *>(Superclass::GetVectorDistanceMap());
}

template <typename TInputImage, typename TOutputImage, typename TVoronoiImage>
void
CudaDanielssonDistanceMapImageFilter<TInputImage, TOutputImage, TVoronoiImage>::KeepOffsetsOnDevice()
{
  if (auto * const offsets = this->GetBackedOffsets())
  {
    offsets->SetHostAccessTracked(true);
  }
}

template <typename TInputImage, typename TOutputImage, typename TVoronoiImage>
auto
CudaDanielssonDistanceMapImageFilter<TInputImage, TOutputImage, TVoronoiImage>::GetVectorDistanceMap()
  -> VectorImageType *
{
  if (auto * const offsets = this->GetBackedOffsets())
  {
    offsets->GetBufferPointer(); // downloads them
    offsets->SetHostAccessTracked(false);
  }
  return Superclass::ShowOnHost(Superclass::GetVectorDistanceMap());
}

template <typename TInputImage, typename TOutputImage, typename TVoronoiImage>
bool
CudaDanielssonDistanceMapImageFilter<TInputImage, TOutputImage, TVoronoiImage>::SupportsPixelTypes() const
{
  return Superclass::SupportsPixelTypes() && CudaFilters::IsDeviceImage<TVoronoiImage>() &&
         CudaFilters::IsKernelPixel<typename TVoronoiImage::PixelType>();
}

template <typename TInputImage, typename TOutputImage, typename TVoronoiImage>
void
CudaDanielssonDistanceMapImageFilter<TInputImage, TOutputImage, TVoronoiImage>::CollectImages(
  CudaFilters::ImageList & images)
{
  if constexpr (CudaFilters::IsDeviceImage<TInputImage>() && CudaFilters::IsDeviceImage<TOutputImage>() &&
                CudaFilters::IsDeviceImage<TVoronoiImage>())
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

template <typename TInputImage, typename TOutputImage, typename TVoronoiImage>
CudaFilters::OperationPointer
CudaDanielssonDistanceMapImageFilter<TInputImage, TOutputImage, TVoronoiImage>::MakeOperation()
{
  static_assert(sizeof(OffsetValueType) == sizeof(std::int64_t), "The device writes offsets of 64 bits.");
  CudaFilters::DistanceMapParameters parameters = this->MakeParameters();
  parameters.IsSquared = this->GetSquaredDistance();
  parameters.IsBinary = this->GetInputIsBinary();
  return CudaFilters::MakeNearestObjectOperation(parameters,
                                                 CudaFilters::GetPixelTypes<TInputImage, TOutputImage>(),
                                                 CudaFilters::GetPixelType<typename TVoronoiImage::PixelType>());
}
} // namespace itk

#endif
