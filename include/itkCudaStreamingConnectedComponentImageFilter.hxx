// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaStreamingConnectedComponentImageFilter_hxx
#define itkCudaStreamingConnectedComponentImageFilter_hxx

#include "CudaFilters/detail/UpstreamFiles.h"
#include "itkCudaPixelHolder.h"
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
      this->ReportProgress(0.5f + 0.5f * static_cast<float>(block + 1) / static_cast<float>(m_Blocks.size()));
    }
  }
  catch (...)
  {
    // Nothing of a run that failed is kept.
    m_Labels.reset();
    m_HasLabelledBlock = false;
    m_BlockFilter->SetInput(nullptr);
    m_BlockFilter->SetMaskImage(nullptr);
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
void
CudaStreamingConnectedComponentImageFilter<TInputImage, TOutputImage, TMaskImage>::ReportProgress(float progress)
{
  this->UpdateProgress(progress);
  if (this->GetAbortGenerateData())
  {
    this->InvokeEvent(AbortEvent());
    ProcessAborted aborted(__FILE__, __LINE__);
    aborted.SetDescription("Filter execution was aborted by an external request");
    throw aborted;
  }
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
/** Requests a region of an image, and returns an image that has exactly this region. mayShare: whether it may share its
 * pixels, which other requests to the pipeline may replace. */
template <typename TImage>
typename TImage::Pointer
RequestBlock(const TImage * image, const typename TImage::RegionType & region, bool mayShare)
{
  auto * const input = const_cast<TImage *>(image);
  input->SetRequestedRegion(region);
  input->PropagateRequestedRegion();
  input->UpdateOutputData();
  if (!input->GetBufferedRegion().IsInside(region))
  {
    itkGenericExceptionMacro(<< "Pixels of the region " << region << " are wanted, but only those of "
                             << input->GetBufferedRegion() << " are there.");
  }
  const auto block = TImage::New();
  block->CopyInformation(input);
  block->SetRegions(region);
  if (mayShare && input->GetBufferedRegion() == region)
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
    // Image and mask may come from the same source.
    const bool hasMask = this->GetMaskImage() != nullptr;
    m_BlockFilter->SetInput(CudaFilters::RequestBlock(this->GetInput(), m_Blocks[block], !hasMask));
    if (hasMask)
    {
      const auto mask = CudaFilters::RequestBlock(this->GetMaskImage(), m_Blocks[block], true);
      mask->CopyInformation(this->GetInput()); // whose difference this filter has tolerated
      mask->SetLargestPossibleRegion(m_Blocks[block]);
      m_BlockFilter->SetMaskImage(mask);
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
  return std::max({ this->GetMTime(),
                    CudaFilters::GetMTimeUpstreamOf(this->GetInput()),
                    CudaFilters::GetMTimeUpstreamOf(this->GetMaskImage()) });
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
  CudaFilters::CheckFilesUpstreamOf(this->GetInput());
  CudaFilters::CheckFilesUpstreamOf(this->GetMaskImage());
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
    this->ReportProgress(0.5f * static_cast<float>(block + 1) / static_cast<float>(m_Blocks.size()));
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
  const std::vector<std::uint64_t>  numbers = m_Labels->GetNumbers(block);
  if (numbers.size() != m_BlockFilter->GetObjectCount())
  {
    itkExceptionMacro("The input has changed since its objects were counted.");
  }

  // The background, then the labels from 1 on.
  std::vector<OutputPixelType> values{ m_BackgroundValue };
  for (const std::uint64_t number : numbers)
  {
    // The number of the background is left out, as on the device (NumberChoice). One that no object can have, a
    // negative one for example, leaves the numbers as they are.
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
