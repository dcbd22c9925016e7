// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_Neighborhood_cuh
#define CudaFilters_Neighborhood_cuh

// For CUDA sources only: operations from functors of neighbourhoods. Documentation/PixelFunctions.md shows its use.

#include "CudaFilters/DeviceError.h"
#include "CudaFilters/Launch.cuh"
#include "CudaFilters/LocalBox.h"
#include "CudaFilters/Neighborhood.h"
#include "CudaFilters/PixelFunction.cuh"
#include "CudaFilters/detail/StencilKernel.cuh"
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

/** Compiles a functor: CUDAFILTERS_INSTANTIATE_NEIGHBORHOOD(Functor, OutputPixel, InputPixel). To be used outside all
 * namespaces. If the linker does not find NeighborhoodOperationMaker<...>::Make, such a line is missing. */
#define CUDAFILTERS_INSTANTIATE_NEIGHBORHOOD(...) \
  template struct itk::CudaFilters::NeighborhoodOperationMaker<__VA_ARGS__>

namespace itk
{
namespace CudaFilters
{
/** On the emulated device, an offset beyond the radius is an error. */
__device__ __forceinline__ void
CheckNeighbour(int offset, int radius)
{
#if !defined(__CUDACC__)
  if (offset < -radius || offset > radius)
  {
    throw std::out_of_range("the functor reads a neighbour beyond the radius");
  }
#else
  static_cast<void>(offset), static_cast<void>(radius);
#endif
}

/** Sizes and radius, as an argument of a kernel. */
struct NeighborhoodBox
{
  int InputSize[3];
  int OutputSize[3];
  /** The position of the first output pixel in the input. */
  int Start[3];
  int Radius[3];
  /** Output pixels from the first of these positions on, and before the second, have all their neighbours. */
  int InnerBegin[3];
  int InnerEnd[3];
  /** The index in the image of the first output pixel. */
  std::int64_t FirstIndex[3];

  NeighborhoodBox(const LocalBox & box, const Size3 & radius, const Index3 & firstIndex)
  {
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      this->FirstIndex[axis] = firstIndex[axis];
      this->InputSize[axis] = static_cast<int>(box.InputSize[axis]);
      this->OutputSize[axis] = static_cast<int>(box.OutputSize[axis]);
      this->Start[axis] = static_cast<int>(box.Start[axis]);
      this->Radius[axis] = static_cast<int>(radius[axis]);
      this->InnerBegin[axis] = static_cast<int>(radius[axis] - box.Start[axis]);
      this->InnerEnd[axis] =
        static_cast<int>(std::min(box.InputSize[axis] - radius[axis] - box.Start[axis], box.OutputSize[axis]));
    }
  }

  __device__ bool
  IsInner(int axis, int first, int end) const
  {
    return first >= this->InnerBegin[axis] && end <= this->InnerEnd[axis];
  }

  /** The input position of an output position, or the nearest one inside the input. */
  __device__ int
  ToInput(int axis, int position) const
  {
    const int place = position + this->Start[axis];
    const int last = this->InputSize[axis] - 1;
    return place < 0 ? 0 : (place < last ? place : last);
  }

  __device__ void
  CheckOffset(int x, int y, int z) const
  {
    CheckNeighbour(x, this->Radius[0]);
    CheckNeighbour(y, this->Radius[1]);
    CheckNeighbour(z, this->Radius[2]);
  }
};

/** The pixel that is computed: its place in the output. */
struct NeighborhoodCenter
{
  const NeighborhoodBox & Box;
  int                     OutputPosition[3];

  __device__ __forceinline__ std::int64_t
                             GetIndex(int axis) const
  {
    return this->Box.FirstIndex[axis] + this->OutputPosition[axis];
  }
};

/** The neighbours of a pixel, all of which are inside the image. */
template <typename TPixel>
struct InnerNeighborhood : NeighborhoodCenter
{
  const TPixel * Center;

  __device__ __forceinline__ TPixel
  operator()(int x, int y) const
  {
    this->Box.CheckOffset(x, y, 0);
    return this->Center[static_cast<std::int64_t>(y) * this->Box.InputSize[0] + x];
  }
  __device__ __forceinline__ TPixel
  operator()(int x, int y, int z) const
  {
    this->Box.CheckOffset(x, y, z);
    return this->Center[(static_cast<std::int64_t>(z) * this->Box.InputSize[1] + y) * this->Box.InputSize[0] + x];
  }
};

/** The neighbours of any pixel. */
template <typename TPixel>
struct BorderNeighborhood : NeighborhoodCenter
{
  const TPixel * Pixels;

