// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "ObjectOperation.h"
#include "../Device/PixelDispatch.h"
#include "../Device/ThreadTeam.h"
#include "itkMultiThreaderBase.h"

namespace itk
{
namespace CudaFilters
{
namespace
{
/** Distances to objects, their labels, and their offsets. */
template <typename TInput>
class NearestObjectOperation : public ObjectOperation<TInput>
{
public:
  NearestObjectOperation(const DistanceMapParameters &   parameters,
                         PixelType                       distances,
                         PixelType                       labels,
                         const std::vector<SiteChoice> & sites = { SiteChoice::Objects })
    : ObjectOperation<TInput>(parameters, { 0.0, /* ValueIsObject */ false }, sites)
    , m_DistanceType(distances)
    , m_LabelType(labels)
  {}

protected:
  void
  Compute(const Execution & execution, const SlabOnDevice<TInput> & slab) const override
  {
    auto * const       vectors = static_cast<std::int64_t *>(slab.Outputs[2]);
    const std::int64_t pixels = slab.Slab.GetNumberOfInnerPixels();
    ComputeVectors(execution, slab.Arithmetic, slab.Slab, slab.Sets.front(), vectors);
    WithPixel(m_DistanceType, [&](auto distance) {
      ComputeLengths(
        execution, this->GetParameters(), pixels, vectors, static_cast<decltype(distance) *>(slab.Outputs[0]));
    });
    if (slab.Input != nullptr)
    {
      WithPixel(m_LabelType, [&](auto label) {
        FindLabels(execution,
                   this->GetParameters(),
                   slab.Slab,
                   slab.Input,
                   vectors,
                   static_cast<decltype(label) *>(slab.Outputs[1]));
      });
    }
  }

  /** The nearest object may be in another tile, but all pixels are on the host: labels are found there. */
  bool
  IsComputedInTiles(unsigned int output) const override
  {
    return output != 1;
  }
  void
  FinishTiles(const Runner & runner) const override
  {
    const Region3 region = runner.GetOutputRegion();
    const Region3 inputRegion = runner.GetInput(0).GetBufferedRegion();
    const auto    dimension = static_cast<std::int64_t>(runner.GetDimension());
    const auto *  input = static_cast<const TInput *>(runner.GetInput(0).GetHostBuffer());
    const auto *  vectors = static_cast<const std::int64_t *>(runner.GetOutput(2).GetHostBuffer());
    WithPixel(m_LabelType, [&](auto label) {
      using Label = decltype(label);
      auto * const labels = static_cast<Label *>(runner.GetOutput(1).GetHostBuffer());
      ThreadTeam   team(MultiThreaderBase::GetGlobalDefaultNumberOfThreads());
      team.ForEach(static_cast<std::size_t>(region.Size[1] * region.Size[2]), [&](std::size_t row) {
        for (std::int64_t x = 0; x < region.Size[0]; ++x)
        {
          const std::int64_t   pixel = static_cast<std::int64_t>(row) * region.Size[0] + x;
          const std::int64_t * vector = vectors + pixel * dimension;
          const Size3          position{
            { x, static_cast<std::int64_t>(row) % region.Size[1], static_cast<std::int64_t>(row) / region.Size[1] }
          };
          std::int64_t nearest = 0;
          for (int axis = 2; axis >= 0; --axis)
          {
            const std::int64_t offset = axis < dimension ? vector[axis] : 0;
            nearest =
              nearest * inputRegion.Size[axis] + region.Start[axis] - inputRegion.Start[axis] + position[axis] + offset;
          }
          labels[pixel] = this->GetParameters().IsBinary ? Label{ 1 } : static_cast<Label>(input[nearest]);
        }
      });
    });
  }

  bool
  IsNearest() const override
  {
    return true;
  }

private:
  PixelType m_DistanceType;
  PixelType m_LabelType;
};

/** The same, with distances that are signed: those from pixels inside objects to pixels near the background are
 * subtracted. */
template <typename TInput, typename TOutput>
class SignedNearestOperation : public NearestObjectOperation<TInput>
{
public:
  SignedNearestOperation(const DistanceMapParameters & parameters, PixelType distances, PixelType labels)
    : NearestObjectOperation<TInput>(parameters, distances, labels, { SiteChoice::Objects, SiteChoice::NearBackground })
  {}

protected:
  void
  Compute(const Execution & execution, const SlabOnDevice<TInput> & slab) const override
  {
    NearestObjectOperation<TInput>::Compute(execution, slab);
    SubtractDistances(execution,
                      this->GetParameters(),
                      slab.Arithmetic,
                      slab.Slab,
                      slab.Sets.back(),
                      static_cast<TOutput *>(slab.Outputs[0]));
  }

  std::size_t
  GetScratchBytesOfPasses(const DistanceSlab & slab, bool isInteger) const override
  {
    return std::max(GetDistanceScratchBytes(slab, isInteger, true), GetDistanceScratchBytes(slab, isInteger, false));
  }

  std::size_t
  GetScratchBytesOfResults(const Region3 & region) const override
  {
    return region.GetNumberOfPixels() * sizeof(TOutput);
  }
};
} // namespace

OperationPointer
MakeNearestObjectOperation(const DistanceMapParameters & parameters, const PixelTypes & types, PixelType labels)
{
  return WithPixel(types.Input, [&](auto input) -> OperationPointer {
    using Input = decltype(input);
    if (!parameters.IsSigned)
    {
      return std::make_unique<NearestObjectOperation<Input>>(parameters, types.Output, labels);
    }
    if (types.Output == PixelType::Float)
    {
      return std::make_unique<SignedNearestOperation<Input, float>>(parameters, types.Output, labels);
    }
    CheckReal(types.Output);
    return std::make_unique<SignedNearestOperation<Input, double>>(parameters, types.Output, labels);
  });
}
} // namespace CudaFilters
} // namespace itk
