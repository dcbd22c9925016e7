// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersObjectOperation_h
#define itkCudaFiltersObjectOperation_h

// What the operations have in common that measure distances to the objects of an image.

#include "DistanceMap.h"
#include "../Runner/HostArray.h"
#include "../Runner/Runner.h"
#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** What a tile knows of its sites between the two passes over the tiles. */
struct TileSites
{
  HostArray<unsigned int> Sites;
  HostArray<int>          Before; // for each column: first its last site, later the nearest site before the tile
  HostArray<int>          After;  // its first site, later the nearest site after the tile
  std::int64_t            Columns;

  explicit TileSites(const DistanceSlab & slab)
    : Sites(slab.GetNumberOfWords())
    , Before(slab.GetNumberOfColumns())
    , After(slab.GetNumberOfColumns())
    , Columns(slab.GetNumberOfColumns())
  {}

  /** Before ConnectTiles(). */
  bool
  HasSites() const
  {
    const int * const lasts = this->Before.GetPointer();
    return std::any_of(lasts, lasts + this->Columns, [](int position) { return position != NoSiteBefore; });
  }
};

/** The objects of a tile, and all sets of sites. */
struct TileObjects
{
  DistanceSlab            Slab;
  HostArray<unsigned int> Objects;
  std::vector<TileSites>  Sets;

  TileObjects(const DistanceSlab & slab, std::size_t sets)
    : Slab(slab)
    , Objects(slab.GetNumberOfWords())
  {
    for (std::size_t i = 0; i < sets; ++i)
    {
      this->Sets.emplace_back(slab);
    }
  }
};

/** What the device has of a slab, and where its results go. */
template <typename TInput>
struct SlabOnDevice
{
  DistanceSlab             Slab;
  std::vector<SlabObjects> Sets;
  const TInput *           Input = nullptr;       // of a tile, only if UsesInputOfTile()
  const unsigned int *     OtherPixels = nullptr; // if UsesOtherInput(): which ones differ from 0, as objects are
  std::vector<void *>      Outputs;
  DistanceArithmetic       Arithmetic;
  std::size_t              Tile = 0;
  std::function<void()>    CheckAbort; // throws if the run is to end
};

/** The part of a run that an operation takes, between 0 and 1. */
struct ProgressRange
{
  float From = 0.0f;
  float To = 1.0f;

  float
  GetProgress(float part) const
  {
    return this->From + part * (this->To - this->From);
  }
};

/** Finds the objects of an image, or of slabs along the last axis, so that Compute() can compute the outputs. */
template <typename TInput>
class ObjectOperation : public Operation
{
public:
  /** sites: one or more sets of them. input: the one with the objects. */
  ObjectOperation(const DistanceMapParameters &   parameters,
                  const ObjectChoice &            choice,
                  const std::vector<SiteChoice> & sites,
                  unsigned int                    input = 0,
                  ProgressRange                   progress = {})
    : m_Parameters(parameters)
    , m_Choice(choice)
    , m_Sites(sites)
    , m_LastAxis(parameters.Dimension - 1)
    , m_Input(input)
    , m_Progress(progress)
  {}

  Region3
  GetInputRegion(unsigned int, const Region3 & outputRegion) const override
  {
    // Whether a pixel is on a contour, or near the background, depends on its neighbours.
    const bool isByNeighbours =
      std::any_of(m_Sites.begin(), m_Sites.end(), [](SiteChoice sites) { return sites != SiteChoice::Objects; });
    Size3 radius{ { 0, 0, 0 } };
    radius[m_LastAxis] = isByNeighbours ? 1 : 0;
    return Pad(outputRegion, radius);
  }

