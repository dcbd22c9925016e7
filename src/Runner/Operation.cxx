// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/Operation.h"
#include "Runner.h"
#include <algorithm>
#include <memory>
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** The slabs in which a whole image is computed while others are copied. */
std::vector<Region3>
MakeSlabs(const Runner & runner, bool hasCopies)
{
  constexpr std::int64_t thinnest = 8; // kernels along the last axis compute about as many pixels together

  const Region3       region = runner.GetOutputRegion();
  const unsigned int  axis = runner.GetDimension() - 1;
  const std::int64_t  length = region.Size[axis];
  const SizeValueType bytes = runner.GetSlabBytes();
  if (!hasCopies || bytes == 0)
  {
    return { region };
  }
  std::size_t bytesPerPixel = 1;
  for (unsigned int i = 0; i < runner.GetNumberOfInputs(); ++i)
  {
    bytesPerPixel = std::max(bytesPerPixel, runner.GetInput(i).GetBytesPerPixel());
  }
  for (unsigned int i = 0; i < runner.GetNumberOfOutputs(); ++i)
  {
    bytesPerPixel = std::max(bytesPerPixel, runner.GetOutput(i).GetBytesPerPixel());
  }
  const auto bytesPerPosition = static_cast<SizeValueType>(region.GetNumberOfPixels() / length) * bytesPerPixel;
  return CutIntoSlabs(region, axis, std::max(static_cast<std::int64_t>(bytes / bytesPerPosition), thinnest));
}
} // namespace

Operation::~Operation() = default;

Region3
Operation::GetInputRegion(unsigned int, const Region3 & outputRegion) const
{
  return outputRegion;
}

bool
Operation::AreTilesIndependent() const
{
  return true;
}

bool
Operation::MayCutAlong(unsigned int) const
{
  return true;
}

std::size_t
Operation::GetScratchBytes(const RegionPlan &) const
{
  return 0;
}

LocalOperation::~LocalOperation() = default;

void
LocalOperation::RunWhole(Runner & runner, Execution & execution)
{
  const Region3                              region = runner.GetOutputRegion();
  std::vector<std::shared_ptr<DeviceReader>> readers;
  std::vector<std::unique_ptr<DeviceWriter>> writers;
  bool                                       hasCopies = false;
  for (unsigned int i = 0; i < runner.GetNumberOfInputs(); ++i)
  {
    // An image that is two inputs is read once.
    const Region3 inputRegion = runner.GetInputRegion(i, region);
    unsigned int  same = 0;
    while (same < i && (runner.GetInput(same).GetDataObject() != runner.GetInput(i).GetDataObject() ||
                        runner.GetInputRegion(same, region) != inputRegion))
    {
      ++same;
    }
    readers.push_back(same < i ? readers[same] : std::shared_ptr<DeviceReader>(runner.Read(execution, i, inputRegion)));
    hasCopies = hasCopies || !readers.back()->IsComplete();
  }
  for (unsigned int i = 0; i < runner.GetNumberOfOutputs(); ++i)
  {
    writers.push_back(runner.Write(execution, i));
    hasCopies = hasCopies || writers.back()->GoesToHost();
  }

  // The kernels are so much faster than the bus that a run takes hardly longer than the copies, which go both ways at
  // the same time.
  const std::vector<Region3> slabs = MakeSlabs(runner, hasCopies);
  const unsigned int         axis = runner.GetDimension() - 1;
  for (const Region3 & slab : slabs)
  {
    const std::int64_t before = slab.Start[axis] - region.Start[axis];
    const std::int64_t pixelsBefore = before * (region.GetNumberOfPixels() / region.Size[axis]);
    RegionOnDevice     onDevice;
    onDevice.OutputRegion = slab;
    for (unsigned int i = 0; i < readers.size(); ++i)
    {
      const Region3 inputRegion = runner.GetInputRegion(i, slab);
      if (inputRegion.GetNumberOfPixels() > 0)
      {
        readers[i]->Provide(inputRegion);
      }
      onDevice.Inputs.push_back(readers[i]->GetPointer());
      onDevice.InputRegions.push_back(readers[i]->GetRegion());
    }
    for (unsigned int i = 0; i < writers.size(); ++i)
    {
      const std::size_t bytesBefore = pixelsBefore * runner.GetOutput(i).GetBytesPerPixel();
      onDevice.Outputs.push_back(static_cast<char *>(writers[i]->GetPointer()) + bytesBefore);
    }
    this->RunRegion(execution, onDevice);
    for (const auto & writer : writers)
    {
      writer->Take(slab);
    }
    if (slabs.size() > 1)
    {
      runner.ReportProgress(static_cast<float>(&slab - slabs.data() + 1) / static_cast<float>(slabs.size() + 1));
    }
  }
  for (unsigned int i = 0; i < readers.size(); ++i)
  {
    if (std::find(readers.begin(), readers.begin() + i, readers[i]) == readers.begin() + i)
    {
      readers[i]->Finish();
    }
  }
  for (const auto & writer : writers)
  {
    writer->Finish();
  }
}

void
LocalOperation::RunTiles(Runner & runner)
{
  runner.ForEachTile(runner.GetTiles(), [&](TileSlot & slot, std::size_t tileNumber) {
    const Region3 &          tile = runner.GetTiles()[tileNumber];
    std::vector<DeviceLease> from;
    std::vector<DeviceLease> to;
    RegionOnDevice           onDevice;
    onDevice.OutputRegion = tile;
    for (unsigned int i = 0; i < runner.GetNumberOfInputs(); ++i)
    {
      const Region3 region = runner.GetInputRegion(i, tile);
      if (region.GetNumberOfPixels() > 0)
      {
        from.push_back(slot.UploadInput(i, region));
      }
      onDevice.Inputs.push_back(region.GetNumberOfPixels() > 0 ? from.back().GetPointer() : nullptr);
      onDevice.InputRegions.push_back(region);
    }
    for (unsigned int i = 0; i < runner.GetNumberOfOutputs(); ++i)
    {
      to.push_back(slot.WriteOutput(i, tile));
      onDevice.Outputs.push_back(to.back().GetPointer());
    }
    this->RunRegion(slot.GetExecution(), onDevice);
    from.clear();
    for (unsigned int i = 0; i < runner.GetNumberOfOutputs(); ++i)
    {
      slot.DownloadOutput(i, tile, std::move(to[i]));
    }
  });
}
} // namespace CudaFilters
} // namespace itk
