// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_Neighborhood_cuh
#define CudaFilters_Neighborhood_cuh

// For CUDA sources only: operations from functors of neighbourhoods. Documentation/PixelFunctions.md shows its use.

#include "CudaFilters/KernelBox.cuh"
#include "CudaFilters/Launch.cuh"
#include "CudaFilters/Neighborhood.h"
#include <algorithm>
#include <memory>
#include <stdexcept>

/** Compiles a functor: CUDAFILTERS_INSTANTIATE_NEIGHBORHOOD(Functor, OutputPixel, InputPixel). */
#define CUDAFILTERS_INSTANTIATE_NEIGHBORHOOD(...) \
  template struct itk::CudaFilters::NeighborhoodOperationMaker<__VA_ARGS__>

namespace itk
{
namespace CudaFilters
{
/** The radius along each axis, as an argument of a kernel. */
struct NeighborhoodRadius
{
  int Values[3];

  /** On the emulated device, an offset beyond the radius is an error. */
  __device__ void
  Check(int x, int y, int z) const
  {
#if !defined(__CUDACC__)
    if (x < -this->Values[0] || x > this->Values[0] || y < -this->Values[1] || y > this->Values[1] ||
        z < -this->Values[2] || z > this->Values[2])
    {
      throw std::out_of_range("the functor reads a neighbour beyond the radius");
    }
#else
    static_cast<void>(x), static_cast<void>(y), static_cast<void>(z);
#endif
  }
};

/** The neighbours of a pixel, all of which are inside the image. */
template <typename TPixel>
struct InnerNeighborhood
{
  const TPixel *             Center;
  std::int64_t               RowStride;
  std::int64_t               SliceStride;
  const NeighborhoodRadius & Radius;

  __device__ __forceinline__ TPixel
  operator()(int x, int y, int z = 0) const
  {
    this->Radius.Check(x, y, z);
    return this->Center[z * this->SliceStride + y * this->RowStride + x];
  }
};

/** The neighbours of any pixel. */
template <typename TPixel>
struct BorderNeighborhood
{
  const TPixel *             Pixels;
  const KernelBox &          Box;
  std::int64_t               Place[3];
  const NeighborhoodRadius & Radius;

  __device__ __forceinline__ TPixel
  operator()(int x, int y, int z = 0) const
  {
    this->Radius.Check(x, y, z);
    return this->Pixels[(this->Box.ToInput(2, this->Place[2] + z) * this->Box.InputSize[1] +
                         this->Box.ToInput(1, this->Place[1] + y)) *
                          this->Box.InputSize[0] +
                        this->Box.ToInput(0, this->Place[0] + x)];
  }
};

constexpr int NeighborhoodWidth = 32;
constexpr int NeighborhoodRows = 4;
constexpr int NeighborhoodWarps = 8;

/** Computes each output pixel from the pixels around it. One thread computes NeighborhoodRows pixels, one below the
 * other: a pixel that several of them need is loaded once, if the compiler sees the offsets. The threads of a warp are
 * adjacent along x, and the block shares pixels in the L1 cache. Only blocks at the border of the image replace missing
 * neighbours. */
template <typename TFunctor, typename TOutput, typename TInput>
__global__ void
NeighborhoodKernel(KernelBox          box,
                   NeighborhoodRadius radius,
                   TFunctor           functor,
                   const TInput * __restrict__ input,
                   TOutput * __restrict__ output)
{
  const std::int64_t tileX = static_cast<std::int64_t>(blockIdx.x) * NeighborhoodWidth;
  const std::int64_t x = tileX + threadIdx.x;
  const std::int64_t tileHeight = NeighborhoodRows * NeighborhoodWarps;
  const std::int64_t rowStride = box.InputSize[0];
  const std::int64_t sliceStride = box.InputSize[0] * box.InputSize[1];
  const auto         isInner = [&](int axis, std::int64_t first, std::int64_t end) {
    return first + box.Start[axis] >= radius.Values[axis] &&
           end + box.Start[axis] + radius.Values[axis] <= box.InputSize[axis];
  };
  if (x >= box.OutputSize[0])
  {
    return;
  }
  for (std::int64_t z = blockIdx.z; z < box.OutputSize[2]; z += gridDim.z)
  {
    for (std::int64_t tileY = blockIdx.y * tileHeight; tileY < box.OutputSize[1]; tileY += gridDim.y * tileHeight)
    {
      const std::int64_t y = tileY + threadIdx.y * NeighborhoodRows;
      TOutput *          to = output + (z * box.OutputSize[1] + y) * box.OutputSize[0] + x;
      if (isInner(0, tileX, tileX + NeighborhoodWidth) && isInner(1, tileY, tileY + tileHeight) &&
          isInner(2, z, z + 1) && tileY + tileHeight <= box.OutputSize[1])
      {
        const TInput * const center =
          input + (z + box.Start[2]) * sliceStride + (y + box.Start[1]) * rowStride + x + box.Start[0];
        TOutput results[NeighborhoodRows];
#pragma unroll
        for (int i = 0; i < NeighborhoodRows; ++i)
        {
          results[i] = static_cast<TOutput>(
            functor(InnerNeighborhood<TInput>{ center + i * rowStride, rowStride, sliceStride, radius }));
        }
#pragma unroll
        for (int i = 0; i < NeighborhoodRows; ++i)
        {
          to[i * box.OutputSize[0]] = results[i];
        }
      }
      else
      {
        for (int i = 0; i < NeighborhoodRows && y + i < box.OutputSize[1]; ++i)
        {
          to[i * box.OutputSize[0]] =
            static_cast<TOutput>(functor(BorderNeighborhood<TInput>{ input, box, { x, y + i, z }, radius }));
        }
      }
    }
  }
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
    const Size3 &    size = region.OutputRegion.Size;
    // As many blocks as there may be along y and z.
    const auto limit = [](std::int64_t blocks) {
      return static_cast<unsigned int>(std::min<std::int64_t>(blocks, 65535));
    };
    Launch(execution,
           "NeighborhoodKernel",
           NeighborhoodKernel<TFunctor, TOutput, TInput>,
           { dim3(static_cast<unsigned int>(DivideUp(size[0], NeighborhoodWidth)),
                  limit(DivideUp(size[1], NeighborhoodRows * NeighborhoodWarps)),
                  limit(size[2])),
             dim3(NeighborhoodWidth, NeighborhoodWarps) },
           KernelBox(region.GetBox()),
           NeighborhoodRadius{
             { static_cast<int>(m_Radius[0]), static_cast<int>(m_Radius[1]), static_cast<int>(m_Radius[2]) } },
           m_Functor,
           region.GetInput<TInput>(),
           region.GetOutput<TOutput>());
  }

private:
  TFunctor m_Functor;
  Size3    m_Radius;
};

template <typename TFunctor, typename TOutput, typename TInput>
OperationPointer
NeighborhoodOperationMaker<TFunctor, TOutput, TInput>::Make(const TFunctor & functor, const Size3 & radius)
{
  return std::make_unique<NeighborhoodOperation<TFunctor, TOutput, TInput>>(functor, radius);
}
} // namespace CudaFilters
} // namespace itk

#endif