  std::size_t
  GetScratchBytes(const RegionPlan & plan) const override
  {
    const DistanceSlab slab = this->MakeSlab(plan.Inputs[m_Input], plan.Output);
    const std::size_t  words = 1 + m_Sites.size() + (this->UsesOtherInput() ? 1 : 0);
    std::size_t        bytes = words * slab.GetNumberOfWords() * sizeof(unsigned int);
    // The arithmetic of a tile is that of the whole image, which the plan does not tell.
    const auto getBytes = [&](bool isInteger) { return this->GetScratchBytesOfPasses(slab, isInteger); };
    bytes += plan.IsWhole ? getBytes(ChooseDistanceArithmetic(slab.Size, m_Parameters.Spacing).IsInteger)
                          : std::max(getBytes(true), getBytes(false));
    bytes += 2 * m_Sites.size() * slab.GetNumberOfColumns() * sizeof(int);
    return bytes + this->GetScratchBytesOfResults(plan.Output);
  }

  bool
  MayCutAlong(unsigned int axis) const override
  {
    return axis == m_LastAxis;
  }

  void
  RunWhole(Runner & runner, Execution & execution) override
  {
    const Region3 region = runner.GetOutputRegion();
    this->CheckRegions(runner);
    const std::unique_ptr<DeviceReader> input = runner.Read(execution, m_Input, region);
    SlabOnDevice<TInput>                slab;
    slab.Slab = this->MakeSlab(region, region);
    slab.Arithmetic = ChooseDistanceArithmetic(region.Size, m_Parameters.Spacing);
    slab.Input = static_cast<const TInput *>(input->GetPointer());
    slab.CheckAbort = [&] { runner.ReportProgress(m_Progress.GetProgress(ProgressOfObjects)); };
    const std::size_t                           wordBytes = slab.Slab.GetNumberOfWords() * sizeof(unsigned int);
    const ScratchMemory                         objects(execution, wordBytes);
    std::vector<std::unique_ptr<ScratchMemory>> siteMemory;
    input->Provide(region);
    {
      const StageScope stage(execution, "objects");
      const auto       toObjects = static_cast<unsigned int *>(objects.GetPointer());
      FindObjects(execution, m_Choice, slab.Slab, slab.Input, toObjects);
      for (const SiteChoice choice : m_Sites)
      {
        siteMemory.push_back(std::make_unique<ScratchMemory>(execution, wordBytes));
        const auto toSites = static_cast<unsigned int *>(siteMemory.back()->GetPointer());
        ChooseSites(execution, choice, slab.Slab, toObjects, toSites);
        slab.Sets.push_back({ toObjects, toSites });
      }
    }
    for (std::size_t set = 0; set < m_Sites.size(); ++set)
    {
      if (this->IsNearest() && !HasSites(execution, slab.Slab, slab.Sets[set].Sites))
      {
        ThrowNoSites(m_Sites[set]);
      }
    }
    slab.CheckAbort();

    std::vector<std::unique_ptr<DeviceWriter>> writers;
    for (unsigned int i = 0; i < this->CountOutputs(runner); ++i)
    {
      writers.push_back(runner.Write(execution, i));
      slab.Outputs.push_back(writers.back()->GetPointer());
    }
    {
      const StageScope stage(execution, "distances");
      this->Compute(execution, slab);
    }
    for (const auto & writer : writers)
    {
      writer->Take(region);
    }
    input->Finish();
    for (const auto & writer : writers)
    {
      writer->Finish();
    }
  }

  void
  RunTiles(Runner & runner) override
  {
    this->CheckRegions(runner);
    this->MakeSlab(runner.GetOutputRegion(), runner.GetOutputRegion()); // checks the size
    const std::vector<Region3> &              tiles = runner.GetTiles();
    std::vector<std::unique_ptr<TileObjects>> objects;
    for (const Region3 & tile : tiles)
    {
      objects.push_back(
        std::make_unique<TileObjects>(this->MakeSlab(runner.GetInputRegion(m_Input, tile), tile), m_Sites.size()));
    }
    runner.ForEachTile(
      tiles,
      [&](TileSlot & slot, std::size_t i) { this->FindObjectsOfTile(runner, slot, tiles[i], *objects[i]); },
      m_Progress.From,
      m_Progress.GetProgress(ProgressOfObjects));
    for (std::size_t set = 0; set < m_Sites.size(); ++set)
    {
      const auto hasSites = [set](const std::unique_ptr<TileObjects> & tile) { return tile->Sets[set].HasSites(); };
      if (this->IsNearest() && std::none_of(objects.begin(), objects.end(), hasSites))
      {
        ThrowNoSites(m_Sites[set]);
      }
      this->ConnectTiles(tiles, objects, set);
    }
    const DistanceArithmetic arithmetic = ChooseDistanceArithmetic(runner.GetOutputRegion().Size, m_Parameters.Spacing);
    runner.ForEachTile(
      tiles,
      [&](TileSlot & slot, std::size_t i) { this->ComputeTile(runner, slot, arithmetic, i, *objects[i]); },
      m_Progress.GetProgress(ProgressOfObjects),
      m_Progress.To);
    this->FinishTiles(runner);
  }

