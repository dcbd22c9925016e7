// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "DistanceMap.h"
#include "../Device/PixelDispatch.h"
#include "../PixelMemory/ThreadTeam.h"
#include "../Runner/Runner.h"
#include "CudaFilters/detail/CommonUnit.h"
#include "itkMultiThreaderBase.h"
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
  // What LowerEnvelope can compute in integers: squared distances, those before the last pass, and weights.
  constexpr double mostAtLast = 2147483648.0;
  constexpr double mostBefore = mostAtLast / 2;
  constexpr double mostWeight = 1 << 24;

  const double unit = FindCommonUnit(spacing.data(), 3);
  if (!(unit > 0.0))
  {
    return { false, { spacing[0] * spacing[0], spacing[1] * spacing[1], spacing[2] * spacing[2] }, 1.0 };
  }
  DistanceArithmetic arithmetic{ true, {}, unit };
  double             largest = 0.0;
  double             largestAlongX = 0.0;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    const double units = std::round(spacing[axis] / unit);
    arithmetic.Weights[axis] = units * units;
    const auto length = static_cast<double>(size[axis] - 1);
    largest += arithmetic.Weights[axis] * length * length;
    largestAlongX = axis == 0 ? largest : largestAlongX;
    arithmetic.IsInteger = arithmetic.IsInteger && arithmetic.Weights[axis] <= mostWeight;
  }
  // Otherwise, integers are exact in double, too.
  arithmetic.IsInteger = arithmetic.IsInteger && largest < mostAtLast && largest - largestAlongX < mostBefore;
  return arithmetic;
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

  /** Before ConnectTiles(). */
  bool
  HasSites() const
  {
    const int * const lasts = this->Before.GetPointer();
    return std::any_of(
      lasts, lasts + this->Slab.GetNumberOfColumns(), [](int position) { return position != NoSiteBefore; });
  }
};

/** What the device has of a slab, and where its results go. */
template <typename TInput>
struct SlabOnDevice
{
  DistanceSlab        Slab;
  SlabObjects         Objects;
  const TInput *      Input = nullptr; // of a tile, only if UsesInputOfTile()
  std::vector<void *> Outputs;
  DistanceArithmetic  Arithmetic;
};

/** Finds the objects of an image, or of slabs along the last axis, so that Compute() can compute the outputs. */
template <typename TInput>
class ObjectOperation : public Operation
{
public:
  ObjectOperation(const DistanceMapParameters & parameters, const ObjectChoice & choice)
    : m_Parameters(parameters)
    , m_Choice(choice)
    , m_LastAxis(parameters.Dimension - 1)
  {}

  Region3
  GetInputRegion(unsigned int, const Region3 & outputRegion) const override
  {
    // Whether a pixel is on a contour depends on its neighbours.
    Size3 radius{ { 0, 0, 0 } };
    radius[m_LastAxis] = m_Choice.IsToContour ? 1 : 0;
    return Pad(outputRegion, radius);
  }

  std::size_t
  GetScratchBytes(const RegionPlan & plan) const override
  {
    const DistanceSlab slab = this->MakeSlab(plan.Inputs.front(), plan.Output);
    std::size_t        bytes = 2 * slab.GetNumberOfWords() * sizeof(unsigned int);
    // The arithmetic of a tile is that of the whole image, which the plan does not tell.
    const auto getBytes = [&](bool isInteger) { return GetDistanceScratchBytes(slab, isInteger, this->IsNearest()); };
    bytes += plan.IsWhole ? getBytes(ChooseDistanceArithmetic(slab.Size, m_Parameters.Spacing).IsInteger)
                          : std::max(getBytes(true), getBytes(false));
    bytes += 2 * slab.GetNumberOfColumns() * sizeof(int);
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
    const Region3                       region = runner.GetOutputRegion();
    const std::unique_ptr<DeviceReader> input = runner.Read(execution, 0, region);
    if (input->GetRegion() != region)
    {
      throw DeviceError(DeviceError::Kind::Unsuited, "the input has a buffer of another region than the output");
    }
    SlabOnDevice<TInput> slab;
    slab.Slab = this->MakeSlab(region, region);
    slab.Arithmetic = ChooseDistanceArithmetic(region.Size, m_Parameters.Spacing);
    slab.Input = static_cast<const TInput *>(input->GetPointer());
    const ScratchMemory objects(execution, slab.Slab.GetNumberOfWords() * sizeof(unsigned int));
    const ScratchMemory sites(execution, slab.Slab.GetNumberOfWords() * sizeof(unsigned int));
    slab.Objects.Objects = static_cast<const unsigned int *>(objects.GetPointer());
    slab.Objects.Sites = static_cast<const unsigned int *>(sites.GetPointer());
    input->Provide(region);
    {
      const StageScope stage(execution, "objects");
      FindObjects(execution,
                  m_Choice,
                  slab.Slab,
                  slab.Input,
                  static_cast<unsigned int *>(objects.GetPointer()),
                  static_cast<unsigned int *>(sites.GetPointer()));
    }
    if (this->IsNearest() && !HasSites(execution, slab.Slab, slab.Objects.Sites))
    {
      ThrowNoSites();
    }
    runner.ReportProgress(0.3f);

    std::vector<std::unique_ptr<DeviceWriter>> writers;
    for (unsigned int i = 0; i < runner.GetNumberOfOutputs(); ++i)
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
    this->MakeSlab(runner.GetOutputRegion(), runner.GetOutputRegion()); // checks the size
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
    const auto hasSites = [](const std::unique_ptr<TileObjects> & tile) { return tile->HasSites(); };
    if (this->IsNearest() && std::none_of(objects.begin(), objects.end(), hasSites))
    {
      ThrowNoSites();
    }
    this->ConnectTiles(tiles, objects);
    const DistanceArithmetic arithmetic = ChooseDistanceArithmetic(runner.GetOutputRegion().Size, m_Parameters.Spacing);
    runner.ForEachTile(
      tiles,
      [&](TileSlot & slot, std::size_t i) { this->ComputeTile(runner, slot, arithmetic, tiles[i], *objects[i]); },
      0.4f,
      1.0f);
    this->FinishTiles(runner);
  }

protected:
  /** Enqueues the computation of all outputs, as far as they can be computed from the slab. */
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

