// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/Binning.h"
#include "AdjacentPixels.h"
#include "Runner.h"
#include "../Device/Copy.h"
#include "../Device/CopyNumbers.h"
#include "../Device/Execution.h"
#include "../Device/HostResult.h"
#include "itkMacro.h"
#include <limits>
#include <mutex>
#include <utility>

namespace itk
{
namespace CudaFilters
{
void
ThrowBadBin(std::int64_t bin, std::int64_t numberOfBins)
{
  itkGenericExceptionMacro("A pixel belongs to bin " << bin << ", but there are bins 0 to " << numberOfBins - 1
                                                     << " only.");
}

BinningOperation::BinningOperation(const Region3 & region, std::vector<std::int64_t> & sums)
  : m_Region(region)
  , m_Sums(sums)
{
  if (sums.size() > std::numeric_limits<int>::max())
  {
    throw DeviceError(DeviceError::Kind::Unsuited, "there are kernels for up to 2147483647 bins only");
  }
}

BinningOperation::~BinningOperation() = default;

std::size_t
BinningOperation::GetScratchBytes(const RegionPlan &) const
{
  return (m_Sums.size() + 1) * sizeof(std::int64_t);
}

std::vector<std::int64_t>
BinningOperation::SumUp(Execution &                   execution,
                        const PixelsOnDevice &        pixels,
                        const std::function<void()> & finish) const
{
  const std::size_t             number = m_Sums.size();
  const std::size_t             bytes = (number + 1) * sizeof(std::int64_t);
  std::unique_ptr<DeviceBuffer> buffer = execution.Allocate(bytes);
  auto * const                  onDevice = static_cast<std::int64_t *>(buffer->GetPointer());
  Clear(onDevice, bytes, *execution.GetStream());
  // A bad bin is never 0.
  this->AddPixels(execution, pixels, { onDevice, static_cast<std::int64_t>(number), onDevice + number });
  std::vector<std::int64_t> sums;
  if (bytes <= HostResult::MostBytes)
  {
    HostResult result(bytes, execution.GetStream());
    CopyNumbers(
      execution, onDevice, static_cast<std::int64_t>(number + 1), static_cast<std::int64_t *>(result.GetPointer()));
    // What takes time on the host is done before the wait.
    buffer.reset();
    finish();
    const auto * const first = static_cast<const std::int64_t *>(result.Wait());
    sums.assign(first, first + number + 1);
  }
  else
  {
    finish();
    sums.resize(number + 1);
    CopyToHost(sums.data(), onDevice, bytes, *execution.GetStream());
  }
  if (sums.back() != 0)
  {
    ThrowBadBin(sums.back(), static_cast<std::int64_t>(number));
  }
  sums.pop_back();
  return sums;
}

void
BinningOperation::RunWhole(Runner & runner, Execution & execution)
{
  const StageScope                    stage(execution, "bins");
  const std::unique_ptr<DeviceReader> reader = runner.Read(execution, 0, runner.RequireBuffered(0, m_Region));
  reader->Provide(m_Region);
  const std::int64_t start = FindAdjacentPixels(reader->GetRegion(), m_Region);
  const auto * const first = static_cast<const unsigned char *>(reader->GetPointer()) +
                             start * static_cast<std::int64_t>(runner.GetInput(0).GetBytesPerPixel());
  m_Sums = this->SumUp(execution, { first, m_Region }, [&reader] { reader->Finish(); });
}

void
BinningOperation::RunTiles(Runner & runner)
{
  CheckTiledRegion(runner.GetOutputRegion(), m_Region);
  const std::vector<Region3> tiles = runner.GetTiles();
  std::vector<std::int64_t>  all(m_Sums.size());
  std::mutex                 mutex;
  runner.ForEachTile(tiles, [&](TileSlot & slot, std::size_t i) {
    const StageScope                  stage(slot.GetExecution(), "bins");
    const DeviceLease                 input = slot.UploadInput(0, runner.RequireBuffered(0, tiles[i]));
    const std::vector<std::int64_t>   sums = this->SumUp(slot.GetExecution(), { input.GetPointer(), tiles[i] }, [] {});
    const std::lock_guard<std::mutex> lock(mutex);
    for (std::size_t k = 0; k < all.size(); ++k)
    {
      all[k] += sums[k];
    }
  });
  m_Sums = std::move(all);
}
} // namespace CudaFilters
} // namespace itk
