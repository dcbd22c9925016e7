// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCastingCannyEdgeDetectionImageFilter_hxx
#define itkCastingCannyEdgeDetectionImageFilter_hxx

#include "itkCastingCannyEdgeDetectionImageFilter.h"
#include "itkCastImageFilter.h"
#include "itkProgressAccumulator.h"

namespace itk
{
template <typename TInputImage, typename TOutputImage>
void
CastingCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>::GenerateInputRequestedRegion()
{
  Superclass::GenerateInputRequestedRegion();
  if (this->GetInput() != nullptr)
  {
    // Edges may come from anywhere.
    const_cast<TInputImage *>(this->GetInput())->SetRequestedRegionToLargestPossibleRegion();
  }
}

template <typename TInputImage, typename TOutputImage>
void
CastingCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>::EnlargeOutputRequestedRegion(DataObject * output)
{
  Superclass::EnlargeOutputRequestedRegion(output);
  output->SetRequestedRegionToLargestPossibleRegion();
}

template <typename TInputImage, typename TOutputImage>
void
CastingCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>::GenerateData()
{
  const auto input = TInputImage::New();
  input->Graft(const_cast<TInputImage *>(this->GetInput()));
  const auto canny = CannyFilterType::New();
  const auto progress = ProgressAccumulator::New();
  progress->SetMiniPipelineFilter(this);
  progress->RegisterInternalFilter(canny, 0.96f);

  canny->SetVariance(m_Variance);
  canny->SetMaximumError(m_MaximumError);
  canny->SetUpperThreshold(m_UpperThreshold);
  canny->SetLowerThreshold(m_LowerThreshold);
  canny->SetNumberOfWorkUnits(this->GetNumberOfWorkUnits());
  if constexpr (std::is_same<TInputImage, RealImageType>::value)
  {
    canny->SetInput(input);
  }
  else
  {
    const auto toReal = CastImageFilter<TInputImage, RealImageType>::New();
    toReal->SetInput(input);
    toReal->SetNumberOfWorkUnits(this->GetNumberOfWorkUnits());
    progress->RegisterInternalFilter(toReal, 0.02f);
    canny->SetInput(toReal->GetOutput());
  }
  const auto toOutput = CastImageFilter<RealImageType, TOutputImage>::New();
  toOutput->SetInput(canny->GetOutput());
  toOutput->SetNumberOfWorkUnits(this->GetNumberOfWorkUnits());
  progress->RegisterInternalFilter(toOutput, 0.02f);

  toOutput->GraftOutput(this->GetOutput());
  toOutput->Update();
  this->GraftOutput(toOutput->GetOutput());
  m_NonMaximumSuppressionImage = canny->GetNonMaximumSuppressionImage();
  m_NonMaximumSuppressionImage->DisconnectPipeline();
}

template <typename TInputImage, typename TOutputImage>
void
CastingCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  os << indent << "Variance: " << m_Variance << std::endl;
  os << indent << "MaximumError: " << m_MaximumError << std::endl;
  os << indent << "UpperThreshold: " << m_UpperThreshold << std::endl;
  os << indent << "LowerThreshold: " << m_LowerThreshold << std::endl;
  itkPrintSelfObjectMacro(NonMaximumSuppressionImage);
}
} // namespace itk

#endif