  /** The device memory that Compute() allocates for results of this region, besides GetDistanceScratchBytes(). */
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
  [[noreturn]] static void
  ThrowNoSites()
  {
    throw DeviceError(DeviceError::Kind::BadInput, "there is no object in the image");
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
                  m_Choice,
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
  ComputeTile(const Runner &             runner,
              TileSlot &                 slot,
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

    SlabOnDevice<TInput> slab;
    slab.Slab = known.Slab;
    slab.Arithmetic = arithmetic;
    slab.Objects = { static_cast<const unsigned int *>(objectsLease.GetPointer()),
                     static_cast<const unsigned int *>(sitesLease.GetPointer()),
                     static_cast<const int *>(beforeLease.GetPointer()),
                     static_cast<const int *>(afterLease.GetPointer()) };
    DeviceLease input;
    if (this->UsesInputOfTile())
    {
      input = slot.UploadInput(0, tile);
      slab.Input = static_cast<const TInput *>(input.GetPointer());
    }
    std::vector<DeviceLease> outputs(runner.GetNumberOfOutputs());
    for (unsigned int i = 0; i < runner.GetNumberOfOutputs(); ++i)
    {
      outputs[i] = this->IsComputedInTiles(i) ? slot.WriteOutput(i, tile) : DeviceLease();
      slab.Outputs.push_back(this->IsComputedInTiles(i) ? outputs[i].GetPointer() : nullptr);
    }
    this->Compute(execution, slab);
    for (unsigned int i = 0; i < runner.GetNumberOfOutputs(); ++i)
    {
      if (this->IsComputedInTiles(i))
      {
        slot.DownloadOutput(i, tile, std::move(outputs[i]));
      }
    }
  }

  DistanceMapParameters m_Parameters;
  ObjectChoice          m_Choice;
  unsigned int          m_LastAxis;
};

/** Signed distances to contours. */
template <typename TInput, typename TOutput>
class DistanceMapOperation : public ObjectOperation<TInput>
{
public:
  explicit DistanceMapOperation(const DistanceMapParameters & parameters)
    : ObjectOperation<TInput>(parameters, { parameters.Background, /* ValueIsObject */ false, /* IsToContour */ true })
  {}

protected:
  void
  Compute(const Execution & execution, const SlabOnDevice<TInput> & slab) const override
  {
    ComputeDistances(execution,
                     this->GetParameters(),
                     slab.Arithmetic,
                     slab.Slab,
                     slab.Objects,
                     static_cast<TOutput *>(slab.Outputs.front()));
  }
};

/** Distances to objects, their labels, and their offsets. */
template <typename TInput>
class NearestObjectOperation : public ObjectOperation<TInput>
{
public:
  NearestObjectOperation(const DistanceMapParameters & parameters, PixelType distances, PixelType labels)
    : ObjectOperation<TInput>(parameters, { 0.0, /* ValueIsObject */ false, /* IsToContour */ false })
    , m_DistanceType(distances)
    , m_LabelType(labels)
  {}

protected:
  void
  Compute(const Execution & execution, const SlabOnDevice<TInput> & slab) const override
  {
    auto * const       vectors = static_cast<std::int64_t *>(slab.Outputs[2]);
    const std::int64_t pixels = slab.Slab.GetNumberOfPixels();
    ComputeVectors(execution, slab.Arithmetic, slab.Slab, slab.Objects, vectors);
    WithPixel(m_DistanceType, [&](auto distance) {
      ComputeLengths(
        execution, this->GetParameters(), pixels, vectors, static_cast<decltype(distance) *>(slab.Outputs[0]));
    });
    if (slab.Input != nullptr)
    {
      WithPixel(m_LabelType, [&](auto label) {
        FindLabels(execution,
                   this->GetParameters(),
                   slab.Slab,
                   slab.Input,
                   vectors,
                   static_cast<decltype(label) *>(slab.Outputs[1]));
      });
    }
  }