  __device__ __forceinline__ TPixel
  operator()(int x, int y, int z = 0) const
  {
    this->Box.CheckOffset(x, y, z);
    const int row = this->Box.ToInput(1, this->OutputPosition[1] + y);
    const int slice = this->Box.ToInput(2, this->OutputPosition[2] + z);
    return this->Pixels[(static_cast<std::int64_t>(slice) * this->Box.InputSize[1] + row) * this->Box.InputSize[0] +
                        this->Box.ToInput(0, this->OutputPosition[0] + x)];
  }
};

/** The neighbours of a pixel at offsets up to 1, which StencilKernel holds in registers. TView: a StencilView. */
template <int VDimension, typename TView>
struct WindowNeighborhood
{
  const TView & View;
  const std::int64_t (&FirstIndex)[3];

  __device__ __forceinline__ std::int64_t
                             GetIndex(int axis) const
  {
    return this->FirstIndex[axis] + this->View.GetOutputPosition(axis);
  }

  __device__ __forceinline__ auto
  operator()(int x, int y) const
  {
    return (*this)(x, y, 0);
  }
  __device__ __forceinline__ auto
  operator()(int x, int y, int z) const
  {
    CheckNeighbour(x, 1);
    CheckNeighbour(y, 1);
    CheckNeighbour(z, VDimension - 2);
    if constexpr (VDimension == 2)
    {
      return this->View(x, y);
    }
    else
    {
      return this->View(x, y, z);
    }
  }
};

/** Computes pixels by a functor from their neighbours: an operation of StencilKernel. */
template <int VDimension, typename TFunctor, typename TWriter, typename TInput>
struct NeighborhoodStencil
{
  using ValueType = TInput;
  using PartType = NoStencilPart;
  using ResultType = decltype(std::declval<const TFunctor &>()(std::declval<const InnerNeighborhood<TInput> &>()));

  TFunctor     Functor;
  TWriter      Writer;
  std::int64_t FirstIndex[3];

  template <typename TLineView>
  __device__ __forceinline__ PartType
  GetPart(const TLineView &) const
  {
    return {};
  }
  template <typename TView>
  __device__ __forceinline__ ResultType
  operator()(const TView & view) const
  {
    return this->Functor(WindowNeighborhood<VDimension, TView>{ view, this->FirstIndex });
  }
  template <int VWidth>
  __device__ __forceinline__ void
  Store(const ResultType (&results)[VWidth], std::int64_t place) const
  {
    if constexpr (VWidth == 1)
    {
      this->Writer.StorePixel(this->Functor, results[0], place, 0, 0);
    }
    else
    {
      const std::int64_t pack = place / VWidth;
      this->Writer.template StorePacks<1, VWidth>(
        this->Functor, pack, pack + 1, [&](int, int j) { return results[j]; });
    }
  }
};

/** Whether a functor declares that it reads neighbours at offsets up to 1 only, which the compiler knows. */
template <typename TFunctor, typename = void>
constexpr bool HasUnitRadius = false;
template <typename TFunctor>
constexpr bool HasUnitRadius<TFunctor, std::void_t<decltype(TFunctor::FixedRadius)>> = TFunctor::FixedRadius == 1;

constexpr int NeighborhoodWidth = 32;
constexpr int NeighborhoodRows = 8;
constexpr int NeighborhoodWarps = 8;

/** Computes each output pixel from the pixels around it. One thread computes NeighborhoodRows pixels, one below the
 * other: a pixel that several of them need is loaded once, if the compiler sees the offsets. The threads of a warp are
 * adjacent along x, and the block shares pixels in the L1 cache. Only pixels at the border of the image replace missing
 * neighbours. */
template <typename TFunctor, typename TWriter, typename TInput>
__global__ void
NeighborhoodKernel(NeighborhoodBox box, TFunctor functor, const TInput * __restrict__ input, TWriter writer)
{
  const int x = static_cast<int>(blockIdx.x * NeighborhoodWidth + threadIdx.x);
  if (x >= box.OutputSize[0])
  {
    return;
  }
  const int rowStep = static_cast<int>(gridDim.y) * NeighborhoodWarps * NeighborhoodRows;
  for (int z = static_cast<int>(blockIdx.z); z < box.OutputSize[2]; z += static_cast<int>(gridDim.z))
  {
    for (int y = static_cast<int>(blockIdx.y * NeighborhoodWarps + threadIdx.y) * NeighborhoodRows;
         y < box.OutputSize[1];
         y += rowStep)
    {
      if (box.IsInner(0, x, x + 1) && box.IsInner(1, y, y + NeighborhoodRows) && box.IsInner(2, z, z + 1))
      {
        const TInput * const center =
          input +
          (static_cast<std::int64_t>(z + box.Start[2]) * box.InputSize[1] + y + box.Start[1]) * box.InputSize[0] + x +
          box.Start[0];
        using Result = decltype(functor(InnerNeighborhood<TInput>{ { box, { x, y, z } }, center }));
        Result results[NeighborhoodRows];
#pragma unroll
        for (int i = 0; i < NeighborhoodRows; ++i)
        {
          results[i] = functor(InnerNeighborhood<TInput>{ { box, { x, y + i, z } },
                                                          center + static_cast<std::int64_t>(i) * box.InputSize[0] });
        }
#pragma unroll
        for (int i = 0; i < NeighborhoodRows; ++i)
        {
          writer.StorePixel(functor, results[i], x, y + i, z);
        }
      }
      else
      {
#pragma unroll 1
        for (int i = 0; i < NeighborhoodRows && y + i < box.OutputSize[1]; ++i)
        {
          writer.StorePixel(
            functor, functor(BorderNeighborhood<TInput>{ { box, { x, y + i, z } }, input }), x, y + i, z);
        }
      }
    }
  }
}

/** Throws if an image is so long that int does not count its pixels along an axis. */
inline NeighborhoodBox
MakeNeighborhoodBox(const RegionOnDevice & region, const Size3 & radius)
{
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    if (region.InputRegions[0].Size[axis] + radius[axis] >= std::numeric_limits<int>::max() / 2)
    {
      throw DeviceError(DeviceError::Kind::Unsuited, "the image is too long along an axis");
    }
  }
  return NeighborhoodBox(region.GetBox(), radius, region.OutputRegion.Start);
}

