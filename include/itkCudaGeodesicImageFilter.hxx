// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGeodesicImageFilter_hxx
#define itkCudaGeodesicImageFilter_hxx

#include "itkCudaGeodesicImageFilter.h"
#include "CudaFilters/DeviceError.h"
#include "itkCudaImageAccess.h"
#include "itkImageRegionConstIteratorWithIndex.h"
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <utility>

namespace itk
{
template <typename TParent>
auto
CudaGeodesicImageFilter<TParent>::GetMaskOnDevice() const -> const InputImageType &
{
  return *this->GetInput();
}

template <typename TParent>
CudaFilters::Reconstruction
CudaGeodesicImageFilter<TParent>::GetReconstruction() const
{
  CudaFilters::Reconstruction reconstruction;
  reconstruction.Dimension = ImageDimension;
  reconstruction.IsErosion = m_Recipe.IsErosion;
  reconstruction.IsFullyConnected = this->GetFullyConnected();
  reconstruction.Strategy = m_Strategy;
  return reconstruction;
}

template <typename TParent>
bool
CudaGeodesicImageFilter<TParent>::IsWorkOutput() const
{
  return std::is_same<InputPixelType, OutputPixelType>::value &&
         m_Recipe.Finish.How == CudaFilters::ReconstructionFinish::Kind::Cast;
}

template <typename TParent>
bool
CudaGeodesicImageFilter<TParent>::IsFlatResult(const CudaFilters::MarkerFindings & findings,
                                               CudaFilters::ReconstructionFinish & finish) const
{
  using Kind = CudaFilters::ReconstructionFinish::Kind;
  const bool isFlat = finish.How == Kind::Extrema && findings.IsFlat;
  if (isFlat)
  {
    finish.How = Kind::Background;
    finish.Background = m_Recipe.FlatValue;
  }
  return isFlat;
}

template <typename TParent>
void
CudaGeodesicImageFilter<TParent>::CheckFindings(const CudaFilters::MarkerFindings & findings)
{
  using CudaFilters::DeviceError;
  if (findings.IsBeyondMask)
  {
    throw DeviceError(DeviceError::Kind::BadInput, "the marker goes beyond the mask");
  }
  if (findings.HasNaN)
  {
    throw DeviceError(DeviceError::Kind::Unsuited,
                      "the image has NaN, whose fate depends on the order in which the CPU visits pixels");
  }
}

template <typename TParent>
void
CudaGeodesicImageFilter<TParent>::BeforeRegionsOnDevice()
{
  m_Recipe = this->MakeRecipe();
  for (CudaFilters::MarkerRecipe & marker : m_Recipe.Markers)
  {
    marker.Dimension = ImageDimension;
  }
  m_Effort = {};

  const RegionType & marker = this->GetInput()->GetRequestedRegion();
  const RegionType & mask = this->GetMaskOnDevice().GetRequestedRegion();
  if (marker.GetSize() != mask.GetSize())
  {
    throw CudaFilters::DeviceError(CudaFilters::DeviceError::Kind::BadInput, "marker and mask have different sizes");
  }
  if (marker.GetIndex() != mask.GetIndex())
  {
    itkExceptionMacro("Marker and mask must begin at the same index: " << marker.GetIndex() << " and "
                                                                       << mask.GetIndex() << '.');
  }
}

template <typename TParent>
auto
CudaGeodesicImageFilter<TParent>::GetInputRegionFor(const RegionType & outputRegion) const -> RegionType
{
  // One pixel around tells where the image ends and whether it is flat.
  auto radius = RegionType::SizeType::Filled(1);
  for (const CudaFilters::MarkerRecipe & marker : m_Recipe.Markers)
  {
    for (const auto & offset : marker.Offsets)
    {
      for (unsigned int axis = 0; axis < std::min(ImageDimension, 3u); ++axis)
      {
        radius[axis] = std::max<SizeValueType>(radius[axis], std::abs(offset[axis]));
      }
    }
  }
  return this->GetInputRegionAround(outputRegion, radius);
}

template <typename TParent>
SizeValueType
CudaGeodesicImageFilter<TParent>::GetScratchBytesFor(const RegionType & outputRegion) const
{
  if constexpr (Superclass::HasKernelsForTypes())
  {
    // In tiles, the work reaches one pixel over the tile.
    const RegionType    around = this->GetInputRegionAround(outputRegion, RegionType::SizeType::Filled(1));
    const bool          isWhole = outputRegion == this->GetOutput()->GetRequestedRegion();
    const SizeValueType bytes = around.GetNumberOfPixels() * sizeof(InputPixelType);
    SizeValueType       scratch = CudaFilters::GetReconstructionScratchBytes(
      CudaFilters::GetSizeOf(around), ImageDimension, sizeof(InputPixelType));
    scratch += isWhole && &this->GetMaskOnDevice() == this->GetInput() ? 0 : bytes;
    scratch += isWhole && this->IsWorkOutput() ? 0 : bytes;
    for (const CudaFilters::MarkerRecipe & marker : m_Recipe.Markers)
    {
      scratch += marker.Offsets.size() * sizeof(marker.Offsets.front());
    }
    return scratch;
  }
  else
  {
    return 0;
  }
}

template <typename TParent>
void
CudaGeodesicImageFilter<TParent>::GenerateWhole(int device)
{
  if constexpr (Superclass::HasKernelsForTypes())
  {
    using namespace CudaFilters;
    using Reader = DeviceReader<InputPixelType, ImageDimension>;

    OutputImageType &      output = *this->GetOutput();
    const RegionType       region = output.GetBufferedRegion();
    const Grid             size = GetSizeOf(region);
    const LocalBox         box = MakeLocalBox(region, region);
    const auto             tick = this->GetInformationTick();
    const InputImageType & maskImage = this->GetMaskOnDevice();
    const ExecutionPointer execution = MakeExecution(device, this->GetCudaInterface()->GetExecutionSettings());
    this->UpdateProgressOrAbort(0.01f);
    {
      Reader                  input(*execution, *this->GetInput(), region, tick);
      std::unique_ptr<Reader> otherMask;
      if (&maskImage != this->GetInput())
      {
        otherMask = std::make_unique<Reader>(*execution, maskImage, region, tick);
      }
      Reader & mask = otherMask ? *otherMask : input;
      if (input.GetRegion() != region || mask.GetRegion() != region)
      {
        throw DeviceError(DeviceError::Kind::Unsuited, "an input has a buffer of another region than the output");
      }
      input.Provide(region);
      if (otherMask)
      {
        otherMask->Provide(region);
      }

      DeviceWriter<OutputPixelType, ImageDimension> writer(*execution, output);
      DevicePixels                                  workPixels;
      DeviceLease                                   workLease;
      InputPixelType *                              work = nullptr;
      if constexpr (std::is_same<InputPixelType, OutputPixelType>::value)
      {
        work = this->IsWorkOutput() ? writer.GetPointer() : nullptr;
      }
      if (work == nullptr)
      {
        workLease = workPixels.Write(*execution, region.GetNumberOfPixels() * sizeof(InputPixelType));
        work = static_cast<InputPixelType *>(workLease.GetPointer());
      }

      ReconstructionFinish finish = m_Recipe.Finish;
      for (const MarkerRecipe & marker : m_Recipe.Markers)
      {
        const MarkerInspector inspector(*execution);
        MakeMarker(*execution, marker, m_Recipe.IsErosion, box, input.GetPointer(), mask.GetPointer(), work, inspector);
        const MarkerFindings findings = inspector.Read();
        CheckFindings(findings);
        const auto before = static_cast<float>(&marker - m_Recipe.Markers.data());
        this->UpdateProgressOrAbort(0.2f + 0.6f * before / static_cast<float>(m_Recipe.Markers.size()));
        if (this->IsFlatResult(findings, finish))
        {
          break;
        }
        m_Effort += Reconstruct(*execution, this->GetReconstruction(), size, work, mask.GetPointer());
      }
      this->UpdateProgressOrAbort(0.8f);
      if (!this->IsWorkOutput())
      {
        FinishReconstruction(*execution,
                             finish,
                             m_Recipe.IsErosion,
                             GetNumberOfPixels(size),
                             mask.GetPointer(),
                             static_cast<const InputPixelType *>(work),
                             writer.GetPointer());
      }
      writer.Take(region);
      input.Finish();
      if (otherMask)
      {
        otherMask->Finish();
      }
      writer.Finish();
    }
    this->UpdateProgressOrAbort(1.0f);
    this->AppendStageTimes(GetStageTimes(*execution));
  }
}

template <typename TParent>
class CudaGeodesicImageFilter<TParent>::Rounds
{
public:
  explicit Rounds(const Tiling & tiling)
    : m_Tiling(tiling)
    , m_IsDirty(tiling.Tiles.size(), true)
  {
    for (unsigned int axis = 0; axis < ImageDimension; ++axis)
    {
      for (const RegionType & tile : tiling.Tiles)
      {
        m_Starts[axis].push_back(tile.GetIndex(axis));
        // Two tiles with but one pixel between them both reach it.
        m_Colors = tile.GetSize(axis) == 1 ? 3 : m_Colors;
      }
      std::sort(m_Starts[axis].begin(), m_Starts[axis].end());
      m_Starts[axis].erase(std::unique(m_Starts[axis].begin(), m_Starts[axis].end()), m_Starts[axis].end());
    }
    m_Numbers.resize(tiling.Tiles.size());
    for (std::size_t i = 0; i < tiling.Tiles.size(); ++i)
    {
      m_Numbers[this->GetPlace(tiling.Tiles[i].GetIndex())] = i;
    }
  }

