// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "FlatMorphology.cuh"
#include "../Device/Copy.h"
#include "../Device/Execution.h"
#include "../Device/PixelDispatch.h"
#include "CudaFilters/Neighborhood.cuh"
#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** An image in device memory. */
template <typename TPixel>
struct FlatImage
{
  const TPixel * Pixels;
  Region3        Region;
};

template <typename TPixel>
class FlatMorphologyOperation : public LocalOperation
{
public:
  FlatMorphologyOperation(const FlatStructure &         structure,
                          const std::vector<FlatStep> & steps,
                          const Region3 &               image,
                          ScalarType                    output)
    : m_Structure(structure)
    , m_Steps(steps)
    , m_Image(image)
    , m_Output(output)
  {}

  Region3
  GetInputRegion(unsigned int, const Region3 & outputRegion) const override
  {
    return Pad(this->GetStepRegion(0, outputRegion), m_Structure.Radius);
  }

  std::size_t
  GetScratchBytes(const RegionPlan & plan) const override
  {
    const Region3 padded = WidenToWords(this->GetInputRegion(0, plan.Output));
    std::int64_t  pixels = padded.GetNumberOfPixels();
    if (m_Steps.size() == 1)
    {
      // Only the axis of a pass extends beyond the image.
      pixels = 0;
      for (int axis = 0; axis < 3; ++axis)
      {
        Region3 region = padded;
        for (int other = 0; other < 3; ++other)
        {
          if (other != axis)
          {
            CropAxis(region, m_Image, other);
          }
        }
        pixels = std::max(pixels, WidenToWords(region).GetNumberOfPixels());
      }
    }
    return 2 * static_cast<std::size_t>(pixels) * sizeof(TPixel) + m_Structure.Columns.size() * sizeof(StructureColumn);
  }

  void
  RunRegion(Execution & execution, const RegionOnDevice & region) const override
  {
    using Limits = std::numeric_limits<TPixel>;
    const bool isFinite = m_Structure.IsFinite || !Limits::has_infinity;

    const StageScope                    stage(execution, "morphology");
    const std::unique_ptr<DeviceBuffer> columns = this->UploadColumns(execution);
    FlatImage<TPixel>                   current{ region.GetInput<TPixel>(), region.InputRegions[0] };
    std::unique_ptr<DeviceBuffer>       held; // the memory of the current image, but for the input
    // Computes the next image, into memory of its own or the output.
    const auto next = [&](const Region3 & wanted, bool isLast, const auto & run) {
      std::unique_ptr<DeviceBuffer> memory =
        isLast ? nullptr : execution.Allocate(std::max<std::size_t>(wanted.GetNumberOfPixels(), 1) * sizeof(TPixel));
      run(ScalarWriter{ isLast ? region.Outputs[0] : memory->GetPointer(),
                        MakeRowStrides(wanted),
                        isLast ? m_Output : GetScalarType<TPixel>() });
      current = { isLast ? nullptr : static_cast<const TPixel *>(memory->GetPointer()), wanted };
      held = std::move(memory);
    };
    for (std::size_t i = 0; i < m_Steps.size(); ++i)
    {
      const Region3 wanted = this->GetStepRegion(i, region.OutputRegion);
      const bool    isLast = i + 1 == m_Steps.size();
      const auto    runStep = [&](auto choice) {
        if (columns != nullptr)
        {
          next(wanted, isLast, [&](const ScalarWriter & writer) {
            RunColumns(execution, FlatBox(current.Region, wanted), *columns, choice, current.Pixels, writer);
          });
        }
        else
        {
          const bool isWritten = isLast && m_Structure.Radius[2] == 0; // by the first pass along two axes
          const bool runsSquares = this->MayRunSquares(current, wanted, isWritten ? region.Outputs[0] : nullptr);
          this->RunBox(wanted, runsSquares, [&](Region3 partial, bool isLastPass, int axis, const auto & runPass) {
            // Where there are no pixels on the axes to come, there is nothing to compute yet.
            for (int other = axis + 1; other < 3 && !isLastPass; ++other)
            {
              CropAxis(partial, current.Region, other);
            }
            next(partial, isLast && isLastPass, [&](const ScalarWriter & writer) {
              runPass(execution, FlatBox(current.Region, partial), choice, current.Pixels, writer);
            });
          });
        }
      };
      if (m_Steps[i].IsErosion)
      {
        runStep(FlatChoice<true, TPixel>{ isFinite ? Limits::max() : Limits::infinity() });
      }
      else
      {
        runStep(FlatChoice<false, TPixel>{ isFinite ? Limits::lowest() : static_cast<TPixel>(-Limits::infinity()) });
      }
    }
  }

private:
  /** The pixels that a step computes for an output region. */
  Region3
  GetStepRegion(std::size_t step, const Region3 & outputRegion) const
  {
    Region3 region = outputRegion;
    for (std::size_t i = m_Steps.size() - 1; i > step; --i)
    {
      region = Pad(region, m_Structure.Radius);
      region = m_Steps[i - 1].StaysInImage ? Intersect(region, m_Image) : region;
    }
    return region;
  }

