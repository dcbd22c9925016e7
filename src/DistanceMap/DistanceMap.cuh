// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersDistanceMap_cuh
#define itkCudaFiltersDistanceMap_cuh

// The passes of the distance transform along the other axes than the last one, whose distances ObjectBits.cuh finds.
// For each index along the last axis, the passes are independent of each other.

#include "LowerEnvelope.cuh"
#include "ObjectBits.cuh"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** Memory of a team for one line: sites, and what EnvelopeMemory needs. The sites may be in memory of their own, for
 * lines that are too long for shared memory. */
template <typename TCost>
struct LineMemory
{
  __host__ __device__ static constexpr std::size_t
           GetSiteBytes(int length)
  {
    // LowerEnvelope may read pairs of sites.
    return static_cast<std::size_t>(length / 2 + 1) * 2 * sizeof(LineSite<TCost>);
  }

  __host__ __device__ static constexpr std::size_t
           GetWorkBytes(int length, int warps)
  {
    return (EnvelopeMemory<TCost>::GetBytes(length, warps) + 15) / 16 * 16;
  }
};

/** The memory for the lines of a block: shared, or in the scratch memory, of so many bytes per block. */
template <bool VIsShared>
__device__ unsigned char *
GetLines(unsigned char * shared, void * scratch, std::size_t bytes)
{
  if constexpr (VIsShared)
  {
    return shared;
  }
  else
  {
    return static_cast<unsigned char *>(scratch) + blockIdx.x * bytes;
  }
}

/** The pass along the y axis of volumes. A block takes some columns that are neighbours along x, and a slice. */
template <typename TCost>
struct AlongY
{
  static constexpr int Warps = 8; // of a block; one per line

  ObjectColumns Objects;
  SlabShape     Shape;
  int           FirstSlice; // in the columns
  int           Slices;
  TCost         ColumnWeight; // squared spacings along z and y
  TCost         Weight;
  TCost *       Output;  // squared distances, or NoDistance
  void *        Scratch; // for lines that are too long for shared memory

  /** The distances of a line are followed by some room, so that lanes access different banks. */
  __host__ __device__ static constexpr int
  GetPitch(int length)
  {
    return (length + 31) / 32 * 32 + 4;
  }

  /** Per block. */
  __host__ __device__ static constexpr std::size_t
           GetLineBytes(int length)
  {
    return Warps * (LineMemory<TCost>::GetSiteBytes(length) + GetPitch(length) * sizeof(TCost));
  }
};

template <typename TCost, bool VIsShared>
__global__ void
__launch_bounds__(AlongY<TCost>::Warps * LanesPerWarp) DistancesAlongYKernel(AlongY<TCost> pass)
{
  using Lines = LineMemory<TCost>;
  constexpr int warps = AlongY<TCost>::Warps;
  CUDAFILTERS_DYNAMIC_SHARED(unsigned char, shared);
  const int             length = pass.Shape.Height;
  const auto            warp = static_cast<int>(threadIdx.x) / LanesPerWarp;
  unsigned char * const work = shared + warp * Lines::GetWorkBytes(length, 1);
  unsigned char * const lines = GetLines<VIsShared>(
    shared + warps * Lines::GetWorkBytes(length, 1), pass.Scratch, AlongY<TCost>::GetLineBytes(length));
  auto * const            sites = reinterpret_cast<LineSite<TCost> *>(lines + warp * Lines::GetSiteBytes(length));
  const int               pitch = AlongY<TCost>::GetPitch(length);
  auto * const            distances = reinterpret_cast<TCost *>(lines + warps * Lines::GetSiteBytes(length));
  TCost * const           line = distances + warp * pitch;
  const int               groups = (pass.Shape.Width + warps - 1) / warps;
  const std::int64_t      all = static_cast<std::int64_t>(groups) * pass.Slices;
  LowerEnvelope<TCost, 1> envelope(sites, length, pass.Weight, EnvelopeMemory<TCost>(work, length, 1));

  // Threads are neighbours along x, as in the image.
  const auto inGroup = static_cast<int>(threadIdx.x) % warps;
  const auto firstY = static_cast<int>(threadIdx.x) / warps;
  for (std::int64_t i = blockIdx.x; i < all; i += gridDim.x)
  {
    const auto slice = static_cast<int>(i / groups);
    const int  x = static_cast<int>(i % groups) * warps + inGroup;
    for (int y = firstY; y < length; y += LanesPerWarp)
    {
      distances[inGroup * pitch + y] =
        x < pass.Shape.Width
          ? pass.Objects.template GetDistance<TCost>(
              static_cast<std::int64_t>(y) * pass.Shape.Width + x, pass.FirstSlice + slice, pass.ColumnWeight)
          : NoDistance<TCost>;
    }
    __syncthreads();
    if (envelope.ChooseSites([line](int y) { return line[y]; }) > 0)
    {
      envelope.ForEachPixel([line](int y, TCost distance) { line[y] = distance; });
    }
    __syncthreads();
    for (int y = firstY; y < length; y += LanesPerWarp)
    {
      if (x < pass.Shape.Width)
      {
        pass.Output[(static_cast<std::int64_t>(slice) * length + y) * pass.Shape.Width + x] =
          distances[inGroup * pitch + y];
      }
    }
    __syncthreads();
  }
}

