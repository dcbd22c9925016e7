// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaCannyEdgeDetectionImageFilter_hxx
#define itkCudaCannyEdgeDetectionImageFilter_hxx

#include "itkCudaCannyEdgeDetectionImageFilter.h"
#include "CudaFilters/detail/CannyOperation.h"
#include "CudaFilters/detail/GaussianMasks.h"
#include "itkDiscreteGaussianImageFilter.h"

namespace itk
{
template <typename TInputImage, typename TOutputImage>
CudaFilters::OperationPointer
CudaCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>::MakeOperation()
{
  // The parent smooths with such a filter, whose other parameters have their defaults.
  const auto gaussian = DiscreteGaussianImageFilter<RealImageType, RealImageType>::New();
  gaussian->SetVariance(this->GetVariance());
  gaussian->SetMaximumError(this->GetMaximumError());

  CudaFilters::CannyParameters parameters;
  parameters.Dimension = TOutputImage::ImageDimension;
  parameters.Smoothing = CudaFilters::MakeGaussianConvolution(*gaussian, this->GetInput()->GetSpacing());
  parameters.UpperThreshold = this->GetUpperThreshold();
  parameters.LowerThreshold = this->GetLowerThreshold();
  parameters.IsExact = this->GetExactMode();

  typename RealImageType::Pointer suppressed;
  if (m_KeepNonMaximumSuppressionImage)
  {
    suppressed = RealImageType::New();
    const auto * const output = static_cast<const TOutputImage *>(this->GetPrimaryOutput());
    suppressed->CopyInformation(output);
    suppressed->SetRegions(output->GetRequestedRegion());
    suppressed->Allocate();
    parameters.NonMaximumSuppression = suppressed->GetBufferPointer();
  }
  this->SetNonMaximumSuppressionImage(suppressed);

  const StageKey key = this->GetStageKey();
  if (!this->GetReuseStages())
  {
    m_Stages = nullptr;
  }
  else if (m_Stages == nullptr || !(m_DeviceStageKey == key))
  {
    m_Stages = std::make_shared<CudaFilters::CannyStages>();
  }
  m_DeviceStageKey = key;
  parameters.Stages = m_Stages;
  return CudaFilters::MakeCannyOperation(parameters, CudaFilters::GetPixelTypes<TInputImage, TOutputImage>());
}

template <typename TInputImage, typename TOutputImage>
void
CudaCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>::GenerateDataOnCPU()
{
  m_Stages = nullptr; // their device memory may be needed elsewhere
  Superclass::GenerateDataOnCPU();
}

template <typename TInputImage, typename TOutputImage>
void
CudaCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  os << indent << "KeepNonMaximumSuppressionImage: " << (m_KeepNonMaximumSuppressionImage ? "On" : "Off") << std::endl;
}
} // namespace itk

#endif
