// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/MeasurementOperation.h"
#include "SumUpTiles.h"
#include "../Runner/Runner.h"
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
    return SumUpObjects(execution,
                        { labels,
                          m_Parameters.Labels,
                          region,
                          runner.GetOutputRegion().Start,
                          m_Parameters.Background,
                          runner.HasMemoryBudget() },
                        intensities,
                        m_Parameters.Intensities);
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
