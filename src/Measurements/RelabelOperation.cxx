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
class RelabelOperation : public Operation
{
public:
  explicit RelabelOperation(const RelabelParameters & parameters)
    : m_Parameters(parameters)
  {}

  std::size_t
  GetScratchBytes(const RegionPlan & plan) const override
  {
    return GetSumUpScratchBytes(plan.Output.Size, m_Parameters.Input);
  }

  void
  RunWhole(Runner & runner, Execution & execution) override
  {
    const Region3                       region = runner.GetOutputRegion();
    const std::unique_ptr<DeviceReader> reader = runner.ReadExactly(execution, 0, region);
    const LabelsOnDevice                labels = this->MakeLabels(runner, reader->GetPointer(), region);
    {
      const StageScope stage(execution, "objects");
      this->ChooseLabels(CountObjects(execution, labels));
    }
    runner.ReportProgress(0.6f);
    const auto       writer = runner.Write(execution, 0);
    const StageScope stage(execution, "output");
    ReplaceLabels(execution, labels, m_Labels, m_NewLabels, writer->GetPointer(), m_Parameters.Output);
    reader->Finish();
    writer->Take(region);
    writer->Finish();
  }

  void
  RunTiles(Runner & runner) override
  {
    constexpr float shareOfFirstPass = 0.5f;

    this->ChooseLabels(
      SumUpTiles<LabelCount>(runner, shareOfFirstPass, [&](TileSlot & slot, const Region3 & tile, const void * labels) {
        return CountObjects(slot.GetExecution(), this->MakeLabels(runner, labels, tile));
      }));
    const std::vector<Region3> & tiles = runner.GetTiles();
    runner.ForEachTile(
      tiles,
      [&](TileSlot & slot, std::size_t i) {
        Execution &       execution = slot.GetExecution();
        const StageScope  stage(execution, "output");
        const Region3 &   tile = tiles[i];
        const DeviceLease labels = slot.UploadInput(0, tile);
        DeviceLease       to = slot.WriteOutput(0, tile);
        ReplaceLabels(execution,
                      this->MakeLabels(runner, labels.GetPointer(), tile),
                      m_Labels,
                      m_NewLabels,
                      to.GetPointer(),
                      m_Parameters.Output);
        slot.DownloadOutput(0, tile, std::move(to));
      },
      shareOfFirstPass,
      1.0f);
  }

private:
  LabelsOnDevice
  MakeLabels(const Runner & runner, const void * pixels, const Region3 & region) const
  {
    return { pixels, m_Parameters.Input, region, runner.GetOutputRegion().Start, 0, runner.HasMemoryBudget() };
  }

  void
  ChooseLabels(const std::vector<LabelCount> & counts)
  {
    std::vector<RelabelledObject> objects;
    objects.reserve(counts.size());
    for (const LabelCount & object : counts)
    {
      objects.push_back({ object.Label, object.Count, 0 });
    }
    m_Parameters.ChooseLabels(objects);
    m_Labels.clear();
    m_NewLabels.clear();
    m_Labels.reserve(objects.size());
    m_NewLabels.reserve(objects.size());
    for (const RelabelledObject & object : objects)
    {
      m_Labels.push_back(object.Label);
      m_NewLabels.push_back(object.NewLabel);
    }
  }

  RelabelParameters          m_Parameters;
  std::vector<std::uint64_t> m_Labels;
  std::vector<std::uint64_t> m_NewLabels;
};
} // namespace

OperationPointer
MakeRelabelOperation(const RelabelParameters & parameters)
{
  return std::make_unique<RelabelOperation>(parameters);
}
} // namespace CudaFilters
} // namespace itk
