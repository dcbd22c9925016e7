// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersReconstructionSteps_cuh
#define itkCudaFiltersReconstructionSteps_cuh

#include "../Device/PixelOrder.cuh"
#include "../Device/Launch.h"
#include "CudaFilters/detail/PixelPack.cuh"
#include "../Device/ToPixel.cuh"
#include "CudaFilters/KernelBox.cuh"

namespace itk
{
namespace CudaFilters
{
/** Properties that are found while a marker is made, as bits. */
constexpr std::uint32_t FoundBeyondMask = 1;
constexpr std::uint32_t FoundNaN = 2;
constexpr std::uint32_t FoundDifferent = 4;

/** The images that a marker is made from, the marker, and the properties found. */
template <typename TPixel>
struct MarkerImages
{
  using Order = PixelOrder<TPixel>;
  using ValueType = typename Order::ValueType;

  const TPixel *  Input;
  const TPixel *  Mask;
  TPixel *        Marker;
  ValueType       Flip;
  std::uint32_t * Found;

  __device__ ValueType
  LoadInput(std::int64_t pixel) const
  {
    return Order::Encode(this->Input[pixel], this->Flip);
  }

  /** Returns the properties of a marker pixel, given the input and mask pixels at its position. */
  __device__ std::uint32_t
             Inspect(TPixel input, TPixel mask, ValueType marker) const
  {
    const TPixel made = Order::Decode(marker, this->Flip);
    const bool   hasNaN = input != input || mask != mask || made != made;
    return hasNaN ? FoundNaN : marker > Order::Encode(mask, this->Flip) ? FoundBeyondMask : 0u;
  }

  /** Records properties. The load before the atomic avoids most atomics: few threads find a property that is not
   * recorded yet. */
  __device__ void
  Record(std::uint32_t found) const
  {
    if (found != 0u && (found & ~*static_cast<volatile std::uint32_t *>(this->Found)) != 0u)
    {
      atomicOr(this->Found, found);
    }
  }
};

/** The linear indices of a pixel in the output and in the input of a box. */
struct MarkerPlace
{
  std::int64_t Input;
  std::int64_t Output;
  std::int64_t Position[3]; // in the input

  __device__ bool
  IsInside(const KernelBox & box, int axis, std::int64_t distance) const
  {
    const std::int64_t position = this->Position[axis] + distance;
    return position >= 0 && position < box.InputSize[axis];
  }
  __device__ bool
  IsAtEdge(const KernelBox & box, int dimension) const
  {
    bool isAtEdge = false;
    for (int axis = 0; axis < dimension; ++axis)
    {
      isAtEdge = isAtEdge || !this->IsInside(box, axis, -1) || !this->IsInside(box, axis, 1);
    }
    return isAtEdge;
  }
};

/** The ways to make a marker pixel, as functions of box, images and place; named after MarkerRecipe::Kind. CopiedMarker
 * and ShiftedMarker use only the one pixel. */
struct CopiedMarker
{
  template <typename TPixel>
  __device__ TPixel
  Make(TPixel pixel) const
  {
    return pixel;
  }
};

template <typename TPixel>
struct ShiftedMarker
{
  double Shift;
  double Least; // the lowest value that the pixel type can hold
  double Most;

  __device__ TPixel
  Make(TPixel pixel) const
  {
    const double value = static_cast<double>(pixel) + this->Shift;
    return static_cast<TPixel>(value < this->Least ? this->Least : value > this->Most ? this->Most : value);
  }
};

/** Adapts a marker of one pixel to images with different memory layouts. */
template <typename TMaker>
struct PlacedMarker
{
  TMaker Maker;

  template <typename TPixel>
  __device__ auto
  operator()(const KernelBox &, const MarkerImages<TPixel> & images, const MarkerPlace & place) const
  {
    return PixelOrder<TPixel>::Encode(this->Maker.Make(images.Input[place.Input]), images.Flip);
  }
};

struct SteppedMarker
{
  template <typename TPixel>
  __device__ auto
  operator()(const KernelBox &, const MarkerImages<TPixel> & images, const MarkerPlace & place) const
  {
    return PixelOrder<TPixel>::StepDown(images.LoadInput(place.Input), images.Flip);
  }
};

struct BorderMarker
{
  int Dimension;

