// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/ComponentOperation.h"
#include "Components.h"
#include "../Device/PixelDispatch.h"
#include "../Runner/HostArray.h"
#include "../Runner/Runner.h"
#include <array>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace itk
{
namespace CudaFilters
{
namespace
{
class ComponentOperation : public Operation
{
public:
  ComponentOperation(const ComponentParameters & parameters, std::uint64_t & objects)
    : m_Parameters(parameters)
    , m_Objects(objects)
  {}

  std::size_t
  GetScratchBytes(const RegionPlan & plan) const override
  {
    const Size3 &     size = plan.Output.Size;
    const std::size_t words = GetNumberOfWords(size) * sizeof(std::uint32_t);
    // How many objects all tiles have together, the plan does not tell.
    return words + (plan.IsWhole ? ComponentLabeller::GetScratchBytes(size, 1)
                                 : ComponentLabeller::GetScratchBytesOfTile(size, m_Parameters.Dimension, MostInTiles));
  }

  void
  RunWhole(Runner & runner, Execution & execution) override
  {
    const Region3       region = runner.GetOutputRegion();
    const ScratchMemory words(execution, GetNumberOfWords(region.Size) * sizeof(std::uint32_t));
    const auto          labeller = this->MakeLabeller(execution, region, 0, words.GetPointer());
    {
      const StageScope stage(execution, "rows");
      for (unsigned int i = 0; i < runner.GetNumberOfInputs(); ++i)
      {
        const std::unique_ptr<DeviceReader> reader = runner.ReadExactly(execution, i, region);
        this->AddImage(i, reader->GetPointer(), *labeller);
        reader->Finish();
      }
    }
    this->CheckForNaN(*labeller);
    runner.ReportProgress(0.3f);
    {
      const StageScope stage(execution, "objects");
      labeller->FindObjects();
    }
    {
      const StageScope stage(execution, "numbers");
      labeller->NumberObjects(m_Parameters.Background);
    }
    // Usually, there cannot be too many, and the device need not wait.
    if (static_cast<std::uint64_t>(region.GetNumberOfPixels()) > m_Parameters.MostObjects)
    {
      m_Parameters.CheckObjectCount(labeller->GetNumberOfObjects());
    }
    runner.ReportProgress(0.6f);
    const auto writer = runner.Write(execution, 0);
    {
      const StageScope stage(execution, "output");
      this->WriteNumbers(*labeller, writer->GetPointer());
    }
    writer->Take(region);
    m_Objects = labeller->GetNumberOfObjects();
    writer->Finish();
  }

  /** Two passes over the tiles: the first finds the objects of each tile, whose pixels stay on the host as bits; the
   * second numbers them. */
  void
  RunTiles(Runner & runner) override
  {
    constexpr float shareOfFirstPass = 0.5f;

    const std::vector<Region3> &          tiles = runner.GetTiles();
    ObjectBorders                         borders(runner.GetOutputRegion(), tiles, m_Parameters.IsFull);
    std::vector<HostArray<std::uint32_t>> words;
    for (const Region3 & tile : tiles)
    {
      words.emplace_back(GetNumberOfWords(tile.Size));
    }
    runner.ForEachTile(
      tiles,
      [&](TileSlot & slot, std::size_t i) {
        Execution &     execution = slot.GetExecution();
        const Region3 & tile = tiles[i];
        const auto      work = std::make_shared<TileWork>();
        work->Lease = work->Words.Write(execution, words[i].GetBox().GetBytes());
        work->Labeller = this->MakeLabeller(execution, tile, 0, work->Lease.GetPointer());
        for (unsigned int input = 0; input < runner.GetNumberOfInputs(); ++input)
        {
          const DeviceLease from = [&] {
            const StageScope stage(execution, "upload");
            return slot.UploadInput(input, runner.RequireBuffered(input, tile));
          }();
          const StageScope stage(execution, "rows");
          this->AddImage(input, from.GetPointer(), *work->Labeller);
        }
        {
          const StageScope stage(execution, "objects");
          work->Labeller->FindObjects();
        }
        slot.FinishLater([this, &execution, &borders, box = words[i].GetBox(), work, i] {
          this->CheckForNaN(*work->Labeller);
          const StageScope                   stage(execution, "borders");
          std::array<std::array<bool, 2>, 3> hasNeighbour{};
          for (unsigned int axis = 0; axis < 3; ++axis)
          {
            hasNeighbour[axis] = { { borders.HasNeighbour(i, axis, 0), borders.HasNeighbour(i, axis, 1) } };
          }
          borders.GetObjects(i) = work->Labeller->GetBorder(hasNeighbour);
          work->Words.DownloadBox(execution, box, std::move(work->Lease));
        });
      },
      0.0f,
      shareOfFirstPass);

    runner.RunOnHost("merge", [&borders] { borders.Connect(); });
    m_Parameters.CheckObjectCount(borders.GetNumberOfObjects());

    runner.ForEachTile(
      tiles,
      [&](TileSlot & slot, std::size_t i) {
        Execution &       execution = slot.GetExecution();
        const Region3 &   tile = tiles[i];
        DevicePixels      pixels;
        const DeviceLease lease = [&] {
          const StageScope stage(execution, "upload");
          return slot.Upload(pixels, words[i].GetBox());
        }();
        const auto labeller = this->MakeLabeller(execution, tile, borders.GetNumberOfObjects(), lease.GetPointer());
        {
          const StageScope stage(execution, "objects");
          labeller->FindObjects();
        }
        {
          const StageScope stage(execution, "numbers");
          labeller->NumberObjects(m_Parameters.Background, borders.GetBefore(i), borders.GetKnown(i));
        }
        DeviceLease to = slot.WriteOutput(0, tile);
        {
          const StageScope stage(execution, "output");
          this->WriteNumbers(*labeller, to.GetPointer());
        }
        const StageScope stage(execution, "download");
        slot.DownloadOutput(0, tile, std::move(to));
      },
      shareOfFirstPass,
      1.0f);
    m_Objects = borders.GetNumberOfObjects();
  }

private:
  /** What a tile has on the device until its objects at the borders are known. */
  struct TileWork
  {
    DevicePixels                       Words;
    DeviceLease                        Lease;
    std::unique_ptr<ComponentLabeller> Labeller;
  };

  /** More than labels of 32 bits can tell. */
  static constexpr std::uint64_t MostInTiles = std::numeric_limits<std::uint64_t>::max();

  /** objects: how many there are in all tiles, if that is known. */
  std::unique_ptr<ComponentLabeller>
  MakeLabeller(Execution & execution, const Region3 & region, std::uint64_t objects, void * words) const
  {
    return std::make_unique<ComponentLabeller>(execution,
                                               region.Size,
                                               m_Parameters.Dimension,
                                               m_Parameters.IsFull,
                                               objects + 1, // one number is left out
                                               static_cast<std::uint32_t *>(words));
  }

  void
  CheckForNaN(const ComponentLabeller & labeller) const
  {
    m_Parameters.CheckForNaN([&labeller] { return labeller.HasNaN(); });
  }

  void
  AddImage(unsigned int input, const void * pixels, ComponentLabeller & labeller) const
  {
    WithStored(input == 0 ? m_Parameters.Input : m_Parameters.Mask,
               [&](auto pixel) { labeller.AddImage(static_cast<const decltype(pixel) *>(pixels)); });
  }

  void
  WriteNumbers(ComponentLabeller & labeller, void * output) const
  {
    WithInteger(m_Parameters.Output, [&](auto pixel) {
      using Pixel = decltype(pixel);
      labeller.Write(static_cast<Pixel>(m_Parameters.Background), static_cast<Pixel *>(output));
    });
  }

  ComponentParameters m_Parameters;
  std::uint64_t &     m_Objects;
};
} // namespace

OperationPointer
MakeComponentOperation(const ComponentParameters & parameters, std::uint64_t & objects)
{
  return std::make_unique<ComponentOperation>(parameters, objects);
}
} // namespace CudaFilters
} // namespace itk
