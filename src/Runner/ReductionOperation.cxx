// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/Reduction.h"
#include "AdjacentPixels.h"
#include "Runner.h"
#include "../Device/Copy.h"
#include "../Device/Execution.h"
#include "../Device/HostResult.h"
#include "CudaFilters/detail/ReductionTree.h"
#include <algorithm>
#include <utility>
#include <vector>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** The number of pixels of a region before a position along an axis, if only this axis is cut. */
std::int64_t
CountPixelsBefore(const Region3 & region, unsigned int axis, std::int64_t position)
{
  return (position - region.Start[axis]) * (region.GetNumberOfPixels() / region.Size[axis]);
}
} // namespace

ReductionOperation::ReductionOperation(const Region3 & region, std::size_t valueBytes)
  : m_Region(region)
  , m_ValueBytes(valueBytes)
{
  // Tiles are contiguous in memory: only the last axis is cut.
  for (unsigned int axis = 1; axis < 3; ++axis)
  {
    m_CutAxis = region.Size[axis] > 1 ? axis : m_CutAxis;
  }
}

ReductionOperation::~ReductionOperation() = default;

Region3
ReductionOperation::GetInputRegion(unsigned int, const Region3 & outputRegion) const
{
  // Behind the tile, as much as completes its last leaf.
  Region3 region = outputRegion;
  region.Size[m_CutAxis] += DivideUp(LeafLength - 1, m_Region.GetNumberOfPixels() / m_Region.Size[m_CutAxis]);
  return Intersect(region, m_Region);
}

std::size_t
ReductionOperation::GetScratchBytes(const RegionPlan & plan) const
{
  const std::int64_t leaves = GetNumberOfLeaves(plan.Output.GetNumberOfPixels()) + 16;
  return static_cast<std::size_t>(leaves + GetNumberOfLeaves(leaves)) * m_ValueBytes;
}

bool
ReductionOperation::MayCutAlong(unsigned int axis) const
{
  return axis == m_CutAxis;
}

void
ReductionOperation::RunWhole(Runner & runner, Execution & execution)
{
  const StageScope                    stage(execution, "reduction");
  const std::unique_ptr<DeviceReader> reader = runner.Read(execution, 0, runner.RequireBuffered(0, m_Region));
  reader->Provide(m_Region);
  HostResult result(m_ValueBytes, execution.GetStream());
  // Values of leaves, and behind them those of the next level, which are reduced in turn. The last one is the result.
  const std::int64_t            leaves = GetNumberOfLeaves(m_Region.GetNumberOfPixels());
  const std::int64_t            room = DivideUp(leaves, 16) * 16;
  std::unique_ptr<DeviceBuffer> buffer = execution.Allocate((room + GetNumberOfLeaves(leaves)) * m_ValueBytes);
  auto *                        values = static_cast<unsigned char *>(buffer->GetPointer());
  auto *                        next = values + room * m_ValueBytes;
  const auto target = [&](std::int64_t count, void * memory) { return count == 1 ? result.GetPointer() : memory; };
  this->ReduceLeaves(execution,
                     { reader->GetPointer(), FindAdjacentPixels(reader->GetRegion(), m_Region), m_Region, 0, leaves },
                     target(leaves, values));
  reader->Finish();
  for (std::int64_t count = leaves; count > 1; count = GetNumberOfLeaves(count))
  {
    this->ReduceValues(execution, values, count, target(GetNumberOfLeaves(count), next));
    std::swap(values, next);
  }
  buffer.reset();
  this->TakeValues(result.Wait(), 1);
}

void
ReductionOperation::RunTiles(Runner & runner)
{
  CheckTiledRegion(runner.GetOutputRegion(), m_Region);
  const std::int64_t         leaves = GetNumberOfLeaves(m_Region.GetNumberOfPixels());
  std::vector<unsigned char> values(leaves * m_ValueBytes);
  const std::vector<Region3> tiles = runner.GetTiles();
  runner.ForEachTile(tiles, [&](TileSlot & slot, std::size_t i) {
    // A leaf belongs to the tile that has its first pixel.
    const std::int64_t firstPixel = CountPixelsBefore(m_Region, m_CutAxis, tiles[i].Start[m_CutAxis]);
    const std::int64_t endPixel = CountPixelsBefore(m_Region, m_CutAxis, tiles[i].GetEnd(m_CutAxis));
    const std::int64_t firstLeaf = DivideUp(firstPixel, LeafLength);
    const std::int64_t count = DivideUp(endPixel, LeafLength) - firstLeaf;
    if (count == 0)
    {
      return;
    }
    Execution &                         execution = slot.GetExecution();
    const StageScope                    stage(execution, "reduction");
    const Region3                       pixels = runner.RequireBuffered(0, this->GetInputRegion(0, tiles[i]));
    const DeviceLease                   input = slot.UploadInput(0, pixels);
    const std::unique_ptr<DeviceBuffer> ofLeaves = execution.Allocate(count * m_ValueBytes);
    this->ReduceLeaves(execution,
                       { input.GetPointer(), FindAdjacentPixels(pixels, m_Region), m_Region, firstLeaf, count },
                       ofLeaves->GetPointer());
    CopyToHost(&values[firstLeaf * m_ValueBytes], ofLeaves->GetPointer(), count * m_ValueBytes, *execution.GetStream());
  });
  this->TakeValues(values.data(), leaves);
}
} // namespace CudaFilters
} // namespace itk
