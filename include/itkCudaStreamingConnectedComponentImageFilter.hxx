// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaStreamingConnectedComponentImageFilter_hxx
#define itkCudaStreamingConnectedComponentImageFilter_hxx

#include "CudaFilters/detail/UpstreamFiles.h"
#include "itkCudaStreamingConnectedComponentImageFilter.h"
#include "itkImageAlgorithm.h"
#include "itkImageScanlineConstIterator.h"
#include "itkImageScanlineIterator.h"
#include <algorithm>

namespace itk
{
template <typename TInputImage, typename TOutputImage, typename TMaskImage>
CudaStreamingConnectedComponentImageFilter<TInputImage, TOutputImage, TMaskImage>::
  CudaStreamingConnectedComponentImageFilter()
  : m_BlockFilter(BlockFilterType::New())
{
  this->AddOptionalInputName("MaskImage");
}

template <typename TInputImage, typename TOutputImage, typename TMaskImage>
void
CudaStreamingConnectedComponentImageFilter<TInputImage, TOutputImage, TMaskImage>::PropagateRequestedRegion(
  DataObject * output)
{
  if (!this->m_Updating)
  {
    // What is requested from the inputs, UpdateOutputData() decides.
    this->EnlargeOutputRequestedRegion(output);
    this->GenerateOutputRequestedRegion(output);
  }
}

template <typename TInputImage, typename TOutputImage, typename TMaskImage>
void
CudaStreamingConnectedComponentImageFilter<TInputImage, TOutputImage, TMaskImage>::UpdateOutputData(DataObject *)
{
  if (this->m_Updating)
  {
    return;
  }
  this->PrepareOutputs();
  this->VerifyPreconditions();
  this->VerifyInputInformation();
  this->InvokeEvent(StartEvent());
  this->SetAbortGenerateData(false);
  this->UpdateProgress(0.0f);
  this->m_Updating = true;
  try
  {
    this->ConnectBlocks();

    TOutputImage * const output = this->GetOutput();
    output->SetBufferedRegion(output->GetRequestedRegion());
    output->Allocate();
    for (std::size_t block = 0; block < m_Blocks.size(); ++block)
    {
      this->WriteBlock(block, output);
    }
    this->UpdateProgress(1.0f);
  }
  catch (...)
  {
    // Nothing of a run that failed is kept.
    m_Labels.reset();
    m_HasLabelledBlock = false;
    m_BlockFilter->GetOutput()->ReleaseData();
    this->ResetPipeline();
    throw;
  }
  this->InvokeEvent(EndEvent());
  this->GetOutput()->DataHasBeenGenerated();
  this->ReleaseInputs();
  this->m_Updating = false;
}

template <typename TInputImage, typename TOutputImage, typename TMaskImage>
auto
CudaStreamingConnectedComponentImageFilter<TInputImage, TOutputImage, TMaskImage>::MakeBlocks() const
  -> std::vector<RegionType>
{
  constexpr SizeValueType mostPixels = SizeValueType{ 1 } << 28;
  const RegionType        region = this->GetInput()->GetLargestPossibleRegion();
  if (region.GetNumberOfPixels() == 0)
  {
    return {};
  }
  const SizeValueType slices = region.GetSize(ImageDimension - 1);
  const SizeValueType wanted =
    m_NumberOfBlocks != 0 ? m_NumberOfBlocks : (region.GetNumberOfPixels() + mostPixels - 1) / mostPixels;
  const SizeValueType     number = std::min(wanted, slices);
  const SizeValueType     thickness = (slices + number - 1) / number;
  std::vector<RegionType> blocks;
  for (SizeValueType first = 0; first < slices; first += thickness)
  {
    RegionType block = region;
    block.SetIndex(ImageDimension - 1, region.GetIndex(ImageDimension - 1) + static_cast<IndexValueType>(first));
    block.SetSize(ImageDimension - 1, std::min(thickness, slices - first));
    blocks.push_back(block);
  }
  return blocks;
}

namespace CudaFilters
{
/** Requests a region of an image, and returns an image that has exactly this region. */
template <typename TImage>
typename TImage::Pointer
RequestBlock(const TImage * image, const typename TImage::RegionType & region)
{
  auto * const input = const_cast<TImage *>(image);
  input->SetRequestedRegion(region);
  input->PropagateRequestedRegion();
  input->UpdateOutputData();
  const auto block = TImage::New();
  block->CopyInformation(input);
  block->SetRegions(region);
  if (input->GetBufferedRegion() == region)
  {
    block->SetPixelContainer(input->GetPixelContainer());
  }
  else
  {
    if (const auto * const holder = dynamic_cast<const CudaPixelHolder *>(image))
    {
      holder->MakeHostValidUnlessTracked();
    }
    block->Allocate();
    ImageAlgorithm::Copy(image, block.GetPointer(), region, region);
  }
  return block;
}
} // namespace CudaFilters

template <typename TInputImage, typename TOutputImage, typename TMaskImage>
auto
CudaStreamingConnectedComponentImageFilter<TInputImage, TOutputImage, TMaskImage>::LabelBlock(std::size_t block)
  -> const BlockLabelImageType *
{
  if (!m_HasLabelledBlock || m_LabelledBlock != block)
  {
    m_HasLabelledBlock = false;
    m_BlockFilter->SetFullyConnected(m_FullyConnected);
    m_BlockFilter->SetInput(CudaFilters::RequestBlock(this->GetInput(), m_Blocks[block]));
    if (this->GetMaskImage() != nullptr)
    {
      m_BlockFilter->SetMaskImage(CudaFilters::RequestBlock(this->GetMaskImage(), m_Blocks[block]));
    }
    else
    {
      m_BlockFilter->SetMaskImage(nullptr);
    }
    m_BlockFilter->UpdateLargestPossibleRegion();
    // The pixels of the inputs are not needed any more.
    m_BlockFilter->SetInput(nullptr);
    m_BlockFilter->SetMaskImage(nullptr);
    m_LabelledBlock = block;
    m_HasLabelledBlock = true;
  }
  return m_BlockFilter->GetOutput();
}

template <typename TInputImage, typename TOutputImage, typename TMaskImage>
ModifiedTimeType
CudaStreamingConnectedComponentImageFilter<TInputImage, TOutputImage, TMaskImage>::GetTimeOfInputs() const
{
  ModifiedTimeType time = this->GetMTime();
  const auto       add = [&time](const DataObject * image) {
    if (image != nullptr)
    {
      // The pixels of an image with a source change whenever a block is requested.
      const bool hasSource = image->GetSource() != nullptr;
      time = std::max(time, hasSource ? image->GetPipelineMTime() : image->GetMTime());
    }
  };
  add(this->GetInput());
  add(this->GetMaskImage());
  return time;
}

template <typename TInputImage, typename TOutputImage, typename TMaskImage>
void
CudaStreamingConnectedComponentImageFilter<TInputImage, TOutputImage, TMaskImage>::ConnectBlocks()
{
  const ModifiedTimeType time = this->GetTimeOfInputs();
  if (m_Labels != nullptr && m_TimeOfLabels == time)
  {
    return;
  }
  m_Labels.reset();
  m_HasLabelledBlock = false;
  m_ObjectCount = 0;
  m_Blocks = this->MakeBlocks();
  CudaFilters::CheckFilesOf(this->GetInput());
  CudaFilters::CheckFilesOf(this->GetMaskImage());
  const auto size = this->GetInput()->GetLargestPossibleRegion().GetSize();
  auto       labels =
    std::make_unique<CudaFilters::BlockLabels>(size[0], ImageDimension == 3 ? size[1] : 1, m_FullyConnected);
  for (std::size_t block = 0; block < m_Blocks.size(); ++block)
  {
    const BlockLabelImageType * const labelled = this->LabelBlock(block);
    const std::uint32_t * const       pixels = labelled->GetBufferPointer();
    const SizeValueType               planePixels = size[0] * (ImageDimension == 3 ? size[1] : 1);
    labels->AddBlock(
      m_BlockFilter->GetObjectCount(), pixels, pixels + m_Blocks[block].GetNumberOfPixels() - planePixels);
    this->UpdateProgress(0.5f * static_cast<float>(block + 1) / static_cast<float>(m_Blocks.size()));
    if (this->GetAbortGenerateData())
    {
      ProcessAborted aborted(__FILE__, __LINE__);
      aborted.SetDescription("Filter execution was aborted by an external request");
      throw aborted;
    }
  }
  labels->NumberObjects();
  if (labels->GetNumberOfObjects() > static_cast<std::uint64_t>(NumericTraits<OutputPixelType>::max()))
  {
    using PrintType = typename NumericTraits<OutputPixelType>::PrintType;
    itkExceptionMacro(<< "Number of objects (" << labels->GetNumberOfObjects()
                      << ") greater than maximum of output pixel type ("
                      << static_cast<PrintType>(NumericTraits<OutputPixelType>::max()) << ").");
  }
  m_ObjectCount = static_cast<LabelType>(labels->GetNumberOfObjects());
  m_Labels = std::move(labels);
  m_TimeOfLabels = time;
}

template <typename TInputImage, typename TOutputImage, typename TMaskImage>
void
CudaStreamingConnectedComponentImageFilter<TInputImage, TOutputImage, TMaskImage>::WriteBlock(std::size_t    block,
                                                                                              TOutputImage * output)
{
  RegionType region = output->GetBufferedRegion();
  if (!region.Crop(m_Blocks[block]) || region.GetNumberOfPixels() == 0)
  {
    return;
  }
  const BlockLabelImageType * const labelled = this->LabelBlock(block);

  // The background, then the labels from 1 on.
  std::vector<OutputPixelType> values{ m_BackgroundValue };
  for (const std::uint64_t number : m_Labels->GetNumbers(block))
  {
    // A background that no number can have, a negative one for example, leaves the numbers as they are.
    values.push_back(
      static_cast<OutputPixelType>(number + (number >= static_cast<std::uint64_t>(m_BackgroundValue) ? 1 : 0)));
  }
  this->GetMultiThreader()->template ParallelizeImageRegion<ImageDimension>(
    region,
    [&](const RegionType & part) {
      ImageScanlineConstIterator<BlockLabelImageType> from(labelled, part);
      for (ImageScanlineIterator<TOutputImage> to(output, part); !to.IsAtEnd(); to.NextLine(), from.NextLine())
      {
        for (; !to.IsAtEndOfLine(); ++to, ++from)
        {
          to.Set(values[from.Get()]);
        }
      }
    },
    nullptr);
}

template <typename TInputImage, typename TOutputImage, typename TMaskImage>
void
CudaStreamingConnectedComponentImageFilter<TInputImage, TOutputImage, TMaskImage>::PrintSelf(std::ostream & os,
                                                                                             Indent indent) const
{
  using PrintType = typename NumericTraits<OutputPixelType>::PrintType;
  Superclass::PrintSelf(os, indent);
  os << indent << "FullyConnected: " << m_FullyConnected << std::endl;
  os << indent << "BackgroundValue: " << static_cast<PrintType>(m_BackgroundValue) << std::endl;
  os << indent << "NumberOfBlocks: " << m_NumberOfBlocks << std::endl;
  os << indent << "ObjectCount: " << m_ObjectCount << std::endl;
}
} // namespace itk

#endif