  /** The nearest object may be in another tile, but all pixels are on the host: labels are found there. */
  bool
  IsComputedInTiles(unsigned int output) const override
  {
    return output != 1;
  }
  void
  FinishTiles(const Runner & runner) const override
  {
    const Region3 region = runner.GetOutputRegion();
    const Region3 inputRegion = runner.GetInput(0).GetBufferedRegion();
    const auto    dimension = static_cast<std::int64_t>(runner.GetDimension());
    const auto *  input = static_cast<const TInput *>(runner.GetInput(0).GetHostBuffer());
    const auto *  vectors = static_cast<const std::int64_t *>(runner.GetOutput(2).GetHostBuffer());
    WithPixel(m_LabelType, [&](auto label) {
      using Label = decltype(label);
      auto * const labels = static_cast<Label *>(runner.GetOutput(1).GetHostBuffer());
      ThreadTeam   team(MultiThreaderBase::GetGlobalDefaultNumberOfThreads());
      team.ForEach(static_cast<std::size_t>(region.Size[1] * region.Size[2]), [&](std::size_t row) {
        for (std::int64_t x = 0; x < region.Size[0]; ++x)
        {
          const std::int64_t   pixel = static_cast<std::int64_t>(row) * region.Size[0] + x;
          const std::int64_t * vector = vectors + pixel * dimension;
          const Size3          position{
            { x, static_cast<std::int64_t>(row) % region.Size[1], static_cast<std::int64_t>(row) / region.Size[1] }
          };
          std::int64_t nearest = 0;
          for (int axis = 2; axis >= 0; --axis)
          {
            const std::int64_t offset = axis < dimension ? vector[axis] : 0;
            nearest =
              nearest * inputRegion.Size[axis] + region.Start[axis] - inputRegion.Start[axis] + position[axis] + offset;
          }
          labels[pixel] = this->GetParameters().IsBinary ? Label{ 1 } : static_cast<Label>(input[nearest]);
        }
      });
    });
  }

  bool
  IsNearest() const override
  {
    return true;
  }

private:
  PixelType m_DistanceType;
  PixelType m_LabelType;
};

/** Objects that grow or shrink. Distances are measured to object pixels, or to all others. */
template <typename TInput, typename TOutput>
class BallOperation : public ObjectOperation<TInput>
{
public:
  explicit BallOperation(const BallParameters & parameters)
    : ObjectOperation<TInput>(
        parameters.Distances,
        { parameters.Foreground, /* ValueIsObject */ !parameters.IsErosion, /* IsToContour */ false })
    , m_LargestSquaredDistance(parameters.LargestSquaredDistance)
    , m_NewValue(parameters.NewValue)
  {}

protected:
  void
  Compute(const Execution & execution, const SlabOnDevice<TInput> & slab) const override
  {
    const std::int64_t  pixels = slab.Slab.GetNumberOfPixels();
    const ScratchMemory memory(execution, pixels);
    auto * const        changes = static_cast<unsigned char *>(memory.GetPointer());
    FindPixelsInBall(execution, m_LargestSquaredDistance, slab.Arithmetic, slab.Slab, slab.Objects, changes);
    ChangePixels(execution, pixels, slab.Input, changes, m_NewValue, static_cast<TOutput *>(slab.Outputs.front()));
  }

  bool
  UsesInputOfTile() const override
  {
    return true;
  }

  std::size_t
  GetScratchBytesOfResults(const Region3 & region) const override
  {
    return region.GetNumberOfPixels();
  }

private:
  double m_LargestSquaredDistance;
  double m_NewValue;
};
} // namespace

OperationPointer
MakeBallOperation(const BallParameters & parameters, const PixelTypes & types)
{
  return WithPixels(types, [&](auto input, auto output) -> OperationPointer {
    return std::make_unique<BallOperation<decltype(input), decltype(output)>>(parameters);
  });
}

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

OperationPointer
MakeNearestObjectOperation(const DistanceMapParameters & parameters, const PixelTypes & types, PixelType labels)
{
  return WithPixel(types.Input, [&](auto input) -> OperationPointer {
    return std::make_unique<NearestObjectOperation<decltype(input)>>(parameters, types.Output, labels);
  });
}
} // namespace CudaFilters
} // namespace itk
