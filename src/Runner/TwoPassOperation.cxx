// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/TwoPassOperation.h"
#include "Runner.h"
#include "../PixelMemory/PlainUploads.h"
#include <algorithm>
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
class TwoPassOperation : public Operation
{
public:
  TwoPassOperation(OperationPointer reduction, std::function<OperationPointer()> makeSecond)
    : m_Reduction(std::move(reduction))
    , m_MakeSecond(std::move(makeSecond))
  {}

  std::size_t
  GetScratchBytes(const RegionPlan & plan) const override
  {
    constexpr std::int64_t mostBytesPerPixel = 8;

    // What the reduction reads behind a tile.
    const std::int64_t behind =
      m_Reduction->GetInputRegion(0, plan.Output).GetNumberOfPixels() - plan.Output.GetNumberOfPixels();
    return m_Reduction->GetScratchBytes(plan) +
           static_cast<std::size_t>(std::max<std::int64_t>(behind, 0) * mostBytesPerPixel);
  }

  bool
  MayCutAlong(unsigned int axis) const override
  {
    return m_Reduction->MayCutAlong(axis);
  }

  void
  RunWhole(Runner & runner, Execution & execution) override
  {
    // Pixels of a plain image are kept for the second pass, as for another filter.
    struct Announcement
    {
      ~Announcement() { PlainUploads::GetInstance().Withdraw(this); }
    } announcement;
    PlainUploads::GetInstance().Announce(&announcement, runner.GetInput(0).GetDataObject());
    m_Reduction->RunWhole(runner, execution);
    m_MakeSecond()->RunWhole(runner, execution);
  }

  void
  RunTiles(Runner & runner) override
  {
    m_Reduction->RunTiles(runner);
    m_MakeSecond()->RunTiles(runner);
  }

private:
  OperationPointer                  m_Reduction;
  std::function<OperationPointer()> m_MakeSecond;
};
} // namespace

OperationPointer
MakeTwoPassOperation(OperationPointer reduction, std::function<OperationPointer()> makeSecond)
{
  return std::make_unique<TwoPassOperation>(std::move(reduction), std::move(makeSecond));
}
} // namespace CudaFilters
} // namespace itk
