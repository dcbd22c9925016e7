// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaSignedMaurerDistanceMapImageFilter_hxx
#define itkCudaSignedMaurerDistanceMapImageFilter_hxx

#include "itkCudaSignedMaurerDistanceMapImageFilter.h"
#include <type_traits>

namespace itk
{
template <typename TInputImage, typename TOutputImage>
void
CudaSignedMaurerDistanceMapImageFilter<TInputImage, TOutputImage>::EnlargeOutputRequestedRegion(DataObject * output)
{
  Superclass::EnlargeOutputRequestedRegion(output);
  output->SetRequestedRegionToLargestPossibleRegion();
}

template <typename TInputImage, typename TOutputImage>
void
CudaSignedMaurerDistanceMapImageFilter<TInputImage, TOutputImage>::GenerateInputRequestedRegion()
{
  Superclass::GenerateInputRequestedRegion();
  if (const auto input = const_cast<TInputImage *>(this->GetInput()))
  {
    input->SetRequestedRegionToLargestPossibleRegion();
  }
}

template <typename TInputImage, typename TOutputImage>
std::string
CudaSignedMaurerDistanceMapImageFilter<TInputImage, TOutputImage>::GetUnsupportedReason() const
{
  const auto & spacing = this->GetInput()->GetSpacing();
  for (unsigned int axis = 0; axis < TInputImage::ImageDimension; ++axis)
  {
    if (this->GetUseImageSpacing() && !(spacing[axis] > 0.0))
    {
      return "a spacing is not positive";
    }
  }
  return {};
}

template <typename TInputImage, typename TOutputImage>
CudaFilters::OperationPointer
CudaSignedMaurerDistanceMapImageFilter<TInputImage, TOutputImage>::MakeOperation()
{
  CudaFilters::DistanceMapParameters parameters;
  parameters.Dimension = TOutputImage::ImageDimension;
  parameters.Background = static_cast<double>(this->GetBackgroundValue());
  parameters.InsideIsPositive = this->GetInsideIsPositive();
  parameters.IsSquared = this->GetSquaredDistance();
  if (this->GetUseImageSpacing())
  {
    const auto & spacing = this->GetInput()->GetSpacing();
    parameters.Spacing.fill(spacing[0]);
    for (unsigned int axis = 0; axis < TOutputImage::ImageDimension; ++axis)
    {
      parameters.Spacing[axis] = spacing[axis];
    }
  }
  return CudaFilters::MakeDistanceMapOperation(parameters, CudaFilters::GetPixelTypes<TInputImage, TOutputImage>());
}
} // namespace itk

#endif