  std::unique_ptr<DeviceBuffer>
  UploadColumns(Execution & execution) const
  {
    if (m_Structure.Columns.empty())
    {
      return nullptr;
    }
    const std::size_t             bytes = m_Structure.Columns.size() * sizeof(StructureColumn);
    std::unique_ptr<DeviceBuffer> columns = execution.Allocate(bytes);
    CopyToDevice(columns->GetPointer(), m_Structure.Columns.data(), bytes, *execution.GetStream());
    return columns;
  }

  static void
  CropAxis(Region3 & region, const Region3 & other, int axis)
  {
    const Region3 common = Intersect(region, other);
    region.Start[axis] = common.Start[axis];
    region.Size[axis] = common.Size[axis];
  }

  /** The same rows, whose length is a multiple of four pixels. */
  static Region3
  WidenToWords(Region3 region)
  {
    region.Size[0] = DivideUp(region.Size[0], 4) * 4;
    return region;
  }

  /** Whether FlatSquareKernel can compute the first pass of a box. output: where it goes to, or nullptr for memory of
   * its own. */
  bool
  MayRunSquares(const FlatImage<TPixel> & input, const Region3 & wanted, const void * output) const
  {
    using Pack = PixelPack<std::uint32_t, SquareWords>;
    const auto isWhole = [](std::int64_t pixels) {
      return pixels * static_cast<std::int64_t>(sizeof(TPixel)) % static_cast<std::int64_t>(sizeof(Pack)) == 0;
    };
    return sizeof(TPixel) <= sizeof(std::uint32_t) && m_Structure.Radius[0] == 1 && m_Structure.Radius[1] == 1 &&
           IsAligned<Pack>(input.Pixels) && IsAligned<Pack>(output) &&
           (output == nullptr || m_Output == GetScalarType<TPixel>()) && isWhole(input.Region.Size[0]) &&
           isWhole(wanted.Size[0]) && isWhole(wanted.Start[0] - input.Region.Start[0]);
  }

  /** Calls function(region, isLast, axis, runPass) for passes that make the extremes of a box: along one axis after the
   * other. A pass combines up to MostTaps results of the pass before along the same axis. Their centers are at most the
   * length of a line apart, so that together they are a line up to nine times as long. beginsWithSquare: whether the
   * first pass is along x and y at once. axis: the last one of a pass. runPass: enqueues it. */
  template <typename TFunction>
  void
  RunBox(const Region3 & wanted, bool beginsWithSquare, const TFunction & function) const
  {
    constexpr std::int64_t mostPerSide = (MostTaps - 1) / 2;

    Size3        left = m_Structure.Radius;
    std::int64_t all = left[0] + left[1] + left[2];
    if (all == 0)
    {
      function(wanted, true, 0, MakePass(FlatTaps{ 0, 1, { 0 } }));
    }
    if (beginsWithSquare)
    {
      left[0] = 0;
      left[1] = 0;
      all = left[2];
      function(Pad(wanted, left), all == 0, 1, [](const auto &... arguments) { RunSquares(arguments...); });
    }
    for (int axis = 0; axis < 3; ++axis)
    {
      std::int64_t done = 0;
      while (left[axis] > 0)
      {
        const std::int64_t line = 2 * done + 1;
        const std::int64_t perSide = std::min(mostPerSide, DivideUp(left[axis], line));
        const std::int64_t reach = std::min(left[axis], perSide * line);
        FlatTaps           taps{ axis, static_cast<int>(2 * perSide + 1), {} };
        for (std::int64_t i = -perSide; i <= perSide; ++i)
        {
          taps.Offsets[i + perSide] = static_cast<int>(i * reach / perSide);
        }
        left[axis] -= reach;
        done += reach;
        all -= reach;
        function(all == 0 ? wanted : WidenToWords(Pad(wanted, left)), all == 0, axis, MakePass(taps));
      }
    }
  }

  /** The pass along a line. */
  static auto
  MakePass(const FlatTaps & taps)
  {
    return [taps](const Execution &    execution,
                  const FlatBox &      box,
                  const auto &         choice,
                  const TPixel *       input,
                  const ScalarWriter & writer) {
      taps.Number <= 3 ? RunTaps<3>(execution, box, taps, choice, input, writer)
                       : RunTaps<MostTaps>(execution, box, taps, choice, input, writer);
    };
  }