  bool
  IsDone() const
  {
    return std::find(m_IsDirty.begin(), m_IsDirty.end(), true) == m_IsDirty.end();
  }

  /** The tiles to visit in a round; they are clean then. No two of them, with the pixels around them, overlap. */
  Tiling
  TakeRound(unsigned int round)
  {
    Tiling       taken{ m_Tiling.Devices, m_Tiling.LanesPerDevice, {} };
    unsigned int combinations = 1;
    for (unsigned int axis = 0; axis < ImageDimension; ++axis)
    {
      combinations *= m_Colors;
    }
    for (std::size_t i = 0; i < m_IsDirty.size(); ++i)
    {
      std::size_t color = 0;
      for (unsigned int axis = 0; axis < ImageDimension; ++axis)
      {
        color = color * m_Colors + this->GetRank(axis, m_Tiling.Tiles[i].GetIndex(axis)) % m_Colors;
      }
      if (m_IsDirty[i] && color == round % combinations)
      {
        taken.Tiles.push_back(m_Tiling.Tiles[i]);
        m_IsDirty[i] = false;
      }
    }
    return taken;
  }

  /** The tile with a pixel is to be visited. */
  void
  SetDirty(const typename RegionType::IndexType & index)
  {
    m_IsDirty[m_Numbers[this->GetPlace(index)]] = true;
  }

private:
  std::size_t
  GetRank(unsigned int axis, IndexValueType index) const
  {
    const auto & starts = m_Starts[axis];
    return static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), index) - starts.begin()) - 1;
  }
  std::size_t
  GetPlace(const typename RegionType::IndexType & index) const
  {
    std::size_t place = 0;
    for (unsigned int axis = ImageDimension; axis-- > 0;)
    {
      place = place * m_Starts[axis].size() + this->GetRank(axis, index[axis]);
    }
    return place;
  }

  const Tiling &              m_Tiling;
  std::vector<bool>           m_IsDirty;
  unsigned int                m_Colors = 2;
  std::vector<IndexValueType> m_Starts[ImageDimension];
  std::vector<std::size_t>    m_Numbers; // of the tiles, by their places
};

