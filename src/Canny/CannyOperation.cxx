// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CannyEdges.h"
#include "EdgeBorders.h"
#include "../Device/Execution.h"
#include "../Device/PixelDispatch.h"
#include "../Runner/Runner.h"
#include "../SeparableConvolution/SeparableConvolution.h"
#include <algorithm>
#include <type_traits>
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** TReal: the pixel type of the smoothed image. */
template <typename TReal, typename TInput>
class CannyOperation : public Operation
{
public:
  CannyOperation(const CannyParameters & parameters, PixelType outputType)
    : m_Parameters(parameters)
    , m_OutputType(outputType)
  {
    m_Parameters.IsExact = parameters.IsExact || std::is_same<TReal, double>::value;
    // A smoothed pixel that differs in its last bit may move an edge, and where an edge breaks, all that is connected
    // with it is lost. So smoothing is ITK's in any case.
    m_Parameters.Smoothing.InDouble = true;
  }

  Region3
  GetInputRegion(unsigned int, const Region3 & outputRegion) const override
  {
    Size3 radius = GetRadius(m_Parameters.Smoothing);
    for (unsigned int axis = 0; axis < m_Parameters.Dimension; ++axis)
    {
      radius[axis] += CannyRadius;
    }
    return Pad(outputRegion, radius);
  }

  std::size_t
  GetScratchBytes(const RegionPlan & plan) const override
  {
    const Size3 &     size = plan.Output.Size;
    const LocalBox    box = MakeLocalBox(plan.Inputs.front(), plan.Output);
    const std::size_t suppressed = m_Parameters.NonMaximumSuppression != nullptr || m_Parameters.Stages != nullptr
                                     ? plan.Output.GetNumberOfPixels() * sizeof(TReal)
                                     : 0;
    const std::size_t toFind = GetCannyScratchBytes(m_Parameters, box, sizeof(TReal)) + suppressed;
    const std::size_t toLink =
      EdgeLinker::GetScratchBytes(size) + EdgeLinker::GetBorderBytes(size, m_Parameters.Dimension);
    return EdgeMasks{ nullptr, size }.GetBytes() + std::max(toFind, toLink);
  }

  void
  RunWhole(Runner & runner, Execution & execution) override
  {
    const Region3     region = runner.GetOutputRegion();
    DevicePixels      maskPixels;
    EdgeMasks         masks{ nullptr, region.Size };
    const DeviceLease maskLease = maskPixels.Write(execution, masks.GetBytes());
    masks.Words = static_cast<std::uint32_t *>(maskLease.GetPointer());
    if (this->HasStages(execution, region))
    {
      const DevicePixels & suppressed = m_Parameters.Stages->Suppressed;
      const DeviceLease    lease = suppressed.Read(execution);
      ApplyEdgeThresholds(execution, m_Parameters, static_cast<const TReal *>(lease.GetPointer()), masks);
      this->DownloadSuppressed(runner, execution, suppressed, region);
    }
    else
    {
      DevicePixels   unkept;
      DevicePixels * suppressed = m_Parameters.NonMaximumSuppression == nullptr ? nullptr : &unkept;
      if (m_Parameters.Stages != nullptr)
      {
        suppressed = &m_Parameters.Stages->Suppressed;
        suppressed->Release(); // what follows may fail
        m_Parameters.Stages->Region = region;
        m_Parameters.Stages->AreExact = m_Parameters.IsExact;
      }
      const auto reader = runner.Read(execution, 0, runner.GetInputRegion(0, region));
      reader->Provide(reader->GetRegion());
      this->FindEdges(runner, execution, reader->GetPointer(), reader->GetRegion(), region, masks, suppressed);
      reader->Finish();
    }
    runner.ReportProgress(0.5f);

    EdgeLinker linker(execution, masks, m_Parameters.Dimension);
    const auto writer = runner.Write(execution, 0);
    this->WriteEdges(linker, writer->GetPointer());
    writer->Take(region);
    writer->Finish();
  }