  template <typename TPixel>
  __device__ auto
  operator()(const KernelBox & box, const MarkerImages<TPixel> & images, const MarkerPlace & place) const
  {
    return place.IsAtEdge(box, this->Dimension) ? images.LoadInput(place.Input)
                                                : PixelOrder<TPixel>::GetFirst(images.Flip);
  }
};

struct StructuredMarker
{
  const int * Offsets; // three per pixel of the structuring element
  int         Count;

  template <typename TPixel>
  __device__ auto
  operator()(const KernelBox & box, const MarkerImages<TPixel> & images, const MarkerPlace & place) const
  {
    auto lowest = PixelOrder<TPixel>::GetLastFinite(images.Flip);
    for (int i = 0; i < this->Count; ++i)
    {
      const int * const offset = this->Offsets + 3 * i;
      if (place.IsInside(box, 0, offset[0]) && place.IsInside(box, 1, offset[1]) && place.IsInside(box, 2, offset[2]))
      {
        const auto value =
          images.LoadInput(place.Input + offset[0] + box.InputSize[0] * (offset[1] + box.InputSize[1] * offset[2]));
        lowest = value < lowest ? value : lowest;
      }
    }
    return lowest;
  }
};

struct RestoredMarker
{
  StructuredMarker Structured;

  template <typename TPixel>
  __device__ auto
  operator()(const KernelBox & box, const MarkerImages<TPixel> & images, const MarkerPlace & place) const
  {
    using Order = PixelOrder<TPixel>;
    return this->Structured(box, images, place) == Order::Encode(images.Marker[place.Output], images.Flip)
             ? Order::Encode(images.Mask[place.Output], images.Flip)
             : Order::GetFirstFinite(images.Flip);
  }
};

/** Makes a marker and records the properties found; with VLooksForDifferences, also whether pixels of the input differ.
 * A thread makes VWidth pixels of a row, blockDim.x pixels apart. */
template <bool VLooksForDifferences, int VWidth, typename TMaker, typename TPixel>
__global__ void
MakeMarkerKernel(KernelBox box, MarkerImages<TPixel> images, TMaker maker)
{
  const std::int64_t firstX = static_cast<std::int64_t>(blockIdx.x) * blockDim.x * VWidth + threadIdx.x;
  const std::int64_t rows = box.OutputSize[1] * box.OutputSize[2];
  std::uint32_t      found = 0;
  for (std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y; row < rows;
       row += static_cast<std::int64_t>(gridDim.y) * blockDim.y)
  {
    const bool         isFlat = box.OutputSize[2] == 1;
    const std::int64_t z = isFlat ? 0 : row / box.OutputSize[1];
    MarkerPlace        place{};
    place.Position[1] = row - z * box.OutputSize[1] + box.Start[1];
    place.Position[2] = z + box.Start[2];
#pragma unroll
    for (int i = 0; i < VWidth; ++i)
    {
      const std::int64_t x = firstX + i * static_cast<std::int64_t>(blockDim.x);
      if (x < box.OutputSize[0])
      {
        place.Output = row * box.OutputSize[0] + x;
        place.Position[0] = x + box.Start[0];
        place.Input = place.Position[0] + box.InputSize[0] * (place.Position[1] + box.InputSize[1] * place.Position[2]);
        const TPixel here = images.Input[place.Input];
        const auto   marker = maker(box, images, place);
        found |= images.Inspect(here, images.Mask[place.Output], marker);
        if (VLooksForDifferences)
        {
          const std::int64_t steps[3] = { 1, box.InputSize[0], box.InputSize[0] * box.InputSize[1] };
#pragma unroll
          for (int axis = 0; axis < 3; ++axis)
          {
            const bool differs = place.IsInside(box, axis, 1) && images.Input[place.Input + steps[axis]] != here;
            found |= differs ? FoundDifferent : 0u;
          }
        }
        images.Marker[place.Output] = PixelOrder<TPixel>::Decode(marker, images.Flip);
      }
    }
  }
  images.Record(found);
}

/** Makes a marker whose pixels each depend on one input pixel, for images with the same memory layout. A thread makes
 * one pack of pixels at a time. */
template <typename TMaker, typename TPixel>
__global__ void
MakeMarkerOfPixelsKernel(std::int64_t pixels, MarkerImages<TPixel> images, TMaker maker)
{
  using Order = PixelOrder<TPixel>;
  constexpr int      width = PackWidth<TPixel>;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x * width;
  std::uint32_t      found = 0;
  for (std::int64_t first = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * width; first < pixels;
       first += step)
  {
    PixelPack<TPixel, width> pack;
    PixelPack<TPixel, width> mask;
    pack.Load(images.Input + first, pixels - first);
    mask.Load(images.Mask + first, pixels - first);
#pragma unroll
    for (int i = 0; i < width; ++i)
    {
      const TPixel here = pack.Values[i];
      const auto   marker = Order::Encode(maker.Make(here), images.Flip);
      if (first + i < pixels)
      {
        found |= images.Inspect(here, mask.Values[i], marker);
      }
      pack.Values[i] = Order::Decode(marker, images.Flip);
    }
    pack.Store(images.Marker + first, pixels - first);
  }
  images.Record(found);
}

/** The ways to compute the output, as functions of mask and reconstructed pixel; named after
 * ReconstructionFinish::Kind. */
struct CastFinish
{
  template <typename TOutput, typename TPixel>
  __device__ TOutput
  Finish(TPixel, TPixel reconstructed) const
  {
    return ToPixel<TOutput>(reconstructed);
  }
};

struct DifferenceFinish
{
  bool IsErosion;

