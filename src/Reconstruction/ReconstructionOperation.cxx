// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Reconstruction.h"
#include "TileRounds.h"
#include "../Device/PixelDispatch.h"
#include "../Runner/Runner.h"
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** An image on the host that is reconstructed in tiles: the output, or memory of its own. */
template <typename TPixel>
struct WorkImage
{
  TPixel *              Buffer = nullptr;
  Region3               Region;
  std::shared_ptr<void> Memory;

  HostBox
  GetBox(const Region3 & region) const
  {
    return HostBox::OfRegion(this->Buffer, this->Region, region, sizeof(TPixel));
  }

  /** Calls a function with index and value of each pixel of a region. */
  template <typename TFunction>
  void
  ForEachPixel(const Region3 & region, TFunction function) const
  {
    for (std::int64_t z = region.Start[2]; z < region.GetEnd(2); ++z)
    {
      for (std::int64_t y = region.Start[1]; y < region.GetEnd(1); ++y)
      {
        const Index3         start = GetStartWithin(this->Region, { { { region.Start[0], y, z } }, {} });
        const TPixel * const row =
          this->Buffer + (start[2] * this->Region.Size[1] + start[1]) * this->Region.Size[0] + start[0];
        for (std::int64_t x = 0; x < region.Size[0]; ++x)
        {
          function(Index3{ { region.Start[0] + x, y, z } }, row[x]);
        }
      }
    }
  }
};

/** The margin of a tile on one side, and its pixels before the tile was reconstructed. */
template <typename TPixel>
struct Rim
{
  Region3             Region;
  std::vector<TPixel> Before;
};

template <typename TPixel>
class ReconstructionOperation : public Operation
{
public:
  ReconstructionOperation(const ReconstructionParameters & parameters, PixelType outputType)
    : m_Parameters(parameters)
    , m_Finish(parameters.Finish)
    , m_OutputType(outputType)
    , m_IsWorkOutput(outputType == GetPixelType<TPixel>() && parameters.Finish.How == ReconstructionFinish::Kind::Cast)
  {}

  Region3
  GetInputRegion(unsigned int input, const Region3 & outputRegion) const override
  {
    // A margin of one pixel shows where the image ends and whether it is flat.
    Size3 radius = GetUnitRadius(m_Parameters.Dimension);
    for (const MarkerRecipe & marker : m_Parameters.Markers)
    {
      for (const auto & offset : marker.Offsets)
      {
        for (unsigned int axis = 0; axis < 3 && input == 0; ++axis)
        {
          radius[axis] = std::max<std::int64_t>(radius[axis], std::abs(offset[axis]));
        }
      }
    }
    return Pad(outputRegion, radius);
  }

  std::size_t
  GetScratchBytes(const RegionPlan & plan) const override
  {
    // In tiles, the reconstructed image has a margin of one pixel, and the mask is a copy of its own.
    const Region3     around = Intersect(Pad(plan.Output, GetUnitRadius(m_Parameters.Dimension)), plan.Inputs.front());
    const std::size_t bytes = around.GetNumberOfPixels() * sizeof(TPixel);
    std::size_t       scratch = GetReconstructionScratchBytes(around.Size, m_Parameters.Dimension, sizeof(TPixel));
    scratch += plan.IsWhole || plan.Inputs.size() > 1 ? 0 : bytes;
    scratch += plan.IsWhole && m_IsWorkOutput ? 0 : bytes;
    for (const MarkerRecipe & marker : m_Parameters.Markers)
    {
      scratch += marker.Offsets.size() * sizeof(marker.Offsets.front());
    }
    return scratch;
  }

  bool
  AreTilesIndependent() const override
  {
    return false;
  }