/** What becomes of squared distances. */
template <typename TPixel>
struct DistanceFinish
{
  double Unit; // of distances
  bool   IsSquared;
  bool   IsSigned;
  bool   InsideIsPositive;
  TPixel Largest; // the number for no distance at all

  template <typename TCost>
  __device__ TPixel
  GetPixel(TCost distance, bool isInside) const
  {
    if (this->IsSquared && distance == NoDistance<TCost>)
    {
      return this->Largest; // ITK's filter leaves out the sign then, too
    }
    const TPixel pixel = distance == NoDistance<TCost> ? sqrt(this->Largest) : this->Scale(distance);
    return this->IsSigned && isInside != this->InsideIsPositive ? -pixel : pixel;
  }

private:
  /** The distance in physical units. In float if that loses nothing, since most devices are slow in double. */
  template <typename TCost>
  __device__ TPixel
  Scale(TCost distance) const
  {
    constexpr TCost exactInFloat = 1 << 24;
    if (std::is_same<TCost, int>::value && this->Unit == 1.0 && (this->IsSquared || distance <= exactInFloat))
    {
      const auto pixel = static_cast<TPixel>(distance);
      return this->IsSquared ? pixel : sqrt(pixel);
    }
    const auto exact = static_cast<double>(distance);
    return static_cast<TPixel>(this->IsSquared ? this->Unit * this->Unit * exact : this->Unit * sqrt(exact));
  }
};

/** The pass along the x axis, which is the last one. */
template <typename TCost, typename TPixel>
struct AlongX
{
  ObjectColumns          Objects;
  const unsigned int *   Inside; // the objects themselves, for the sign
  SlabShape              Shape;
  int                    FirstSlice; // in the columns
  int                    Slices;
  TCost                  ColumnWeight; // squared spacings along the last axis and x
  TCost                  Weight;
  const TCost *          Input; // from the pass along y; null: the distances along the columns are used
  DistanceFinish<TPixel> Finish;
  TPixel *               Output;
  void *                 Scratch; // as in AlongY
};

template <typename TCost, typename TPixel, int VWarps, int VLines, bool VIsShared>
__global__ void
__launch_bounds__(VWarps * VLines * LanesPerWarp) DistancesAlongXKernel(AlongX<TCost, TPixel> pass)
{
  static_assert(VWarps == 1 || VLines == 1, "A team is one warp, or the block.");
  using Lines = LineMemory<TCost>;
  CUDAFILTERS_DYNAMIC_SHARED(unsigned char, shared);
  const int             length = pass.Shape.Width;
  const int             height = pass.Shape.Height;
  const auto            team = static_cast<int>(threadIdx.x) / (VWarps * LanesPerWarp);
  const std::size_t     workBytes = Lines::GetWorkBytes(length, VWarps);
  unsigned char * const lines =
    GetLines<VIsShared>(shared + VLines * workBytes, pass.Scratch, VLines * Lines::GetSiteBytes(length));
  auto * const                 sites = reinterpret_cast<LineSite<TCost> *>(lines + team * Lines::GetSiteBytes(length));
  LowerEnvelope<TCost, VWarps> envelope(
    sites, length, pass.Weight, EnvelopeMemory<TCost>(shared + team * workBytes, length, VWarps));

  const std::int64_t all = static_cast<std::int64_t>(height) * pass.Slices;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * VLines + team; i < all;
       i += static_cast<std::int64_t>(gridDim.x) * VLines)
  {
    const int            slice = pass.FirstSlice + static_cast<int>(i / height);
    const std::int64_t   firstColumn = i % height * length;
    const unsigned int * inside = pass.Inside + slice / PixelsPerBand * pass.Shape.Columns + firstColumn;
    TPixel * const       output = pass.Output + i * length;
    const auto           store = [&](int x, TCost distance) {
      output[x] = pass.Finish.GetPixel(distance, (inside[x] >> (slice % PixelsPerBand) & 1u) != 0);
    };
    const int sitesOfLine = envelope.ChooseSites([&](int x) {
      return pass.Input != nullptr
               ? pass.Input[i * length + x]
               : pass.Objects.template GetDistance<TCost>(firstColumn + x, slice, pass.ColumnWeight);
    });
    if (sitesOfLine > 0)
    {
      envelope.ForEachPixel(store);
    }
    else
    {
      for (int x = static_cast<int>(threadIdx.x) % (VWarps * LanesPerWarp); x < length; x += VWarps * LanesPerWarp)
      {
        store(x, NoDistance<TCost>);
      }
    }
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