  template <typename TOutput, typename TPixel>
  __device__ TOutput
  Finish(TPixel mask, TPixel reconstructed) const
  {
    return ToPixel<TOutput>(this->IsErosion ? reconstructed - mask : mask - reconstructed);
  }
};

struct ExtremaFinish
{
  bool   IsErosion;
  double Foreground;
  double Background;

  /** Follows ITK's filter, which marks pixels that are not extrema with the lowest finite value. */
  template <typename TOutput, typename TPixel>
  __device__ TOutput
  Finish(TPixel mask, TPixel reconstructed) const
  {
    using Order = PixelOrder<TPixel>;
    const typename Order::ValueType flip = this->IsErosion ? -1 : 0;
    const auto                      value = Order::Encode(mask, flip);
    const auto                      mark = Order::GetFirstFinite(flip);
    const bool isExtremum = value > mark ? value != Order::Encode(reconstructed, flip) : value < mark;
    return static_cast<TOutput>(isExtremum ? this->Foreground : this->Background);
  }
};

struct BackgroundFinish
{
  double Background;

  template <typename TOutput, typename TPixel>
  __device__ TOutput
  Finish(TPixel, TPixel) const
  {
    return static_cast<TOutput>(this->Background);
  }
};

template <typename TFinish, typename TPixel, typename TOutput>
__global__ void
FinishKernel(std::int64_t pixels, const TPixel * mask, const TPixel * reconstructed, TOutput * output, TFinish finish)
{
  constexpr int      width = PackWidth<TPixel, TOutput>;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x * width;
  for (std::int64_t first = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * width; first < pixels;
       first += step)
  {
    PixelPack<TPixel, width>  from;
    PixelPack<TPixel, width>  under;
    PixelPack<TOutput, width> to;
    from.Load(reconstructed + first, pixels - first);
    under.Load(mask + first, pixels - first);
#pragma unroll
    for (int i = 0; i < width; ++i)
    {
      to.Values[i] = finish.template Finish<TOutput>(under.Values[i], from.Values[i]);
    }
    to.Store(output + first, pixels - first);
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