  /** Throws unless all inputs that are read have the region of the output: a larger one may have further objects. */
  void
  CheckRegions(const Runner & runner) const
  {
    const auto check = [&runner](unsigned int input) {
      if (runner.GetInput(input).GetBufferedRegion() != runner.GetOutputRegion())
      {
        throw DeviceError(DeviceError::Kind::Unsuited, "an input has a buffer of another region than the output");
      }
    };
    check(m_Input);
    if (this->UsesOtherInput())
    {
      check(this->GetOtherInput());
    }
  }

  DistanceSlab
  MakeSlab(const Region3 & inputRegion, const Region3 & outputRegion) const
  {
    if (!outputRegion.IsInside(inputRegion))
    {
      throw DeviceError(DeviceError::Kind::BadInput, "the buffer of the input does not hold all of the image");
    }
    if (*std::max_element(inputRegion.Size.begin(), inputRegion.Size.end()) > LongestColumn)
    {
      throw DeviceError(DeviceError::Kind::Unsuited, "the image is too long");
    }
    DistanceSlab slab;
    slab.Size = inputRegion.Size;
    slab.LastAxis = static_cast<int>(m_LastAxis);
    slab.MarginBefore = static_cast<int>(outputRegion.Start[m_LastAxis] - inputRegion.Start[m_LastAxis]);
    slab.MarginAfter = static_cast<int>(inputRegion.GetEnd(m_LastAxis) - outputRegion.GetEnd(m_LastAxis));
    return slab;
  }

protected:
  /** Computes all outputs, as far as they can be computed from the slab. Enqueues this, or waits for the device. */
  virtual void
  Compute(const Execution & execution, const SlabOnDevice<TInput> & slab) const = 0;

  /** Whether Compute() computes an output of a tile. FinishTiles() computes the others on the host. */
  virtual bool
  IsComputedInTiles(unsigned int) const
  {
    return true;
  }
  virtual void
  FinishTiles(const Runner &) const
  {}

  /** Whether Compute() computes outputs at all. */
  virtual bool
  HasOutputs() const
  {
    return true;
  }

  /** Whether Compute() needs to know which pixels of the other one of two inputs differ from 0, and how to find them.
   */
  virtual bool
  UsesOtherInput() const
  {
    return false;
  }
  virtual void
  FindOtherPixels(const Execution &, const DistanceSlab &, const void *, unsigned int *) const
  {}

  /** Whether Compute() uses the pixels of the input in a tile, too. */
  virtual bool
  UsesInputOfTile() const
  {
    return false;
  }

  /** Whether the nearest sites are found, too. Then there must be a site. */
  virtual bool
  IsNearest() const
  {
    return false;
  }

  /** The device memory that the passes in Compute() allocate. */
  virtual std::size_t
  GetScratchBytesOfPasses(const DistanceSlab & slab, bool isInteger) const
  {
    return GetDistanceScratchBytes(slab, isInteger, this->IsNearest());
  }

  /** The device memory that Compute() allocates besides, for results of this region. */
  virtual std::size_t
  GetScratchBytesOfResults(const Region3 &) const
  {
    return 0;
  }

  const DistanceMapParameters &
  GetParameters() const
  {
    return m_Parameters;
  }

private:
  static constexpr float ProgressOfObjects = 0.4f;