  template <bool VIsErosion>
  static void
  RunSquares(const Execution &                      execution,
             const FlatBox &                        box,
             const FlatChoice<VIsErosion, TPixel> & choice,
             const TPixel *                         input,
             const ScalarWriter &                   writer)
  {
    if constexpr (sizeof(TPixel) <= sizeof(std::uint32_t))
    {
      constexpr unsigned int warp = 32;
      constexpr unsigned int warps = 4;
      constexpr std::int64_t pixels = SquareWords * sizeof(std::uint32_t) / sizeof(TPixel);
      Launch(execution,
             "FlatSquareKernel",
             FlatSquareKernel<VIsErosion, TPixel>,
             { dim3(static_cast<unsigned int>(DivideUp(box.OutputSize[0], warp * pixels)),
                    LimitBlocks(DivideUp(box.OutputSize[1], warps * SquareRows)),
                    LimitBlocks(box.OutputSize[2])),
               dim3(warp, warps) },
             box,
             choice,
             input,
             writer.Strides,
             static_cast<TPixel *>(writer.Pixels));
    }
  }

  template <int VTaps, bool VIsErosion>
  static void
  RunTaps(const Execution &                      execution,
          const FlatBox &                        box,
          FlatTaps                               taps,
          const FlatChoice<VIsErosion, TPixel> & choice,
          const TPixel *                         input,
          const ScalarWriter &                   writer)
  {
    constexpr unsigned int warp = 32;
    constexpr unsigned int rows = 4;

    std::fill(taps.Offsets + taps.Number, taps.Offsets + VTaps, taps.Offsets[taps.Number - 1]);
    const auto makeShape = [&](std::int64_t pixelsPerThread) {
      return LaunchShape{ dim3(static_cast<unsigned int>(DivideUp(box.OutputSize[0], warp * pixelsPerThread)),
                               LimitBlocks(DivideUp(box.OutputSize[1], rows)),
                               LimitBlocks(box.OutputSize[2])),
                          dim3(warp, rows) };
    };
    if constexpr (sizeof(TPixel) <= sizeof(std::uint32_t))
    {
      constexpr std::int64_t pixels = sizeof(std::uint32_t) / sizeof(TPixel);
      if (IsAligned<std::uint32_t>(input) && IsAligned<std::uint32_t>(writer.Pixels) &&
          writer.Type == GetScalarType<TPixel>() && box.InputSize[0] % pixels == 0 && box.OutputSize[0] % pixels == 0 &&
          std::max(box.InputSize[0], box.OutputSize[0]) < std::numeric_limits<int>::max() / 2)
      {
        Launch(execution,
               "FlatWordsKernel",
               FlatWordsKernel<VTaps, VIsErosion, TPixel>,
               makeShape(pixels * FlatWords),
               box,
               taps,
               WordTaps(taps, VTaps, box, static_cast<int>(pixels)),
               choice,
               input,
               writer.Strides,
               static_cast<TPixel *>(writer.Pixels));
        return;
      }
    }
    Launch(execution,
           "FlatTapsKernel",
           FlatTapsKernel<VTaps, VIsErosion, TPixel>,
           makeShape(1),
           box,
           taps,
           choice,
           input,
           writer);
  }

  template <bool VIsErosion>
  void
  RunColumns(const Execution &                      execution,
             const FlatBox &                        box,
             const DeviceBuffer &                   columns,
             const FlatChoice<VIsErosion, TPixel> & choice,
             const TPixel *                         input,
             const ScalarWriter &                   writer) const
  {
    constexpr unsigned int warp = 32;
    constexpr unsigned int warps = 4;
    Launch(execution,
           "FlatColumnsKernel",
           FlatColumnsKernel<VIsErosion, TPixel>,
           { dim3(static_cast<unsigned int>(DivideUp(box.OutputSize[0], warp)),
                  LimitBlocks(DivideUp(box.OutputSize[1], warps * ColumnRows)),
                  LimitBlocks(box.OutputSize[2])),
             dim3(warp, warps) },
           box,
           ColumnsOnDevice{ static_cast<const StructureColumn *>(columns.GetPointer()),
                            static_cast<int>(m_Structure.Columns.size()),
                            { static_cast<int>(m_Structure.Radius[0]),
                              static_cast<int>(m_Structure.Radius[1]),
                              static_cast<int>(m_Structure.Radius[2]) } },
           choice,
           input,
           writer);
  }

  FlatStructure         m_Structure;
  std::vector<FlatStep> m_Steps;
  Region3               m_Image;
  ScalarType            m_Output;
};
} // namespace

OperationPointer
MakeFlatMorphologyOperation(const FlatStructure &         structure,
                            const std::vector<FlatStep> & steps,
                            const Region3 &               image,
                            PixelType                     input,
                            ScalarType                    output)
{
  return WithPixel(input, [&](auto pixel) -> OperationPointer {
    return std::make_unique<FlatMorphologyOperation<decltype(pixel)>>(structure, steps, image, output);
  });
}
} // namespace CudaFilters
} // namespace itk
