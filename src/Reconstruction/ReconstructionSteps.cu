// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Reconstruction.h"
#include "CudaFilters/detail/PixelType.h"
#include "ReconstructionSteps.cuh"
#include "../Device/Copy.h"
#include <limits>

namespace itk
{
namespace CudaFilters
{
class MarkerInspector::Implementation
{
public:
  explicit Implementation(Execution & execution)
    : Work(execution)
    , Memory(execution.Allocate(sizeof(std::uint32_t)))
  {
    Clear(this->Memory->GetPointer(), sizeof(std::uint32_t), *execution.GetStream());
  }

  Execution &                   Work;
  std::unique_ptr<DeviceBuffer> Memory;
};

MarkerInspector::MarkerInspector(Execution & execution)
  : m_Implementation(std::make_unique<Implementation>(execution))
{}

MarkerInspector::~MarkerInspector() = default;

std::uint32_t *
MarkerInspector::GetPointer() const
{
  return static_cast<std::uint32_t *>(m_Implementation->Memory->GetPointer());
}

MarkerProperties
MarkerInspector::Read() const
{
  std::uint32_t found = 0;
  CopyToHost(&found, this->GetPointer(), sizeof(found), *m_Implementation->Work.GetStream());
  MarkerProperties properties;
  properties.ExceedsMask = (found & FoundBeyondMask) != 0u;
  properties.HasNaN = (found & FoundNaN) != 0u;
  properties.IsFlat = (found & FoundDifferent) == 0u;
  return properties;
}

template <typename TPixel>
void
MakeMarker(Execution &                      execution,
           const ReconstructionParameters & parameters,
           const MarkerRecipe &             recipe,
           const LocalBox &                 box,
           const TPixel *                   input,
           const TPixel *                   mask,
           TPixel *                         marker,
           const MarkerInspector &          inspector)
{
  using ValueType = typename PixelOrder<TPixel>::ValueType;
  const MarkerImages<TPixel> images{
    input, mask, marker, static_cast<ValueType>(parameters.IsErosion ? -1 : 0), inspector.GetPointer()
  };
  const auto start = [&](auto maker) {
    // Only SteppedMarker needs to know whether the image is flat.
    constexpr bool         isStep = std::is_same<decltype(maker), SteppedMarker>::value;
    constexpr int          width = 4;
    constexpr std::int64_t mostRows = 65535;
    const dim3             block(64, 4);
    const std::int64_t     rows = DivideUp(box.OutputSize[1] * box.OutputSize[2], block.y);
    const dim3             grid(static_cast<unsigned int>(DivideUp(box.OutputSize[0], block.x * width)),
                    static_cast<unsigned int>(std::min(rows, mostRows)));
    Launch(execution,
           "MakeMarkerKernel",
           MakeMarkerKernel<isStep, width, decltype(maker), TPixel>,
           { grid, block },
           KernelBox(box),
           images,
           maker);
  };
  const auto startPixelByPixel = [&](auto maker) {
    if (box.InputSize != box.OutputSize)
    {
      start(PlacedMarker<decltype(maker)>{ maker });
      return;
    }
    constexpr unsigned int threads = 256;
    const std::int64_t     pixels = GetNumberOfPixels(box.OutputSize);
    Launch(execution,
           "MakeMarkerOfPixelsKernel",
           MakeMarkerOfPixelsKernel<decltype(maker), TPixel>,
           { GridOf(DivideUp(pixels, threads * PackWidth<TPixel>)), dim3(threads) },
           pixels,
           images,
           maker);
  };

  const StageScope stage(execution, "marker");
  switch (recipe.How)
  {
    case MarkerRecipe::Kind::Copy:
      startPixelByPixel(CopiedMarker{});
      break;
    case MarkerRecipe::Kind::Shift:
      startPixelByPixel(ShiftedMarker<TPixel>{ recipe.Shift,
                                               static_cast<double>(std::numeric_limits<TPixel>::lowest()),
                                               static_cast<double>(std::numeric_limits<TPixel>::max()) });
      break;
    case MarkerRecipe::Kind::Step:
      start(SteppedMarker{});
      break;
    case MarkerRecipe::Kind::Border:
      start(BorderMarker{ static_cast<int>(parameters.Dimension) });
      break;
    case MarkerRecipe::Kind::Structure:
    case MarkerRecipe::Kind::Restore: {
      const std::size_t bytes = recipe.Offsets.size() * sizeof(recipe.Offsets.front());
      const auto        offsets = execution.Allocate(std::max<std::size_t>(bytes, 1));
      CopyToDevice(offsets->GetPointer(), recipe.Offsets.data(), bytes, *execution.GetStream());
      const StructuredMarker structured{ static_cast<const int *>(offsets->GetPointer()),
                                         static_cast<int>(recipe.Offsets.size()) };
      recipe.How == MarkerRecipe::Kind::Structure ? start(structured) : start(RestoredMarker{ structured });
      break;
    }
  }
}

template <typename TPixel, typename TOutput>
void
FinishReconstruction(Execution &                  execution,
                     const ReconstructionFinish & finish,
                     bool                         isErosion,
                     std::int64_t                 pixels,
                     const TPixel *               mask,
                     const TPixel *               reconstructed,
                     TOutput *                    output)
{
  const auto start = [&](auto how) {
    constexpr unsigned int threads = 256;
    Launch(execution,
           "FinishKernel",
           FinishKernel<decltype(how), TPixel, TOutput>,
           { GridOf(DivideUp(pixels, threads * PackWidth<TPixel, TOutput>)), dim3(threads) },
           pixels,
           mask,
           reconstructed,
           output,
           how);
  };

  const StageScope stage(execution, "result");
  switch (finish.How)
  {
    case ReconstructionFinish::Kind::Cast:
      start(CastFinish{});
      break;
    case ReconstructionFinish::Kind::Difference:
      start(DifferenceFinish{ isErosion });
      break;
    case ReconstructionFinish::Kind::Extrema:
      start(ExtremaFinish{ isErosion, finish.Foreground, finish.Background });
      break;
    case ReconstructionFinish::Kind::Background:
      start(BackgroundFinish{ finish.Background });
      break;
  }
}

#define CUDAFILTERS_INSTANTIATE(TPixel)                              \
  template void MakeMarker<TPixel>(Execution &,                      \
                                   const ReconstructionParameters &, \
                                   const MarkerRecipe &,             \
                                   const LocalBox &,                 \
                                   const TPixel *,                   \
                                   const TPixel *,                   \
                                   TPixel *,                         \
                                   const MarkerInspector &);
#define CUDAFILTERS_INSTANTIATE_PAIR(TPixel, TOutput)  \
  template void FinishReconstruction<TPixel, TOutput>( \
    Execution &, const ReconstructionFinish &, bool, std::int64_t, const TPixel *, const TPixel *, TOutput *);

CUDAFILTERS_FOR_EACH_PIXEL(CUDAFILTERS_INSTANTIATE)
CUDAFILTERS_FOR_EACH_PIXEL_PAIR(CUDAFILTERS_INSTANTIATE_PAIR)
} // namespace CudaFilters
} // namespace itk