  void
  RunWhole(Runner & runner, Execution & execution) override
  {
    const Region3                       region = runner.GetOutputRegion();
    const std::unique_ptr<DeviceReader> input = runner.Read(execution, 0, region);
    const std::unique_ptr<DeviceReader> otherMask =
      runner.GetNumberOfInputs() > 1 ? runner.Read(execution, 1, region) : nullptr;
    const DeviceReader & mask = otherMask ? *otherMask : *input;
    if (input->GetRegion() != region || mask.GetRegion() != region)
    {
      throw DeviceError(DeviceError::Kind::Unsuited, "an input has a buffer of another region than the output");
    }
    input->Provide(region);
    if (otherMask)
    {
      otherMask->Provide(region);
    }
    const auto * const inputPointer = static_cast<const TPixel *>(input->GetPointer());
    const auto * const maskPointer = static_cast<const TPixel *>(mask.GetPointer());

    const std::unique_ptr<DeviceWriter> writer = runner.Write(execution, 0);
    DevicePixels                        workPixels;
    DeviceLease                         workLease;
    TPixel *                            work = nullptr;
    if (m_IsWorkOutput)
    {
      work = static_cast<TPixel *>(writer->GetPointer());
    }
    else
    {
      workLease = workPixels.Write(execution, region.GetNumberOfPixels() * sizeof(TPixel));
      work = static_cast<TPixel *>(workLease.GetPointer());
    }

    for (const MarkerRecipe & marker : m_Parameters.Markers)
    {
      const MarkerInspector inspector(execution);
      MakeMarker(
        execution, m_Parameters, marker, MakeLocalBox(region, region), inputPointer, maskPointer, work, inspector);
      const MarkerProperties properties = inspector.Read();
      CheckMarker(properties);
      const auto  before = static_cast<float>(&marker - m_Parameters.Markers.data());
      const float progress = 0.2f + 0.6f * before / static_cast<float>(m_Parameters.Markers.size());
      runner.ReportProgress(progress);
      if (this->HasFlatResult(properties))
      {
        this->SetFlatResult();
        break;
      }
      this->AddStatistics(Reconstruct(execution, m_Parameters, region.Size, work, maskPointer, [&] {
        runner.ReportProgress(progress); // how much is left is not known
      }));
    }
    runner.ReportProgress(0.8f);
    if (!m_IsWorkOutput)
    {
      this->Finish(execution, region.GetNumberOfPixels(), maskPointer, work, writer->GetPointer());
    }
    writer->Take(region);
    input->Finish();
    if (otherMask)
    {
      otherMask->Finish();
    }
    writer->Finish();
  }

  void
  RunTiles(Runner & runner) override
  {
    WorkImage<TPixel> work;
    work.Region = runner.GetOutputRegion();
    if (m_IsWorkOutput)
    {
      work.Buffer = static_cast<TPixel *>(runner.GetOutput().GetHostBuffer());
    }
    else
    {
      const std::size_t bytes = work.Region.GetNumberOfPixels() * sizeof(TPixel);
      work.Memory = std::shared_ptr<void>(AllocateHostPixels(bytes), FreeHostPixels);
      work.Buffer = static_cast<TPixel *>(work.Memory.get());
      if (work.Buffer == nullptr)
      {
        throw std::bad_alloc();
      }
    }

    for (const MarkerRecipe & marker : m_Parameters.Markers)
    {
      const bool isFirst = &marker == &m_Parameters.Markers.front();
      const bool isLast = &marker == &m_Parameters.Markers.back();
      if (this->HasFlatResult(this->MakeMarkerInTiles(runner, marker, isFirst, work)))
      {
        this->SetFlatResult();
        break;
      }
      this->ReconstructTiles(runner, work, isFirst ? 0.1f : 0.6f, isLast ? 0.9f : 0.5f);
    }

    if (!m_IsWorkOutput)
    {
      this->FinishTiles(runner, work);
    }
  }

private:
  static const PixelImage &
  GetMask(const Runner & runner)
  {
    return runner.GetInput(runner.GetNumberOfInputs() - 1);
  }

  void
  AddStatistics(const WavefrontStatistics & statistics) const
  {
    if (m_Parameters.Statistics != nullptr)
    {
      *m_Parameters.Statistics += statistics;
    }
  }

