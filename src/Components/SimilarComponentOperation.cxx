// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/ComponentOperation.h"
#include "SimilarComponents.h"
#include "CudaFilters/DeviceError.h"
#include "../Device/PixelDispatch.h"
#include "../Runner/Runner.h"
#include <memory>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
namespace
{
class SimilarComponentOperation : public Operation
{
public:
  SimilarComponentOperation(const SimilarComponentParameters & parameters, std::uint64_t & objects)
    : m_Parameters(parameters)
    , m_Objects(objects)
  {}

  std::size_t
  GetScratchBytes(const RegionPlan & plan) const override
  {
    return SimilarComponentLabeller::GetScratchBytes(plan.Output.Size, this->HasMask());
  }

  void
  RunWhole(Runner & runner, Execution & execution) override
  {
    const Region3            region = runner.GetOutputRegion();
    SimilarComponentLabeller labeller(execution, region.Size, this->HasMask());
    if (this->HasMask())
    {
      const StageScope                    stage(execution, "mask");
      const std::unique_ptr<DeviceReader> reader = runner.ReadExactly(execution, 1, region);
      WithStored(m_Parameters.Mask,
                 [&](auto pixel) { labeller.SetMask(static_cast<const decltype(pixel) *>(reader->GetPointer())); });
      reader->Finish();
    }
    {
      const StageScope                    stage(execution, "objects");
      const std::unique_ptr<DeviceReader> reader = runner.ReadExactly(execution, 0, region);
      this->FindObjects(reader->GetPointer(), labeller);
      reader->Finish();
    }
    m_Parameters.CheckForNaN([&labeller] { return labeller.HasNaN(); });
    // Usually, there cannot be too many, and the device need not wait.
    if (static_cast<std::uint64_t>(region.GetNumberOfPixels()) > m_Parameters.MostObjects)
    {
      m_Parameters.CheckObjectCount(labeller.GetGreatestNumber());
    }
    runner.ReportProgress(0.6f);
    const auto writer = runner.Write(execution, 0);
    {
      const StageScope stage(execution, "output");
      WithInteger(m_Parameters.Output,
                  [&](auto pixel) { labeller.Write(static_cast<decltype(pixel) *>(writer->GetPointer())); });
    }
    writer->Take(region);
    m_Objects = labeller.GetNumberOfObjects();
    writer->Finish();
  }

  void
  RunTiles(Runner &) override
  {
    throw DeviceError(DeviceError::Kind::Unsuited,
                      "similar pixels are connected on one device, whose memory must suffice");
  }

private:
  bool
  HasMask() const
  {
    return m_Parameters.Mask != PixelStorage::Other;
  }

  void
  FindObjects(const void * image, SimilarComponentLabeller & labeller) const
  {
    WithStored(m_Parameters.Input, [&](auto pixel) {
      using Pixel = decltype(pixel);
      SimilarityRule<Pixel> rule{};
      rule.IsFull = m_Parameters.IsFull;
      rule.IsSigned = m_Parameters.IsSigned;
      if constexpr (std::is_integral<Pixel>::value)
      {
        rule.Threshold = static_cast<Pixel>(m_Parameters.IntegerThreshold);
      }
      else
      {
        rule.Threshold = static_cast<Pixel>(m_Parameters.RealThreshold);
      }
      labeller.FindObjects(static_cast<const Pixel *>(image), rule);
    });
  }

  SimilarComponentParameters m_Parameters;
  std::uint64_t &            m_Objects;
};
} // namespace

OperationPointer
MakeSimilarComponentOperation(const SimilarComponentParameters & parameters, std::uint64_t & objects)
{
  return std::make_unique<SimilarComponentOperation>(parameters, objects);
}
} // namespace CudaFilters
} // namespace itk