  unsigned int
  GetOtherInput() const
  {
    return 1 - m_Input;
  }

  unsigned int
  CountOutputs(const Runner & runner) const
  {
    return this->HasOutputs() ? runner.GetNumberOfOutputs() : 0;
  }

  [[noreturn]] static void
  ThrowNoSites(SiteChoice sites)
  {
    throw DeviceError(DeviceError::Kind::BadInput,
                      sites == SiteChoice::NearBackground ? "there is no background in the image"
                                                          : "there is no object in the image");
  }

  void
  FindObjectsOfTile(const Runner & runner, TileSlot & slot, const Region3 & tile, const TileObjects & result) const
  {
    Execution &       execution = slot.GetExecution();
    const StageScope  stage(execution, "objects");
    const std::size_t wordBytes = result.Slab.GetNumberOfWords() * sizeof(unsigned int);
    const std::size_t columnBytes = result.Slab.GetNumberOfColumns() * sizeof(int);
    DevicePixels      objects;
    DeviceLease       toObjects = objects.Write(execution, wordBytes);
    {
      const DeviceLease input = slot.UploadInput(m_Input, runner.GetInputRegion(m_Input, tile));
      FindObjects(execution,
                  m_Choice,
                  result.Slab,
                  static_cast<const TInput *>(input.GetPointer()),
                  static_cast<unsigned int *>(toObjects.GetPointer()));
    }
    for (std::size_t i = 0; i < m_Sites.size(); ++i)
    {
      const TileSites & set = result.Sets[i];
      DevicePixels      sites;
      DevicePixels      before;
      DevicePixels      after;
      {
        DeviceLease toSites = sites.Write(execution, wordBytes);
        DeviceLease toBefore = before.Write(execution, columnBytes);
        DeviceLease toAfter = after.Write(execution, columnBytes);
        ChooseSites(execution,
                    m_Sites[i],
                    result.Slab,
                    static_cast<const unsigned int *>(toObjects.GetPointer()),
                    static_cast<unsigned int *>(toSites.GetPointer()));
        FindEndsOfColumns(execution,
                          result.Slab,
                          static_cast<const unsigned int *>(toSites.GetPointer()),
                          static_cast<int *>(toAfter.GetPointer()),
                          static_cast<int *>(toBefore.GetPointer()));
        sites.Accept(std::move(toSites));
        before.Accept(std::move(toBefore));
        after.Accept(std::move(toAfter));
      }
      sites.DownloadBox(execution, set.Sites.GetBox());
      before.DownloadBox(execution, set.Before.GetBox());
      after.DownloadBox(execution, set.After.GetBox());
    }
    objects.Accept(std::move(toObjects));
    objects.DownloadBox(execution, result.Objects.GetBox());
  }

  /** Replaces the ends of the columns within each tile by the nearest sites of a set outside it. */
  void
  ConnectTiles(const std::vector<Region3> &                      tiles,
               const std::vector<std::unique_ptr<TileObjects>> & objects,
               std::size_t                                       set) const
  {
    const auto columns = static_cast<std::size_t>(objects.front()->Slab.GetNumberOfColumns());
    // From the positions in one tile to those in the next one.
    const auto getOrigin = [&](std::size_t i) { return tiles[i].Start[m_LastAxis] - objects[i]->Slab.MarginBefore; };
    const auto connect = [&](bool isBefore) {
      const int        none = isBefore ? NoSiteBefore : NoSiteAfter;
      std::vector<int> nearest(columns, none);
      std::int64_t     origin = 0; // of the positions in nearest
      for (std::size_t k = 0; k < tiles.size(); ++k)
      {
        const std::size_t i = isBefore ? k : tiles.size() - 1 - k;
        const TileSites & sites = objects[i]->Sets[set];
        int * const       ends = (isBefore ? sites.Before : sites.After).GetPointer();
        const auto        shift = static_cast<int>(getOrigin(i) - origin);
        origin = getOrigin(i);
        for (std::size_t column = 0; column < columns; ++column)
        {
          const int outside = nearest[column] == none ? none : nearest[column] - shift;
          nearest[column] = ends[column] == none ? outside : ends[column];
          ends[column] = outside;
        }
      }
    };
    connect(true);
    connect(false);
  }