template <typename TParent>
void
CudaGeodesicImageFilter<TParent>::MakeMarkersOfTiles(const Tiling &                    tiling,
                                                     const CudaFilters::MarkerRecipe & marker,
                                                     bool                              isFirst,
                                                     WorkImage &                       work,
                                                     CudaFilters::MarkerFindings &     findings)
{
  if constexpr (Superclass::HasKernelsForTypes())
  {
    using namespace CudaFilters;
    std::mutex mutex;
    this->ForEachTile(
      tiling,
      [&](Lane & lane, SizeValueType i) {
        Execution &        execution = *lane.Run;
        const RegionType & tile = tiling.Tiles[i];
        const RegionType   inputRegion = this->GetInputRegionFor(tile);
        DevicePixels       maskPixels;
        DevicePixels       markerPixels;
        MarkerFindings     found;
        lane.Input.UploadBox(execution, MakeHostBox(*this->GetInput(), inputRegion));
        maskPixels.UploadBox(execution, MakeHostBox(this->GetMaskOnDevice(), tile));
        if (!isFirst)
        {
          markerPixels.UploadBox(execution, MakeHostBox(work, tile));
        }
        {
          const MarkerInspector inspector(execution);
          const DeviceLease     input = lane.Input.Read(execution);
          const DeviceLease     mask = maskPixels.Read(execution);
          DeviceLease to = isFirst ? markerPixels.Write(execution, tile.GetNumberOfPixels() * sizeof(InputPixelType))
                                   : markerPixels.Read(execution);
          MakeMarker(execution,
                     marker,
                     m_Recipe.IsErosion,
                     MakeLocalBox(inputRegion, tile),
                     static_cast<const InputPixelType *>(input.GetPointer()),
                     static_cast<const InputPixelType *>(mask.GetPointer()),
                     static_cast<InputPixelType *>(to.GetPointer()),
                     inspector);
          if (isFirst)
          {
            markerPixels.Accept(std::move(to));
          }
          found = inspector.Read();
        }
        markerPixels.DownloadBox(execution, MakeHostBox(work, tile));
        const std::lock_guard<std::mutex> lock(mutex);
        findings.HasNaN = findings.HasNaN || found.HasNaN;
        findings.IsBeyondMask = findings.IsBeyondMask || found.IsBeyondMask;
        findings.IsFlat = findings.IsFlat && found.IsFlat;
      },
      isFirst ? 0.0f : 0.5f,
      isFirst ? 0.1f : 0.6f);
    CheckFindings(findings);
  }
}

