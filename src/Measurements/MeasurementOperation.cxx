// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/MeasurementOperation.h"
#include "SumUpTiles.h"
#include "../Device/PixelDispatch.h"
#include "../Runner/Runner.h"
#include <limits>
#include <memory>
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
class MeasurementOperation : public Operation
{
public:
  MeasurementOperation(const MeasurementParameters & parameters, std::vector<LabelSums> & sums)
    : m_Parameters(parameters)
    , m_Sums(sums)
  {}

  std::size_t
  GetScratchBytes(const RegionPlan & plan) const override
  {
    return GetSumUpScratchBytes(plan.Output.Size, m_Parameters.Labels);
  }

  void
  RunWhole(Runner & runner, Execution & execution) override
  {
    const Region3                       region = runner.GetOutputRegion();
    const StageScope                    stage(execution, "objects");
    const std::unique_ptr<DeviceReader> labels = runner.ReadExactly(execution, 0, region);
    std::unique_ptr<DeviceReader>       intensities;
    if (runner.GetNumberOfInputs() > 1)
    {
      intensities = runner.ReadExactly(execution, 1, region);
    }
    m_Sums =
      this->SumUp(execution, runner, region, labels->GetPointer(), intensities ? intensities->GetPointer() : nullptr);
    labels->Finish();
    if (intensities)
    {
      intensities->Finish();
    }
  }

  void
  RunTiles(Runner & runner) override
  {
    m_Sums = SumUpTiles<LabelSums>(runner, 1.0f, [&](TileSlot & slot, const Region3 & tile, const void * labels) {
      Execution & execution = slot.GetExecution();
      if (runner.GetNumberOfInputs() == 1)
      {
        return this->SumUp(execution, runner, tile, labels, nullptr);
      }
      const DeviceLease intensities = slot.UploadInput(1, runner.RequireBuffered(1, tile));
      return this->SumUp(execution, runner, tile, labels, intensities.GetPointer());
    });
  }

private:
  std::vector<LabelSums>
  SumUp(Execution &     execution,
        const Runner &  runner,
        const Region3 & region,
        const void *    labels,
        const void *    intensities) const
  {
    LabelsOnDevice onDevice{ labels,
                             m_Parameters.Labels,
                             region,
                             runner.GetOutputRegion().Start,
                             m_Parameters.Background,
                             runner.HasMemoryBudget() };
    if (!m_Parameters.HasNoBackground)
    {
      return this->SumUpIntensities(execution, onDevice, intensities);
    }
    // All labels but the greatest number; if it occurs, that one after them.
    const std::uint64_t greatest = GetGreatestLabel(m_Parameters.Labels);
    onDevice.Background = greatest;
    std::vector<LabelSums> objects = this->SumUpIntensities(execution, onDevice, intensities);
    std::uint64_t          pixels = 0;
    for (const LabelSums & object : objects)
    {
      pixels += object.Sums.Count;
    }
    if (pixels < static_cast<std::uint64_t>(region.GetNumberOfPixels()))
    {
      onDevice.Background = 0;
      objects.push_back(this->SumUpIntensities(execution, onDevice, intensities).back());
    }
    return objects;
  }

  /** Labels are compared as numbers without a sign. */
  static std::uint64_t
  GetGreatestLabel(PixelStorage type)
  {
    std::uint64_t greatest = 0;
    WithInteger(type, [&greatest](auto label) { greatest = std::numeric_limits<decltype(label)>::max(); });
    return greatest;
  }

  std::vector<LabelSums>
  SumUpIntensities(Execution & execution, const LabelsOnDevice & labels, const void * intensities) const
  {
    std::vector<LabelSums> objects = SumUpObjects(execution, labels, intensities, m_Parameters.Intensities, false);
    if (m_Parameters.SumsSquares)
    {
      const auto squares = SumUpObjects(execution, labels, intensities, m_Parameters.Intensities, true);
      for (std::size_t i = 0; i < objects.size(); ++i)
      {
        objects[i].Sums.IntensitySquares = squares[i].Sums.IntensitySum;
      }
    }
    return objects;
  }

  MeasurementParameters    m_Parameters;
  std::vector<LabelSums> & m_Sums;
};
} // namespace

OperationPointer
MakeMeasurementOperation(const MeasurementParameters & parameters, std::vector<LabelSums> & sums)
{
  return std::make_unique<MeasurementOperation>(parameters, sums);
}
} // namespace CudaFilters
} // namespace itk