  void
  ComputeTile(const Runner &             runner,
              TileSlot &                 slot,
              const DistanceArithmetic & arithmetic,
              std::size_t                number,
              const TileObjects &        known) const
  {
    const Region3 &   tile = runner.GetTiles()[number];
    Execution &       execution = slot.GetExecution();
    const StageScope  stage(execution, "distances");
    const std::size_t sets = known.Sets.size();

    DevicePixels              objects;
    const DeviceLease         objectsLease = slot.Upload(objects, known.Objects.GetBox());
    std::vector<DevicePixels> ofSets(3 * sets);
    std::vector<DeviceLease>  leases;

    SlabOnDevice<TInput> slab;
    slab.Slab = known.Slab;
    slab.Arithmetic = arithmetic;
    slab.Tile = number;
    slab.CheckAbort = [&slot] { slot.CheckAbort(); };
    for (std::size_t i = 0; i < sets; ++i)
    {
      const TileSites & set = known.Sets[i];
      leases.push_back(slot.Upload(ofSets[3 * i], set.Sites.GetBox()));
      const void * const sites = leases.back().GetPointer();
      leases.push_back(slot.Upload(ofSets[3 * i + 1], set.Before.GetBox()));
      const void * const before = leases.back().GetPointer();
      leases.push_back(slot.Upload(ofSets[3 * i + 2], set.After.GetBox()));
      const void * const after = leases.back().GetPointer();
      slab.Sets.push_back({ static_cast<const unsigned int *>(objectsLease.GetPointer()),
                            static_cast<const unsigned int *>(sites),
                            static_cast<const int *>(before),
                            static_cast<const int *>(after) });
    }
    DeviceLease input;
    if (this->UsesInputOfTile())
    {
      input = slot.UploadInput(m_Input, tile);
      slab.Input = static_cast<const TInput *>(input.GetPointer());
    }
    DeviceLease  other;
    DevicePixels otherPixels;
    DeviceLease  otherLease;
    if (this->UsesOtherInput())
    {
      other = slot.UploadInput(this->GetOtherInput(), runner.GetInputRegion(this->GetOtherInput(), tile));
      otherLease = otherPixels.Write(execution, known.Slab.GetNumberOfWords() * sizeof(unsigned int));
      auto * const pixels = static_cast<unsigned int *>(otherLease.GetPointer());
      this->FindOtherPixels(execution, known.Slab, other.GetPointer(), pixels);
      slab.OtherPixels = pixels;
    }
    const unsigned int       numberOfOutputs = this->CountOutputs(runner);
    std::vector<DeviceLease> outputs(numberOfOutputs);
    for (unsigned int i = 0; i < numberOfOutputs; ++i)
    {
      outputs[i] = this->IsComputedInTiles(i) ? slot.WriteOutput(i, tile) : DeviceLease();
      slab.Outputs.push_back(this->IsComputedInTiles(i) ? outputs[i].GetPointer() : nullptr);
    }
    this->Compute(execution, slab);
    for (unsigned int i = 0; i < numberOfOutputs; ++i)
    {
      if (this->IsComputedInTiles(i))
      {
        slot.DownloadOutput(i, tile, std::move(outputs[i]));
      }
    }
  }

  DistanceMapParameters   m_Parameters;
  ObjectChoice            m_Choice;
  std::vector<SiteChoice> m_Sites;
  unsigned int            m_LastAxis;
  unsigned int            m_Input;
  ProgressRange           m_Progress;
};
/** Throws unless there are kernels for distances with a sign of this type. */
inline void
CheckReal(PixelType distances)
{
  if (distances != PixelType::Float && distances != PixelType::Double)
  {
    throw DeviceError(DeviceError::Kind::Unsuited, "there are kernels for output pixels of float and double only");
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