template <typename TParent>
void
CudaGeodesicImageFilter<TParent>::ReconstructTiles(const Tiling & tiling,
                                                   WorkImage &    work,
                                                   float          progress,
                                                   float          progressTo)
{
  if constexpr (Superclass::HasKernelsForTypes())
  {
    using namespace CudaFilters;
    using Iterator = ImageRegionConstIteratorWithIndex<WorkImage>;

    // A tile is reconstructed together with the pixels around it. Where one of these changes, the tile that it belongs
    // to is to be visited again.
    struct Rim
    {
      RegionType                  Region;
      std::vector<InputPixelType> Before;
    };
    const RegionType whole = work.GetBufferedRegion();
    Rounds           rounds(tiling);
    std::mutex       mutex;
    for (unsigned int round = 0; !rounds.IsDone(); ++round)
    {
      const Tiling taken = rounds.TakeRound(round);
      if (taken.Tiles.empty())
      {
        continue;
      }
      std::vector<std::vector<Rim>> rims(taken.Tiles.size());
      const float                   progressBefore = progress;
      progress += 0.25f * (progressTo - progress); // it is not known how many rounds there will be
      this->ForEachTile(
        taken,
        [&](Lane & lane, SizeValueType i) {
          Execution &      execution = *lane.Run;
          const RegionType tile = taken.Tiles[i];
          RegionType       around = tile;
          around.PadByRadius(1);
          around.Crop(whole);
          for (unsigned int axis = 0; axis < ImageDimension; ++axis)
          {
            for (const bool isBefore : { true, false })
            {
              RegionType rim = around;
              rim.SetSize(axis, 1);
              rim.SetIndex(axis,
                           isBefore ? around.GetIndex(axis)
                                    : around.GetIndex(axis) + static_cast<IndexValueType>(around.GetSize(axis)) - 1);
              if (rim.GetIndex(axis) < tile.GetIndex(axis) || rim.GetIndex(axis) > tile.GetUpperIndex()[axis])
              {
                rims[i].push_back({ rim, {} });
                for (Iterator it(&work, rim); !it.IsAtEnd(); ++it)
                {
                  rims[i].back().Before.push_back(it.Get());
                }
              }
            }
          }
          DevicePixels maskPixels;
          DevicePixels workPixels;
          maskPixels.UploadBox(execution, MakeHostBox(this->GetMaskOnDevice(), around));
          workPixels.UploadBox(execution, MakeHostBox(work, around));
          {
            const DeviceLease                 mask = maskPixels.Read(execution);
            const DeviceLease                 image = workPixels.Read(execution);
            const WavefrontEffort             effort = Reconstruct(execution,
                                                       this->GetReconstruction(),
                                                       GetSizeOf(around),
                                                       static_cast<InputPixelType *>(image.GetPointer()),
                                                       static_cast<const InputPixelType *>(mask.GetPointer()));
            const std::lock_guard<std::mutex> lock(mutex);
            m_Effort += effort;
          }
          workPixels.DownloadBox(execution, MakeHostBox(work, around));
        },
        progressBefore,
        progress);
      for (const auto & rimsOfTile : rims)
      {
        for (const Rim & rim : rimsOfTile)
        {
          auto before = rim.Before.begin();
          for (Iterator it(&work, rim.Region); !it.IsAtEnd(); ++it, ++before)
          {
            if (it.Get() != *before)
            {
              rounds.SetDirty(it.GetIndex());
            }
          }
        }
      }
    }
  }
}