  /** Two passes over the tiles: the first finds the candidates, which stay on the host as bits, and those at the
   * borders that are connected; the second writes what is kept. */
  void
  RunTiles(Runner & runner) override
  {
    constexpr float shareOfFirstPass = 0.6f;

    if (m_Parameters.Stages != nullptr)
    {
      m_Parameters.Stages->Suppressed.Release(); // what needs tiles has no room for it
    }
    const Region3                           region = runner.GetOutputRegion();
    const std::vector<Region3> &            tiles = runner.GetTiles();
    std::vector<std::vector<std::uint32_t>> words(tiles.size());
    EdgeBorders                             borders(region.Size, tiles.size());
    const auto                              getHostBox = [&words](std::size_t i) {
      return HostBox::OfBuffer(words[i].data(), words[i].size(), sizeof(std::uint32_t));
    };
    runner.ForEachTile(
      tiles,
      [&](TileSlot & slot, std::size_t i) {
        Execution &     execution = slot.GetExecution();
        const Region3 & tile = tiles[i];
        const Region3   inputRegion = runner.GetInputRegion(0, tile);
        EdgeMasks       masks{ nullptr, tile.Size };
        DevicePixels    maskPixels;
        DeviceLease     maskLease = maskPixels.Write(execution, masks.GetBytes());
        masks.Words = static_cast<std::uint32_t *>(maskLease.GetPointer());
        {
          DevicePixels      suppressed;
          const DeviceLease from = slot.UploadInput(0, inputRegion);
          this->FindEdges(runner,
                          execution,
                          from.GetPointer(),
                          inputRegion,
                          tile,
                          masks,
                          m_Parameters.NonMaximumSuppression == nullptr ? nullptr : &suppressed);
        }
        slot.ReleaseInput(0);
        borders.Add(
          i, GetStartWithin(region, tile), tile.Size, EdgeLinker(execution, masks, m_Parameters.Dimension).GetBorder());
        words[i].resize(2 * masks.GetNumberOfWords());
        maskPixels.DownloadBox(execution, getHostBox(i), std::move(maskLease));
      },
      0.0f,
      shareOfFirstPass);

    borders.Link();

    runner.ForEachTile(
      tiles,
      [&](TileSlot & slot, std::size_t i) {
        Execution &       execution = slot.GetExecution();
        const Region3 &   tile = tiles[i];
        DevicePixels      maskPixels;
        const DeviceLease maskLease = slot.Upload(maskPixels, getHostBox(i));
        const EdgeMasks   masks{ static_cast<std::uint32_t *>(maskLease.GetPointer()), tile.Size };
        EdgeLinker        linker(execution, masks, m_Parameters.Dimension);
        linker.Keep(borders.GetKept(i));
        DeviceLease to = slot.WriteOutput(0, tile);
        this->WriteEdges(linker, to.GetPointer());
        slot.DownloadOutput(0, tile, std::move(to));
      },
      shareOfFirstPass,
      1.0f);
  }

private:
  /** Whether the last run has left what this one begins with. */
  bool
  HasStages(const Execution & execution, const Region3 & region) const
  {
    const CannyStages * const stages = m_Parameters.Stages.get();
    return stages != nullptr && stages->Suppressed.IsValid() &&
           stages->Suppressed.GetDevice() == execution.GetDevice() && stages->Region == region &&
           stages->AreExact == m_Parameters.IsExact;
  }

  /** Enqueues the search for candidates in a region. suppressed: takes the gradient magnitude before hysteresis, unless
   * it is nullptr. */
  void
  FindEdges(const Runner &    runner,
            Execution &       execution,
            const void *      input,
            const Region3 &   inputRegion,
            const Region3 &   region,
            const EdgeMasks & masks,
            DevicePixels *    suppressed) const
  {
    DeviceLease lease;
    if (suppressed != nullptr)
    {
      lease = suppressed->Write(execution, region.GetNumberOfPixels() * sizeof(TReal));
    }
    FindCannyEdges<TReal>(execution,
                          m_Parameters,
                          MakeLocalBox(inputRegion, region),
                          static_cast<const TInput *>(input),
                          masks,
                          lease ? static_cast<TReal *>(lease.GetPointer()) : nullptr);
    if (suppressed != nullptr)
    {
      suppressed->Accept(std::move(lease));
      this->DownloadSuppressed(runner, execution, *suppressed, region);
    }
  }

  /** Copies the gradient magnitude before hysteresis to the host, if it is wanted there. */
  void
  DownloadSuppressed(const Runner &       runner,
                     const Execution &    execution,
                     const DevicePixels & suppressed,
                     const Region3 &      region) const
  {
    if (m_Parameters.NonMaximumSuppression != nullptr)
    {
      suppressed.DownloadBox(
        execution,
        HostBox::OfRegion(m_Parameters.NonMaximumSuppression, runner.GetOutputRegion(), region, sizeof(TReal)));
      Wait(execution); // nothing else waits for this copy if the output stays on the device
    }
  }

  void
  WriteEdges(EdgeLinker & linker, void * output) const
  {
    WithPixel(m_OutputType, [&](auto pixel) { linker.Write(static_cast<decltype(pixel) *>(output)); });
  }

  CannyParameters m_Parameters;
  PixelType       m_OutputType;
};
} // namespace

OperationPointer
MakeCannyOperation(const CannyParameters & parameters, const PixelTypes & types)
{
  return WithPixel(types.Input, [&](auto input) -> OperationPointer {
    using Input = decltype(input);
    if constexpr (!std::is_same<Input, double>::value)
    {
      if (types.Output != PixelType::Double)
      {
        return std::make_unique<CannyOperation<float, Input>>(parameters, types.Output);
      }
    }
    return std::make_unique<CannyOperation<double, Input>>(parameters, types.Output);
  });
}
} // namespace CudaFilters
} // namespace itk