/** Enqueues StencilKernel for a functor whose neighbours are at offsets up to 1. */
template <int VDimension, typename TFunctor, typename TWriter, typename TInput>
void
RunWindow(const Execution &      execution,
          const RegionOnDevice & region,
          const TFunctor &       functor,
          const TInput *         input,
          const TWriter &        writer)
{
  constexpr int  width = 4;
  constexpr bool mayBeWide = PixelReader<TInput>::IsPackable && sizeof(TInput) * width <= 16 && TWriter::CanStorePacks;

  bool outputIsAligned = false;
  if constexpr (mayBeWide)
  {
    outputIsAligned = writer.template IsAligned<width>();
  }
  const Index3 & start = region.OutputRegion.Start;
  using Stencil = NeighborhoodStencil<VDimension, TFunctor, TWriter, TInput>;
  RunStencilKernel<VDimension, mayBeWide>(execution,
                                          "neighbourhood function",
                                          region.GetBox(),
                                          Stencil{ functor, writer, { start[0], start[1], start[2] } },
                                          input,
                                          outputIsAligned,
                                          [](auto) { return 128u; });
}

/** Enqueues the computation of a region by StencilKernel, if the functor allows it, or by NeighborhoodKernel. */
template <typename TFunctor, typename TWriter, typename TInput>
void
RunNeighborhood(const Execution &      execution,
                const RegionOnDevice & region,
                const Size3 &          radius,
                const TFunctor &       functor,
                const TInput *         input,
                const TWriter &        writer)
{
  const Size3 & size = region.OutputRegion.Size;
  if constexpr (HasUnitRadius<TFunctor>)
  {
    if (radius == GetUnitRadius(2) && region.InputRegions[0].Size[2] == 1)
    {
      RunWindow<2>(execution, region, functor, input, writer);
      return;
    }
    if (radius == GetUnitRadius(3))
    {
      RunWindow<3>(execution, region, functor, input, writer);
      return;
    }
  }
  Launch(execution,
         "NeighborhoodKernel",
         NeighborhoodKernel<TFunctor, TWriter, TInput>,
         { dim3(static_cast<unsigned int>(DivideUp(size[0], NeighborhoodWidth)),
                LimitBlocks(DivideUp(size[1], NeighborhoodRows * NeighborhoodWarps)),
                LimitBlocks(size[2])),
           dim3(NeighborhoodWidth, NeighborhoodWarps) },
         MakeNeighborhoodBox(region, radius),
         functor,
         input,
         writer);
}

template <typename TFunctor, typename TOutput, typename TInput>
class NeighborhoodOperation : public LocalOperation
{
public:
  NeighborhoodOperation(const TFunctor & functor, const Size3 & radius)
    : m_Functor(functor)
    , m_Radius(radius)
  {}

  Region3
  GetInputRegion(unsigned int, const Region3 & outputRegion) const override
  {
    return Pad(outputRegion, m_Radius);
  }

  void
  RunRegion(Execution & execution, const RegionOnDevice & region) const override
  {
    const StageScope stage(execution, "neighbourhood function");
    RunNeighborhood(execution,
                    region,
                    m_Radius,
                    m_Functor,
                    region.GetInput<TInput>(),
                    PixelWriter<TOutput>{ region.GetOutput<TOutput>(), MakeRowStrides(region.OutputRegion) });
  }

private:
  TFunctor m_Functor;
  Size3    m_Radius;
};

template <typename TFunctor, typename TOutput, typename TInput>
OperationPointer
NeighborhoodOperationMaker<TFunctor, TOutput, TInput>::Make(const TFunctor & functor, const Size3 & radius)
{
  static_assert(std::is_trivially_copyable<TFunctor>::value, "A functor is copied to the device by its bytes.");
  return std::make_unique<NeighborhoodOperation<TFunctor, TOutput, TInput>>(functor, radius);
}
} // namespace CudaFilters
} // namespace itk

#endif