  /** Throws if the CPU filter is to compute, or to refuse, such images. */
  static void
  CheckMarker(const MarkerProperties & properties)
  {
    if (properties.ExceedsMask)
    {
      throw DeviceError(DeviceError::Kind::BadInput, "the marker goes beyond the mask");
    }
    if (properties.HasNaN)
    {
      throw DeviceError(DeviceError::Kind::Unsuited,
                        "the image has NaN, whose fate depends on the order in which the CPU visits pixels");
    }
  }

  /** Whether the image whose extrema are sought is flat; then the output has one value everywhere. */
  bool
  HasFlatResult(const MarkerProperties & properties) const
  {
    return m_Parameters.Finish.How == ReconstructionFinish::Kind::Extrema && properties.IsFlat;
  }

  void
  SetFlatResult()
  {
    m_Finish.How = ReconstructionFinish::Kind::Background;
    m_Finish.Background = m_Parameters.FlatValue;
  }

  void
  Finish(Execution & execution, std::int64_t pixels, const TPixel * mask, const TPixel * reconstructed, void * output)
    const
  {
    WithPixel(m_OutputType, [&](auto pixel) {
      FinishReconstruction(execution,
                           m_Finish,
                           m_Parameters.IsErosion,
                           pixels,
                           mask,
                           reconstructed,
                           static_cast<decltype(pixel) *>(output));
    });
  }

  MarkerProperties
  MakeMarkerInTiles(Runner & runner, const MarkerRecipe & marker, bool isFirst, WorkImage<TPixel> & work) const
  {
    const std::vector<Region3> & tiles = runner.GetTiles();
    MarkerProperties             properties;
    std::mutex                   mutex;
    runner.ForEachTile(
      tiles,
      [&](TileSlot & slot, std::size_t i) {
        Execution &      execution = slot.GetExecution();
        const Region3 &  tile = tiles[i];
        const Region3    inputRegion = runner.GetInputRegion(0, tile);
        DevicePixels     maskPixels;
        DevicePixels     markerPixels;
        MarkerProperties found;
        {
          const MarkerInspector inspector(execution);
          const DeviceLease     input = slot.UploadInput(0, inputRegion);
          // The mask may be the same image, of which the tile without its margin is needed.
          const DeviceLease mask = slot.Upload(maskPixels, MakeHostBox(GetMask(runner), tile));
          DeviceLease       to = isFirst ? markerPixels.Write(execution, tile.GetNumberOfPixels() * sizeof(TPixel))
                                         : slot.Upload(markerPixels, work.GetBox(tile));
          MakeMarker(execution,
                     m_Parameters,
                     marker,
                     MakeLocalBox(inputRegion, tile),
                     static_cast<const TPixel *>(input.GetPointer()),
                     static_cast<const TPixel *>(mask.GetPointer()),
                     static_cast<TPixel *>(to.GetPointer()),
                     inspector);
          if (isFirst)
          {
            markerPixels.Accept(std::move(to));
          }
          found = inspector.Read();
        }
        markerPixels.DownloadBox(execution, work.GetBox(tile));
        const std::lock_guard<std::mutex> lock(mutex);
        properties.HasNaN = properties.HasNaN || found.HasNaN;
        properties.ExceedsMask = properties.ExceedsMask || found.ExceedsMask;
        properties.IsFlat = properties.IsFlat && found.IsFlat;
      },
      isFirst ? 0.0f : 0.5f,
      isFirst ? 0.1f : 0.6f);
    CheckMarker(properties);
    return properties;
  }

  /** The margins of a tile on the sides where it does not reach the border of the image. */
  std::vector<Rim<TPixel>>
  SaveRims(const WorkImage<TPixel> & work, const Region3 & tile, const Region3 & around) const
  {
    std::vector<Rim<TPixel>> rims;
    for (unsigned int axis = 0; axis < m_Parameters.Dimension; ++axis)
    {
      for (const std::int64_t position : { around.Start[axis], around.GetEnd(axis) - 1 })
      {
        if (position < tile.Start[axis] || position >= tile.GetEnd(axis))
        {
          Rim<TPixel> rim;
          rim.Region = around;
          rim.Region.Start[axis] = position;
          rim.Region.Size[axis] = 1;
          work.ForEachPixel(rim.Region, [&rim](const Index3 &, TPixel value) { rim.Before.push_back(value); });
          rims.push_back(std::move(rim));
        }
      }
    }
    return rims;
  }

