// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersNearestObjects_cuh
#define itkCudaFiltersNearestObjects_cuh

// The nearest object pixel of each pixel: a result of the pass along x in the place of distances, and the kernels that
// make lengths and labels from offsets.

#include "../Device/ToPixel.cuh"
#include "DistanceMap.cuh"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** The offsets of the nearest sites. */
template <int VDimension>
struct NearestResult
{
  const int *    NearestY; // in volumes, from the pass along y
  std::int64_t * Vectors;  // VDimension numbers per pixel

  static constexpr bool IsNearest = true;

  void
  Advance(std::int64_t pixels)
  {
    this->Vectors += pixels * VDimension;
  }

  template <typename TCost, int VWarps>
  __device__ void
  Store(LowerEnvelope<TCost, VWarps, true> & envelope, const LineAlongX & line, const ObjectColumns & objects) const
  {
    using Nearest = typename LowerEnvelope<TCost, VWarps, true>::Nearest;
    if (!envelope.HasSites())
    {
      return; // there is none in the whole image
    }
    const auto isBefore = [&](int x, int other) {
      const Place place = this->FindPlace(x, line, objects);
      const Place otherPlace = this->FindPlace(other, line, objects);
      return place.Last != otherPlace.Last ? place.Last < otherPlace.Last
             : place.Y != otherPlace.Y     ? place.Y < otherPlace.Y
                                           : x < other;
    };
    envelope.ForEachNearest(isBefore, [&](int x, const Nearest & nearest) {
#pragma unroll
      for (int k = 0; k < PixelsPerLane; ++k)
      {
        if (x + k < line.Length)
        {
          const int            nearestX = nearest.Positions.Values[k];
          const Place          place = this->FindPlace(nearestX, line, objects);
          std::int64_t * const vector = this->Vectors + (line.FirstPixel + x + k) * VDimension;
          vector[0] = nearestX - (x + k);
          vector[VDimension - 1] = place.Last - line.Slice;
          if constexpr (VDimension == 3)
          {
            vector[1] = place.Y - line.Y;
          }
        }
      }
    });
  }

private:
  /** Where the nearest site is that has a position along x: along the last axis, and in volumes along y. */
  struct Place
  {
    int Last;
    int Y;
  };

  __device__ Place
  FindPlace(int x, const LineAlongX & line, const ObjectColumns & objects) const
  {
    const int          y = VDimension == 3 ? this->NearestY[line.FirstPixel + x] : 0;
    const std::int64_t column = static_cast<std::int64_t>(y) * line.Length + x;
    return { objects.GetWord(objects.GetNumberOfWord(column, line.Slice)).GetNearest(line.Slice), y };
  }
};

/** The lengths of vectors, computed as ITK's DanielssonDistanceMapImageFilter does. */
template <typename TPixel, int VDimension>
__global__ void
ComputeLengthsKernel(const std::int64_t * vectors,
                     std::int64_t         number,
                     double               spacingX,
                     double               spacingY,
                     double               spacingZ,
                     bool                 isSquared,
                     TPixel *             lengths)
{
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < number;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
  {
    const std::int64_t * const vector = vectors + i * VDimension;
    double                     component = static_cast<double>(vector[0]) * spacingX;
    double                     sum = component * component;
    component = static_cast<double>(vector[1]) * spacingY;
    sum += component * component;
    if constexpr (VDimension == 3)
    {
      component = static_cast<double>(vector[2]) * spacingZ;
      sum += component * component;
    }
    lengths[i] = ToPixel<TPixel>(isSquared ? sum : sqrt(sum));
  }
}

/** The pixels of an image to which vectors point. */
template <typename TPixel, typename TLabel, int VDimension>
__global__ void
FindLabelsKernel(const TPixel * image, SlabShape shape, const std::int64_t * vectors, bool isBinary, TLabel * labels)
{
  const std::int64_t number = shape.Columns * shape.Length;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < number;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
  {
    const std::int64_t * const vector = vectors + i * VDimension;
    std::int64_t               nearest = i + vector[0] + vector[VDimension - 1] * shape.Columns;
    if constexpr (VDimension == 3)
    {
      nearest += vector[1] * shape.Width;
    }
    labels[i] = isBinary ? TLabel{ 1 } : ToPixel<TLabel>(image[nearest]);
  }
}

/** Sets the flag if a word is not 0. */
__global__ void
FindAnyObjectKernel(const unsigned int * words, std::int64_t number, unsigned int * flag)
{
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < number;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
  {
    if (words[i] != 0)
    {
      *flag = 1;
    }
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
