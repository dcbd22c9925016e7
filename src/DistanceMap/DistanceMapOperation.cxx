// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "DistanceMap.h"
#include "../Device/PixelDispatch.h"
#include "../Runner/Runner.h"
#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace itk
{
namespace CudaFilters
{
DistanceArithmetic
ChooseDistanceArithmetic(const Size3 & size, const std::array<double, 3> & spacing)
{
  constexpr int    mostParts = 16; // of the smallest spacing
  constexpr double mostError = 1e-12;
  // What LowerEnvelope can compute in integers: squared distances, those before the last pass, and weights.
  constexpr double mostAtLast = 2147483648.0;
  constexpr double mostBefore = mostAtLast / 2;
  constexpr double mostWeight = 1 << 24;
  const double     smallest = *std::min_element(spacing.begin(), spacing.end());
  for (int parts = 1; parts <= mostParts; ++parts)
  {
    DistanceArithmetic arithmetic{ true, {}, smallest / parts };
    double             largest = 0.0;
    double             largestAlongX = 0.0;
    bool               isSmall = true;
    bool               isMultiple = true;
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      const double units = std::round(spacing[axis] / arithmetic.Unit);
      isMultiple = isMultiple && std::abs(units * arithmetic.Unit - spacing[axis]) <= mostError * spacing[axis];
      arithmetic.Weights[axis] = units * units;
      const auto length = static_cast<double>(size[axis] - 1);
      largest += arithmetic.Weights[axis] * length * length;
      largestAlongX = axis == 0 ? largest : largestAlongX;
      isSmall = isSmall && arithmetic.Weights[axis] <= mostWeight;
    }
    if (isMultiple)
    {
      // A smaller unit would only make the numbers larger. They are exact in double, too.
      arithmetic.IsInteger = isSmall && largest < mostAtLast && largest - largestAlongX < mostBefore;
      return arithmetic;
    }
  }
  return { false, { spacing[0] * spacing[0], spacing[1] * spacing[1], spacing[2] * spacing[2] }, 1.0 };
}

namespace
{
/** Host memory that is copied to and from devices. */
template <typename TValue>
class HostArray
{
public:
  explicit HostArray(std::size_t number)
    : m_Memory(AllocateHostPixels(number * sizeof(TValue)), FreeHostPixels)
    , m_Number(number)
  {
    if (!m_Memory)
    {
      throw DeviceError(DeviceError::Kind::OutOfMemory,
                        "the host memory does not suffice for the objects of all tiles");
    }
  }

  TValue *
  GetPointer() const
  {
    return static_cast<TValue *>(m_Memory.get());
  }

  HostBox
  GetBox() const
  {
    return HostBox::OfBuffer(m_Memory.get(), m_Number * sizeof(TValue));
  }

private:
  std::unique_ptr<void, bool (*)(void *)> m_Memory;
  std::size_t                             m_Number;
};

/** What a tile knows of its objects between the two passes over the tiles. */
struct TileObjects
{
  DistanceSlab            Slab;
  HostArray<unsigned int> Objects;
  HostArray<unsigned int> Sites;
  HostArray<int>          Before; // for each column: first its last site, later the nearest site before the tile
  HostArray<int>          After;  // its first site, later the nearest site after the tile

  explicit TileObjects(const DistanceSlab & slab)
    : Slab(slab)
    , Objects(slab.GetNumberOfWords())
    , Sites(slab.GetNumberOfWords())
    , Before(slab.GetNumberOfColumns())
    , After(slab.GetNumberOfColumns())
  {}
};

template <typename TInput, typename TOutput>
class DistanceMapOperation : public Operation
{
public:
  explicit DistanceMapOperation(const DistanceMapParameters & parameters)
    : m_Parameters(parameters)
    , m_LastAxis(parameters.Dimension - 1)
  {}

  Region3
  GetInputRegion(unsigned int, const Region3 & outputRegion) const override
  {
    // Whether a pixel is on a contour depends on its neighbours.
    Size3 radius{ { 0, 0, 0 } };
    radius[m_LastAxis] = m_Parameters.IsToContour ? 1 : 0;
    return Pad(outputRegion, radius);
  }

  std::size_t
  GetScratchBytes(const RegionPlan & plan) const override
  {
    const DistanceSlab slab = this->MakeSlab(plan.Inputs.front(), plan.Output);
    std::size_t        bytes = 2 * slab.GetNumberOfWords() * sizeof(unsigned int);
    // The arithmetic of a tile is that of the whole image.
    const bool isInteger = plan.IsWhole && ChooseDistanceArithmetic(slab.Size, m_Parameters.Spacing).IsInteger;
    bytes += GetDistanceScratchBytes(slab, isInteger);
    bytes += 2 * slab.GetNumberOfColumns() * sizeof(int);
    return bytes;
  }

  bool
  MayCutAlong(unsigned int axis) const override
  {
    return axis == m_LastAxis;
  }

  void
  RunWhole(Runner & runner, Execution & execution) override
  {
    const Region3                       region = runner.GetOutputRegion();
    const std::unique_ptr<DeviceReader> input = runner.Read(execution, 0, region);
    if (input->GetRegion() != region)
    {
      throw DeviceError(DeviceError::Kind::Unsuited, "the input has a buffer of another region than the output");
    }
    const DistanceSlab  slab = this->MakeSlab(region, region);
    const ScratchMemory objects(execution, slab.GetNumberOfWords() * sizeof(unsigned int));
    const ScratchMemory sites(execution, slab.GetNumberOfWords() * sizeof(unsigned int));
    input->Provide(region);
    {
      const StageScope stage(execution, "objects");
      FindObjects(execution,
                  m_Parameters,
                  slab,
                  static_cast<const TInput *>(input->GetPointer()),
                  static_cast<unsigned int *>(objects.GetPointer()),
                  static_cast<unsigned int *>(sites.GetPointer()));
    }
    runner.ReportProgress(0.3f);

    const std::unique_ptr<DeviceWriter> writer = runner.Write(execution, 0);
    {
      const StageScope stage(execution, "distances");
      ComputeDistances(execution,
                       m_Parameters,
                       ChooseDistanceArithmetic(region.Size, m_Parameters.Spacing),
                       slab,
                       static_cast<const unsigned int *>(objects.GetPointer()),
                       static_cast<const unsigned int *>(sites.GetPointer()),
                       nullptr,
                       nullptr,
                       static_cast<TOutput *>(writer->GetPointer()));
    }
    writer->Take(region);
    input->Finish();
    writer->Finish();
  }

  void
  RunTiles(Runner & runner) override
  {
    const std::vector<Region3> &              tiles = runner.GetTiles();
    std::vector<std::unique_ptr<TileObjects>> objects;
    for (const Region3 & tile : tiles)
    {
      objects.push_back(std::make_unique<TileObjects>(this->MakeSlab(runner.GetInputRegion(0, tile), tile)));
    }
    runner.ForEachTile(
      tiles,
      [&](TileSlot & slot, std::size_t i) { this->FindObjectsOfTile(runner, slot, tiles[i], *objects[i]); },
      0.0f,
      0.4f);
    this->ConnectTiles(tiles, objects);
    const DistanceArithmetic arithmetic = ChooseDistanceArithmetic(runner.GetOutputRegion().Size, m_Parameters.Spacing);
    runner.ForEachTile(
      tiles,
      [&](TileSlot & slot, std::size_t i) { this->ComputeTile(slot, arithmetic, tiles[i], *objects[i]); },
      0.4f,
      1.0f);
  }

private:
  DistanceSlab
  MakeSlab(const Region3 & inputRegion, const Region3 & outputRegion) const
  {
    if (!outputRegion.IsInside(inputRegion))
    {
      throw DeviceError(DeviceError::Kind::BadInput, "the buffer of the input does not hold all of the image");
    }
    if (inputRegion.Size[m_LastAxis] > LongestColumn)
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

  void
  FindObjectsOfTile(const Runner & runner, TileSlot & slot, const Region3 & tile, const TileObjects & result) const
  {
    Execution &       execution = slot.GetExecution();
    const StageScope  stage(execution, "objects");
    const std::size_t wordBytes = result.Slab.GetNumberOfWords() * sizeof(unsigned int);
    const std::size_t columnBytes = result.Slab.GetNumberOfColumns() * sizeof(int);
    DevicePixels      objects;
    DevicePixels      sites;
    DevicePixels      before;
    DevicePixels      after;
    {
      const DeviceLease input = slot.UploadInput(0, runner.GetInputRegion(0, tile));
      DeviceLease       toObjects = objects.Write(execution, wordBytes);
      DeviceLease       toSites = sites.Write(execution, wordBytes);
      DeviceLease       toBefore = before.Write(execution, columnBytes);
      DeviceLease       toAfter = after.Write(execution, columnBytes);
      FindObjects(execution,
                  m_Parameters,
                  result.Slab,
                  static_cast<const TInput *>(input.GetPointer()),
                  static_cast<unsigned int *>(toObjects.GetPointer()),
                  static_cast<unsigned int *>(toSites.GetPointer()));
      FindEndsOfColumns(execution,
                        result.Slab,
                        static_cast<const unsigned int *>(toSites.GetPointer()),
                        static_cast<int *>(toAfter.GetPointer()),
                        static_cast<int *>(toBefore.GetPointer()));
      objects.Accept(std::move(toObjects));
      sites.Accept(std::move(toSites));
      before.Accept(std::move(toBefore));
      after.Accept(std::move(toAfter));
    }
    objects.DownloadBox(execution, result.Objects.GetBox());
    sites.DownloadBox(execution, result.Sites.GetBox());
    before.DownloadBox(execution, result.Before.GetBox());
    after.DownloadBox(execution, result.After.GetBox());
  }

  /** Replaces the ends of the columns within each tile by the nearest sites outside it. */
  void
  ConnectTiles(const std::vector<Region3> & tiles, const std::vector<std::unique_ptr<TileObjects>> & objects) const
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
        int * const       ends = (isBefore ? objects[i]->Before : objects[i]->After).GetPointer();
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
  ComputeTile(TileSlot &                 slot,
              const DistanceArithmetic & arithmetic,
              const Region3 &            tile,
              const TileObjects &        known) const
  {
    Execution &       execution = slot.GetExecution();
    const StageScope  stage(execution, "distances");
    DevicePixels      objects;
    DevicePixels      sites;
    DevicePixels      before;
    DevicePixels      after;
    const DeviceLease objectsLease = slot.Upload(objects, known.Objects.GetBox());
    const DeviceLease sitesLease = slot.Upload(sites, known.Sites.GetBox());
    const DeviceLease beforeLease = slot.Upload(before, known.Before.GetBox());
    const DeviceLease afterLease = slot.Upload(after, known.After.GetBox());
    DeviceLease       output = slot.WriteOutput(0, tile);
    ComputeDistances(execution,
                     m_Parameters,
                     arithmetic,
                     known.Slab,
                     static_cast<const unsigned int *>(objectsLease.GetPointer()),
                     static_cast<const unsigned int *>(sitesLease.GetPointer()),
                     static_cast<const int *>(beforeLease.GetPointer()),
                     static_cast<const int *>(afterLease.GetPointer()),
                     static_cast<TOutput *>(output.GetPointer()));
    slot.DownloadOutput(0, tile, std::move(output));
  }

  DistanceMapParameters m_Parameters;
  unsigned int          m_LastAxis;
};
} // namespace

OperationPointer
MakeDistanceMapOperation(const DistanceMapParameters & parameters, const PixelTypes & types)
{
  return WithPixels(types, [&](auto input, auto output) -> OperationPointer {
    using Output = decltype(output);
    if constexpr (std::is_floating_point<Output>::value)
    {
      return std::make_unique<DistanceMapOperation<decltype(input), Output>>(parameters);
    }
    else
    {
      throw DeviceError(DeviceError::Kind::Unsuited, "there are kernels for output pixels of float and double only");
    }
  });
}
} // namespace CudaFilters
} // namespace itk
