// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCastingCannyEdgeDetectionImageFilter_hxx
#define itkCastingCannyEdgeDetectionImageFilter_hxx

#include "itkCastingCannyEdgeDetectionImageFilter.h"
#include "itkCastImageFilter.h"
#include "itkNeighborhood.h"
#include "itkProgressAccumulator.h"
#include <algorithm>
#include <vector>

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
  const StageKey key = this->GetStageKey();
  if (m_ReuseStages && this->HasStages(key))
  {
    this->AllocateOutputs();
    this->LinkEdges(*this->GetOutput());
    this->UpdateProgress(1.0f);
    return;
  }

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
  m_CpuStageKey = m_ReuseStages ? key : StageKey();
  m_CpuStageTime = m_NonMaximumSuppressionImage->GetMTime();
}

template <typename TInputImage, typename TOutputImage>
auto
CastingCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>::GetStageKey() const -> StageKey
{
  const TInputImage * const input = this->GetInput();
  StageKey key{ input, input->GetMTime(), input->GetUpdateMTime(), nullptr, 0, m_Variance, m_MaximumError };
  using PlainImage = Image<typename TInputImage::PixelType, TInputImage::ImageDimension>;
  if constexpr (std::is_base_of<PlainImage, TInputImage>::value)
  {
    // Not by the method of CudaBackedImage, which copies the pixels to the host.
    const auto * const pixels = static_cast<const PlainImage *>(input)->GetPixelContainer();
    key.Pixels = pixels;
    key.PixelsTime = pixels != nullptr ? pixels->GetMTime() : 0;
  }
  return key;
}

template <typename TInputImage, typename TOutputImage>
bool
CastingCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>::HasStages(const StageKey & key) const
{
  // Another filter may have released its pixels, or worked in place on it.
  return m_CpuStageKey == key && m_NonMaximumSuppressionImage->GetMTime() == m_CpuStageTime &&
         m_NonMaximumSuppressionImage->GetBufferedRegion() == this->GetOutput()->GetRequestedRegion() &&
         m_NonMaximumSuppressionImage->GetBufferPointer() != nullptr;
}

template <typename TInputImage, typename TOutputImage>
void
CastingCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>::LinkEdges(TOutputImage & output) const
{
  using IndexType = typename TOutputImage::IndexType;
  constexpr auto edge = static_cast<typename TOutputImage::PixelType>(1);

  const RealImageType & image = *m_NonMaximumSuppressionImage;
  const auto            region = output.GetBufferedRegion();
  const auto            pixels = static_cast<OffsetValueType>(region.GetNumberOfPixels());
  const auto * const    values = image.GetBufferPointer();
  auto * const          edges = output.GetBufferPointer();
  std::fill_n(edges, pixels, typename TOutputImage::PixelType(0));

  // The neighbours of a pixel, including diagonal ones.
  Neighborhood<char, ImageDimension> neighbours;
  neighbours.SetRadius(1);
  std::vector<OffsetValueType> distances; // in the buffer
  for (unsigned int n = 0; n < neighbours.Size(); ++n)
  {
    distances.push_back(output.ComputeOffset(region.GetIndex() + neighbours.GetOffset(n)));
  }
  auto inner = region;
  for (unsigned int axis = 0; axis < ImageDimension; ++axis)
  {
    inner.SetIndex(axis, region.GetIndex(axis) + 1);
    inner.SetSize(axis, region.GetSize(axis) > 2 ? region.GetSize(axis) - 2 : 0);
  }

  std::vector<OffsetValueType> pending; // edge pixels whose neighbours have not been visited yet
  for (OffsetValueType i = 0; i < pixels; ++i)
  {
    // CannyEdgeDetectionImageFilter rounds to single precision here, for all pixel types.
    if (edges[i] == edge || !(static_cast<float>(values[i]) > m_UpperThreshold))
    {
      continue;
    }
    edges[i] = edge;
    pending.push_back(i);
    while (!pending.empty())
    {
      const OffsetValueType current = pending.back();
      pending.pop_back();
      const IndexType index = output.ComputeIndex(current);
      const bool      isInner = inner.IsInside(index);
      for (unsigned int n = 0; n < neighbours.Size(); ++n)
      {
        if (isInner || region.IsInside(index + neighbours.GetOffset(n)))
        {
          const OffsetValueType next = current + distances[n];
          if (values[next] > m_LowerThreshold && edges[next] != edge)
          {
            edges[next] = edge;
            pending.push_back(next);
          }
        }
      }
    }
  }
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
  os << indent << "ReuseStages: " << (m_ReuseStages ? "On" : "Off") << std::endl;
  itkPrintSelfObjectMacro(NonMaximumSuppressionImage);
}
} // namespace itk

#endif