  /** A tile is reconstructed together with its margin. Where a pixel of the margin changes, the tile that the pixel
   * belongs to is reconstructed again. */
  void
  ReconstructTiles(Runner & runner, WorkImage<TPixel> & work, float progress, float progressTo) const
  {
    TileRounds rounds(runner.GetTiles());
    std::mutex mutex;
    for (std::size_t round = 0; !rounds.IsDone(); ++round)
    {
      const std::vector<Region3> tiles = rounds.TakeRound(round);
      if (tiles.empty())
      {
        continue;
      }
      std::vector<std::vector<Rim<TPixel>>> rims(tiles.size());
      const float                           progressBefore = progress;
      progress += 0.25f * (progressTo - progress); // the number of rounds is not known in advance
      runner.ForEachTile(
        tiles,
        [&](TileSlot & slot, std::size_t i) {
          Execution &   execution = slot.GetExecution();
          const Region3 around = Intersect(Pad(tiles[i], GetUnitRadius(m_Parameters.Dimension)), work.Region);
          rims[i] = this->SaveRims(work, tiles[i], around);
          DevicePixels maskPixels;
          DevicePixels workPixels;
          {
            const DeviceLease                 mask = slot.Upload(maskPixels, MakeHostBox(GetMask(runner), around));
            const DeviceLease                 image = slot.Upload(workPixels, work.GetBox(around));
            const WavefrontStatistics         statistics = Reconstruct(execution,
                                                               m_Parameters,
                                                               around.Size,
                                                               static_cast<TPixel *>(image.GetPointer()),
                                                               static_cast<const TPixel *>(mask.GetPointer()),
                                                               [&slot] { slot.CheckAbort(); });
            const std::lock_guard<std::mutex> lock(mutex);
            this->AddStatistics(statistics);
          }
          workPixels.DownloadBox(execution, work.GetBox(around));
        },
        progressBefore,
        progress);
      for (const auto & rimsOfTile : rims)
      {
        for (const Rim<TPixel> & rim : rimsOfTile)
        {
          auto before = rim.Before.begin();
          work.ForEachPixel(rim.Region, [&](const Index3 & index, TPixel value) {
            if (value != *before++)
            {
              rounds.MarkTileAt(index);
            }
          });
        }
      }
    }
  }

  void
  FinishTiles(Runner & runner, const WorkImage<TPixel> & work) const
  {
    const std::vector<Region3> & tiles = runner.GetTiles();
    runner.ForEachTile(
      tiles,
      [&](TileSlot & slot, std::size_t i) {
        Execution &       execution = slot.GetExecution();
        const Region3 &   tile = tiles[i];
        DevicePixels      maskPixels;
        DevicePixels      workPixels;
        const DeviceLease mask = slot.Upload(maskPixels, MakeHostBox(GetMask(runner), tile));
        const DeviceLease from = slot.Upload(workPixels, work.GetBox(tile));
        DeviceLease       to = slot.WriteOutput(0, tile);
        this->Finish(execution,
                     tile.GetNumberOfPixels(),
                     static_cast<const TPixel *>(mask.GetPointer()),
                     static_cast<const TPixel *>(from.GetPointer()),
                     to.GetPointer());
        slot.DownloadOutput(0, tile, std::move(to));
      },
      0.9f,
      1.0f);
  }

  ReconstructionParameters m_Parameters;
  ReconstructionFinish     m_Finish;
  PixelType                m_OutputType;
  bool                     m_IsWorkOutput; // the image is reconstructed in the output's memory
};
} // namespace

OperationPointer
MakeReconstructionOperation(const ReconstructionParameters & parameters, const PixelTypes & types)
{
  return WithPixel(types.Input, [&](auto pixel) -> OperationPointer {
    return std::make_unique<ReconstructionOperation<decltype(pixel)>>(parameters, types.Output);
  });
}
} // namespace CudaFilters
} // namespace itk
