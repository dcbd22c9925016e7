// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaCannyEdgeDetectionImageFilter_hxx
#define itkCudaCannyEdgeDetectionImageFilter_hxx

#include "itkCudaCannyEdgeDetectionImageFilter.h"
#include "CudaFilters/EdgeBorders.h"
#include "itkCudaGaussianConvolution.h"
#include "itkCudaImageAccess.h"
#include <algorithm>
#include <utility>

namespace itk
{
template <typename TInputImage, typename TOutputImage>
void
CudaCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>::BeforeRegionsOnDevice()
{
  using GaussianFilter = DiscreteGaussianImageFilter<RealImageType, RealImageType>;

  // The parent smooths with such a filter, whose other parameters are as they were made.
  const auto gaussian = GaussianFilter::New();
  gaussian->SetVariance(this->GetVariance());
  gaussian->SetMaximumError(this->GetMaximumError());

  m_Edges = CudaFilters::CannyEdges();
  m_Edges.Dimension = ImageDimension;
  m_Edges.IsExact = m_ExactMode || std::is_same<RealPixelType, double>::value;
  m_Edges.Smoothing = CudaFilters::MakeGaussianConvolution(*gaussian, this->GetInput()->GetSpacing());
  // A smoothed pixel that differs in its last bit may move an edge, and where an edge breaks, all that hangs on it is
  // lost. So it is smoothed as ITK does in any case.
  m_Edges.Smoothing.InDouble = true;
  m_Edges.UpperThreshold = this->GetUpperThreshold();
  m_Edges.LowerThreshold = this->GetLowerThreshold();

  this->m_NonMaximumSuppressionImage = nullptr;
  if (m_KeepNonMaximumSuppressionImage)
  {
    this->m_NonMaximumSuppressionImage = RealImageType::New();
    this->m_NonMaximumSuppressionImage->CopyInformation(this->GetOutput());
    this->m_NonMaximumSuppressionImage->SetRegions(this->GetOutput()->GetRequestedRegion());
    this->m_NonMaximumSuppressionImage->Allocate();
  }
}

template <typename TInputImage, typename TOutputImage>
auto
CudaCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>::GetInputRegionFor(const RegionType & outputRegion) const
  -> RegionType
{
  typename RegionType::SizeType radius;
  for (unsigned int axis = 0; axis < ImageDimension; ++axis)
  {
    radius[axis] = CudaFilters::CannyRadius + (axis < 3 ? m_Edges.Smoothing.Masks[axis].size() / 2 : 0);
  }
  return this->GetInputRegionAround(outputRegion, radius);
}

template <typename TInputImage, typename TOutputImage>
SizeValueType
CudaCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>::GetScratchBytesFor(const RegionType & outputRegion) const
{
  if constexpr (Superclass::HasKernelsForTypes())
  {
    const CudaFilters::Grid      size = CudaFilters::GetSizeOf(outputRegion);
    const CudaFilters::EdgeMasks masks{ nullptr, size };
    const RegionType             inputRegion = this->GetInputRegionFor(outputRegion);
    const SizeValueType          kept = m_KeepNonMaximumSuppressionImage ? sizeof(RealPixelType) : 0;
    const SizeValueType          toFind = CudaFilters::GetScratchBytes(m_Edges,
                                                              CudaFilters::MakeLocalBox(inputRegion, outputRegion),
                                                              sizeof(RealPixelType)) +
                                 kept * outputRegion.GetNumberOfPixels();
    const SizeValueType toLink =
      CudaFilters::EdgeLinker::GetScratchBytes(size) + CudaFilters::EdgeLinker::GetBorderBytes(size, ImageDimension);
    return masks.GetBytes() + std::max(toFind, toLink);
  }
  else
  {
    return 0;
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>::FindEdges(CudaFilters::Execution &       execution,
                                                                        const InputPixelType *         input,
                                                                        const RegionType &             inputRegion,
                                                                        const RegionType &             outputRegion,
                                                                        const CudaFilters::EdgeMasks & masks)
{
  if constexpr (Superclass::HasKernelsForTypes())
  {
    const auto find = [&](RealPixelType * suppressed) {
      CudaFilters::FindCannyEdges<RealPixelType>(
        execution, m_Edges, CudaFilters::MakeLocalBox(inputRegion, outputRegion), input, masks, suppressed);
    };
    if (!m_KeepNonMaximumSuppressionImage)
    {
      find(nullptr);
      return;
    }
    CudaFilters::DevicePixels pixels;
    CudaFilters::DeviceLease  lease = pixels.Write(execution, outputRegion.GetNumberOfPixels() * sizeof(RealPixelType));
    find(static_cast<RealPixelType *>(lease.GetPointer()));
    pixels.Accept(std::move(lease));
    pixels.DownloadBox(execution, CudaFilters::MakeHostBox(*this->m_NonMaximumSuppressionImage, outputRegion));
    CudaFilters::Wait(execution);
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>::GenerateWhole(int device)
{
  if constexpr (Superclass::HasKernelsForTypes())
  {
    using namespace CudaFilters;

    OutputImageType &      output = *this->GetOutput();
    const RegionType       region = output.GetBufferedRegion();
    const ExecutionPointer execution = MakeExecution(device, this->GetCudaInterface()->GetExecutionSettings());
    this->UpdateProgressOrAbort(0.01f);
    {
      DevicePixels      maskPixels;
      EdgeMasks         masks{ nullptr, GetSizeOf(region) };
      const DeviceLease maskLease = maskPixels.Write(*execution, masks.GetBytes());
      masks.Words = static_cast<std::uint32_t *>(maskLease.GetPointer());
      {
        DeviceReader<InputPixelType, ImageDimension> reader(
          *execution, *this->GetInput(), this->GetInputRegionFor(region), this->GetInformationTick());
        reader.Provide(reader.GetRegion());
        this->FindEdges(*execution, reader.GetPointer(), reader.GetRegion(), region, masks);
        reader.Finish();
      }
      this->UpdateProgressOrAbort(0.5f);

      EdgeLinker                                    linker(*execution, masks, ImageDimension);
      DeviceWriter<OutputPixelType, ImageDimension> writer(*execution, output);
      linker.Write(writer.GetPointer());
      writer.Take(region);
      writer.Finish();
    }
    this->UpdateProgressOrAbort(1.0f);
    this->AppendStageTimes(GetStageTimes(*execution));
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>::GenerateTiles(const Tiling & tiling)
{
  if constexpr (Superclass::HasKernelsForTypes())
  {
    using namespace CudaFilters;

    // Twice over the tiles: first to find the candidates, which stay on the host as bits, and to see which of those at
    // the borders hang together; then to write what is kept.
    const InputImageType &                  input = *this->GetInput();
    OutputImageType &                       output = *this->GetOutput();
    const RegionType                        region = output.GetBufferedRegion();
    std::vector<std::vector<std::uint32_t>> words(tiling.Tiles.size());
    EdgeBorders                             borders(GetSizeOf(region), tiling.Tiles.size());
    constexpr float                         share = 0.6f;

    const auto makeHostBox = [&words](SizeValueType i) {
      return HostBox::OfBuffer(words[i].data(), words[i].size(), sizeof(std::uint32_t));
    };
    this->ForEachTile(
      tiling,
      [&](Lane & lane, SizeValueType i) {
        Execution &        execution = *lane.Run;
        const RegionType & tile = tiling.Tiles[i];
        const RegionType   inputRegion = this->GetInputRegionFor(tile);
        EdgeMasks          masks{ nullptr, GetSizeOf(tile) };
        DevicePixels       maskPixels;
        DeviceLease        maskLease = maskPixels.Write(execution, masks.GetBytes());
        masks.Words = static_cast<std::uint32_t *>(maskLease.GetPointer());
        lane.Input.UploadBox(execution, MakeHostBox(input, inputRegion));
        {
          const DeviceLease from = lane.Input.Read(execution);
          this->FindEdges(execution, static_cast<const InputPixelType *>(from.GetPointer()), inputRegion, tile, masks);
        }
        lane.Input.Release();
        borders.Add(
          i, GetStartWithin(region, tile), GetSizeOf(tile), EdgeLinker(execution, masks, ImageDimension).GetBorder());
        words[i].resize(2 * masks.GetNumberOfWords());
        maskPixels.Accept(std::move(maskLease));
        maskPixels.DownloadBox(execution, makeHostBox(i));
      },
      0.0f,
      share);

    borders.Link();

    this->ForEachTile(
      tiling,
      [&](Lane & lane, SizeValueType i) {
        Execution &        execution = *lane.Run;
        const RegionType & tile = tiling.Tiles[i];
        DevicePixels       maskPixels;
        maskPixels.UploadBox(execution, makeHostBox(i));
        const DeviceLease maskLease = maskPixels.Read(execution);
        EdgeLinker        linker(
          execution, { static_cast<std::uint32_t *>(maskLease.GetPointer()), GetSizeOf(tile) }, ImageDimension);
        linker.Keep(borders.GetKept(i));
        DevicePixels & pixels = *lane.Outputs.front();
        DeviceLease    to = pixels.Write(execution, tile.GetNumberOfPixels() * sizeof(OutputPixelType));
        linker.Write(static_cast<OutputPixelType *>(to.GetPointer()));
        pixels.Accept(std::move(to));
        pixels.DownloadBox(execution, MakeHostBox(output, tile));
      },
      share,
      1.0f);
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaCannyEdgeDetectionImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  os << indent << "ExactMode: " << (m_ExactMode ? "On" : "Off") << std::endl;
  os << indent << "KeepNonMaximumSuppressionImage: " << (m_KeepNonMaximumSuppressionImage ? "On" : "Off") << std::endl;
}
} // namespace itk

#endif
