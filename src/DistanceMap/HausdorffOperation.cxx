// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "ObjectOperation.h"
#include "../Device/PixelDispatch.h"
#include <array>

namespace itk
{
namespace CudaFilters
{
namespace
{
constexpr ObjectChoice DifferentFromZero{ 0.0, /* ValueIsObject */ false };

void
FindObjectsOfType(const Execution &    execution,
                  const DistanceSlab & slab,
                  PixelType            type,
                  const void *         image,
                  unsigned int *       objects)
{
  WithPixel(type, [&](auto pixel) {
    FindObjects(execution, DifferentFromZero, slab, static_cast<const decltype(pixel) *>(image), objects);
  });
}

/** The distances that statistics tell of. */
DirectedDistances
MakeDistances(const DistanceStatistics & statistics)
{
  if (statistics.Number == 0)
  {
    throw DeviceError(DeviceError::Kind::BadInput, "there is no object in the image from which distances are measured");
  }
  return { statistics.Largest, statistics.Sum / static_cast<double>(statistics.Number) };
}

/** Tiles with the distances of the object pixels of one input to the objects of the other one. */
template <typename TInput>
class DirectedTiles : public ObjectOperation<TInput>
{
public:
  /** to: the input to whose objects distances are measured. from: the pixel type of the other one. */
  DirectedTiles(const DistanceMapParameters & parameters, unsigned int to, PixelType from, ProgressRange progress)
    : ObjectOperation<TInput>(parameters, DifferentFromZero, { SiteChoice::Objects }, to, progress)
    , m_From(from)
  {}

  DirectedDistances
  Measure(Runner & runner)
  {
    m_OfTiles.assign(runner.GetTiles().size(), {});
    this->RunTiles(runner);
    DistanceStatistics all;
    for (const DistanceStatistics & ofTile : m_OfTiles)
    {
      all += ofTile;
    }
    return MakeDistances(all);
  }

protected:
  void
  Compute(const Execution & execution, const SlabOnDevice<TInput> & slab) const override
  {
    m_OfTiles[slab.Tile] =
      ComputeStatistics(execution, slab.Arithmetic, slab.Slab, slab.Sets.front(), slab.OtherPixels);
  }

  bool
  HasOutputs() const override
  {
    return false;
  }

  bool
  UsesOtherInput() const override
  {
    return true;
  }
  void
  FindOtherPixels(const Execution &    execution,
                  const DistanceSlab & slab,
                  const void *         image,
                  unsigned int *       pixels) const override
  {
    FindObjectsOfType(execution, slab, m_From, image, pixels);
  }

  std::size_t
  GetScratchBytesOfResults(const Region3 & region) const override
  {
    return GetStatisticsBytes(this->MakeSlab(region, region));
  }

private:
  PixelType                               m_From;
  mutable std::vector<DistanceStatistics> m_OfTiles; // each of them is written by one thread
};

/** Distances from the first to the second input and, if wanted, back. */
template <typename TInput1, typename TInput2>
class HausdorffOperation : public Operation
{
public:
  HausdorffOperation(const HausdorffParameters & parameters, HausdorffDistances & result)
    : m_IsSymmetric(parameters.IsSymmetric)
    , m_Spacing1(parameters.Spacing1)
    , m_Spacing2(parameters.Spacing2)
    , m_Result(result)
    , m_From1To2(MakeParameters(parameters.Dimension, m_Spacing2),
                 1,
                 GetPixelType<TInput1>(),
                 { 0.0f, m_IsSymmetric ? 0.5f : 1.0f })
    , m_From2To1(MakeParameters(parameters.Dimension, m_Spacing1), 0, GetPixelType<TInput2>(), { 0.5f, 1.0f })
  {}

  /** Those of either direction suffice for the whole image, too. */
  std::size_t
  GetScratchBytes(const RegionPlan & plan) const override
  {
    return std::max(m_From1To2.GetScratchBytes(plan), m_From2To1.GetScratchBytes(plan));
  }

  bool
  MayCutAlong(unsigned int axis) const override
  {
    return m_From1To2.MayCutAlong(axis);
  }

  /** Each image is uploaded, and its objects are found, once for both directions. */
  void
  RunWhole(Runner & runner, Execution & execution) override
  {
    m_From1To2.CheckRegions(runner);
    const Region3       region = runner.GetOutputRegion();
    const DistanceSlab  slab = m_From1To2.MakeSlab(region, region);
    const std::size_t   bytes = slab.GetNumberOfWords() * sizeof(unsigned int);
    const ScratchMemory memory1(execution, bytes);
    const ScratchMemory memory2(execution, bytes);
    const auto          find = [&](unsigned int input, PixelType type, const ScratchMemory & memory) {
      const StageScope                    stage(execution, "objects");
      const std::unique_ptr<DeviceReader> reader = runner.Read(execution, input, region);
      const auto                          objects = static_cast<unsigned int *>(memory.GetPointer());
      reader->Provide(region);
      FindObjectsOfType(execution, slab, type, reader->GetPointer(), objects);
      reader->Finish();
      return objects;
    };
    const unsigned int * const objects1 = find(0, GetPixelType<TInput1>(), memory1);
    const unsigned int * const objects2 = find(1, GetPixelType<TInput2>(), memory2);
    runner.ReportProgress(0.4f);
    const auto measure =
      [&](const unsigned int * from, const unsigned int * to, const std::array<double, 3> & spacing) {
        const StageScope stage(execution, "distances");
        return MakeDistances(ComputeStatistics(
          execution, ChooseDistanceArithmetic(region.Size, spacing), slab, SlabObjects{ to, to }, from));
      };
    m_Result.From1To2 = measure(objects1, objects2, m_Spacing2);
    if (m_IsSymmetric)
    {
      runner.ReportProgress(0.7f);
      m_Result.From2To1 = measure(objects2, objects1, m_Spacing1);
    }
  }

  void
  RunTiles(Runner & runner) override
  {
    m_Result.From1To2 = m_From1To2.Measure(runner);
    if (m_IsSymmetric)
    {
      m_Result.From2To1 = m_From2To1.Measure(runner);
    }
  }

private:
  static DistanceMapParameters
  MakeParameters(unsigned int dimension, const std::array<double, 3> & spacing)
  {
    DistanceMapParameters parameters;
    parameters.Dimension = dimension;
    parameters.Spacing = spacing;
    return parameters;
  }

  bool                   m_IsSymmetric;
  std::array<double, 3>  m_Spacing1;
  std::array<double, 3>  m_Spacing2;
  HausdorffDistances &   m_Result;
  DirectedTiles<TInput2> m_From1To2;
  DirectedTiles<TInput1> m_From2To1;
};
} // namespace

OperationPointer
MakeHausdorffOperation(const HausdorffParameters & parameters,
                       PixelType                   type1,
                       PixelType                   type2,
                       HausdorffDistances &        result)
{
  return WithPixels({ type1, type2 }, [&](auto pixel1, auto pixel2) -> OperationPointer {
    return std::make_unique<HausdorffOperation<decltype(pixel1), decltype(pixel2)>>(parameters, result);
  });
}
} // namespace CudaFilters
} // namespace itk