template <typename TParent>
void
CudaGeodesicImageFilter<TParent>::GenerateTiles(const Tiling & tiling)
{
  if constexpr (Superclass::HasKernelsForTypes())
  {
    using namespace CudaFilters;

    const InputImageType & mask = this->GetMaskOnDevice();
    OutputImageType &      output = *this->GetOutput();
    // The image on which is worked is the output where it can be.
    typename WorkImage::Pointer work;
    if constexpr (std::is_same<InputPixelType, OutputPixelType>::value)
    {
      work = this->IsWorkOutput() ? &output : nullptr;
    }
    if (!work)
    {
      work = WorkImage::New();
      work->SetRegions(output.GetBufferedRegion());
      work->Allocate();
    }

    ReconstructionFinish finish = m_Recipe.Finish;
    for (const MarkerRecipe & marker : m_Recipe.Markers)
    {
      MarkerFindings findings;
      const bool     isFirst = &marker == &m_Recipe.Markers.front();
      const bool     isLast = &marker == &m_Recipe.Markers.back();
      this->MakeMarkersOfTiles(tiling, marker, isFirst, *work, findings);
      if (this->IsFlatResult(findings, finish))
      {
        break;
      }
      this->ReconstructTiles(tiling, *work, isFirst ? 0.1f : 0.6f, isLast ? 0.9f : 0.5f);
    }

    if (!this->IsWorkOutput())
    {
      this->ForEachTile(
        tiling,
        [&](Lane & lane, SizeValueType i) {
          Execution &        execution = *lane.Run;
          const RegionType & tile = tiling.Tiles[i];
          DevicePixels       maskPixels;
          DevicePixels       workPixels;
          DevicePixels &     pixels = *lane.Outputs.front();
          maskPixels.UploadBox(execution, MakeHostBox(mask, tile));
          workPixels.UploadBox(execution, MakeHostBox(*work, tile));
          const DeviceLease from = workPixels.Read(execution);
          const DeviceLease under = maskPixels.Read(execution);
          DeviceLease       to = pixels.Write(execution, tile.GetNumberOfPixels() * sizeof(OutputPixelType));
          FinishReconstruction(execution,
                               finish,
                               m_Recipe.IsErosion,
                               static_cast<std::int64_t>(tile.GetNumberOfPixels()),
                               static_cast<const InputPixelType *>(under.GetPointer()),
                               static_cast<const InputPixelType *>(from.GetPointer()),
                               static_cast<OutputPixelType *>(to.GetPointer()));
          pixels.Accept(std::move(to));
          pixels.DownloadBox(execution, MakeHostBox(output, tile));
        },
        0.9f,
        1.0f);
    }
    this->UpdateProgressOrAbort(1.0f);
  }
}

template <typename TParent>
void
CudaGeodesicImageFilter<TParent>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  os << indent << "Strategy: " << m_Strategy << std::endl;
  os << indent << "NumberOfDeviceTiles: " << m_Effort.Tiles << std::endl;
  os << indent << "NumberOfVisits: " << m_Effort.Visits << std::endl;
  os << indent << "NumberOfSweeps: " << m_Effort.Sweeps << std::endl;
}
} // namespace itk

#endif
