// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersDistanceMap_cuh
#define itkCudaFiltersDistanceMap_cuh

// The passes of the distance transform along y, in volumes, and x. The distances along the last axis are those of
// ObjectBits.cuh. DistancePasses.cuh launches the kernels.
// For each index along the last axis, the passes are independent of each other.

#include "LowerEnvelope.cuh"
#include "ObjectBits.cuh"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
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

/** How many warps take a line. */
constexpr int MostPixelsForOneWarp = 1024;
constexpr int LinesOfOneWarp = 8; // along x, per block
constexpr int MostPixelsOfMediumLine = 4096;
constexpr int WarpsOfMediumLine = 4;
constexpr int WarpsOfLongLine = 16;

/** The blocks of so many threads that a multiprocessor is to execute at a time, which limits the registers of a thread:
 * to 64, as a rule. For long lines, more blocks are worth more than registers. */
template <typename TCost>
constexpr int
GetLeastBlocks(int warpsOfLine, int threads)
{
  return std::is_same<TCost, int>::value ? (warpsOfLine == WarpsOfLongLine ? 3 : 1024 / threads) : 1;
}

/** What is kept of a pixel between the passes along y and x: its squared distance and, if nearest sites are found,
 * where the nearest one is along y. */
template <typename TCost>
__host__ __device__ constexpr std::size_t
         GetBytesBetweenPasses(bool isNearest)
{
  return sizeof(TCost) + (isNearest ? sizeof(int) : 0);
}

/** The pass along the y axis of volumes. */
template <typename TCost>
struct AlongY
{
  ObjectColumns Objects;
  SlabShape     Shape;
  int           FirstSlice; // in the columns
  int           Slices;
  TCost         ColumnWeight; // squared spacings along z and y
  TCost         Weight;
  TCost *       Output;   // squared distances, or NoDistance
  int *         NearestY; // where the nearest sites are along y
  void *        Scratch;  // for lines that are too long for shared memory
};

/** What a block takes: some columns that are neighbours along x, and one or more slices of the same band, which share
 * what is loaded for a column. VWarps: the warps of a team, which takes a line. VIsNearest: whether the nearest sites
 * are found, too. */
template <typename TCost, int VWarps, int VSlices, bool VIsNearest>
struct BlockAlongY
{
  static constexpr int Columns = 8;
  static constexpr int Slices = VSlices;
  static constexpr int Lines = Columns * Slices;
  static constexpr int Threads = VWarps * Lines * LanesPerWarp;

  /** The distances of a line are followed by some room, so that chunks are whole, and lanes access different banks. */
  __host__ __device__ static constexpr int
  GetPitch(int length)
  {
    return (length + PixelsPerChunk - 1) / PixelsPerChunk * PixelsPerChunk + PixelsPerLane;
  }

  __host__ __device__ static constexpr std::size_t
           GetLineBytes(int length)
  {
    return Lines * (EnvelopeMemory<TCost>::GetSiteBytes(length, VIsNearest) +
                    GetPitch(length) * GetBytesBetweenPasses<TCost>(VIsNearest));
  }

  /** Slices are taken in groups that begin at multiples of their number: the first group of a pass. */
  __host__ __device__ static int
  GetFirstGroup(const AlongY<TCost> & pass)
  {
    return pass.FirstSlice / Slices;
  }

  /** One for each group of columns in each group of slices. */
  __host__ __device__ static std::int64_t
           CountBlocks(const AlongY<TCost> & pass)
  {
    const int groups = (pass.FirstSlice + pass.Slices + Slices - 1) / Slices - GetFirstGroup(pass);
    return static_cast<std::int64_t>(CountGroupsOfColumns(pass)) * groups;
  }
  __host__ __device__ static int
  CountGroupsOfColumns(const AlongY<TCost> & pass)
  {
    return (pass.Shape.Width + Columns - 1) / Columns;
  }
};

template <typename TCost, int VWarps, int VSlices, bool VIsShared, bool VIsNearest>
__global__ void
__launch_bounds__(BlockAlongY<TCost, VWarps, VSlices, VIsNearest>::Threads,
                  GetLeastBlocks<TCost>(VWarps, BlockAlongY<TCost, VWarps, VSlices, VIsNearest>::Threads))
  DistancesAlongYKernel(AlongY<TCost> pass)
{
  using Block = BlockAlongY<TCost, VWarps, VSlices, VIsNearest>;
  using Memory = EnvelopeMemory<TCost>;
  using Distances = LaneDistances<TCost>;
  using Envelope = LowerEnvelope<TCost, VWarps, VIsNearest>;
  constexpr int columns = Block::Columns;
  constexpr int lines = Block::Lines;
  constexpr int rows = Block::Threads / columns; // that the block loads at a time
  CUDAFILTERS_DYNAMIC_SHARED(unsigned char, shared);
  const int             length = pass.Shape.Height;
  const auto            team = static_cast<int>(threadIdx.x) / (VWarps * LanesPerWarp);
  const std::size_t     workBytes = Memory::GetBytes(length, VWarps);
  unsigned char * const memory =
    GetLines<VIsShared>(shared + lines * workBytes, pass.Scratch, Block::GetLineBytes(length));
  auto * const  sites = reinterpret_cast<LineSite<TCost> *>(memory + team * Memory::GetSiteBytes(length, VIsNearest));
  const int     pitch = Block::GetPitch(length);
  auto * const  distances = reinterpret_cast<TCost *>(memory + lines * Memory::GetSiteBytes(length, VIsNearest));
  TCost * const line = distances + team * pitch;
  auto * const  nearestY = reinterpret_cast<int *>(distances + lines * pitch);

  Envelope envelope(sites, length, pass.Weight, Memory(shared + team * workBytes, length, VWarps), team);

  // Threads are neighbours along x, as in the image. The lines of a slice follow those of the slice before.
  const auto    inGroup = static_cast<int>(threadIdx.x) % columns;
  const auto    firstY = static_cast<int>(threadIdx.x) / columns;
  TCost * const column = distances + inGroup * pitch;
  const auto    width = static_cast<unsigned int>(pass.Shape.Width);
  const auto    groups = static_cast<unsigned int>(Block::CountGroupsOfColumns(pass));
  const auto    all = static_cast<unsigned int>(Block::CountBlocks(pass));
  for (unsigned int i = blockIdx.x; i < all; i += gridDim.x)
  {
    const int           firstSlice = (Block::GetFirstGroup(pass) + static_cast<int>(i / groups)) * Block::Slices;
    const unsigned int  x = i % groups * columns + inGroup;
    const bool          isThere = x < width;
    const ObjectColumns band = pass.Objects.GetBand(firstSlice);
    for (int y = firstY; y < pitch - PixelsPerLane; y += rows)
    {
      const bool       isPixel = isThere && y < length;
      const ObjectWord word = isPixel ? band.GetWord(y * width + x) : ObjectWord{};
#pragma unroll
      for (int k = 0; k < Block::Slices; ++k)
      {
        column[k * columns * pitch + y] =
          isPixel ? word.template GetDistance<TCost>(firstSlice + k, pass.ColumnWeight) : NoDistance<TCost>;
      }
    }
    __syncthreads();
    envelope.Load([line](int y) { return *reinterpret_cast<const Distances *>(line + y); });
    if (envelope.HasSites())
    {
      if constexpr (VIsNearest)
      {
        using Nearest = typename Envelope::Nearest;
        using Positions = PixelPack<int, PixelsPerLane>;
        int * const        nearestLine = nearestY + team * pitch;
        const unsigned int xOfTeam = i % groups * columns + team;
        // In the order of the image: z comes before y.
        const auto isBefore = [&](int y, int other) {
          const int z = band.GetWord(y * width + xOfTeam).GetNearest(firstSlice);
          const int otherZ = band.GetWord(other * width + xOfTeam).GetNearest(firstSlice);
          return z != otherZ ? z < otherZ : y < other;
        };
        envelope.ForEachNearest(isBefore, [&](int y, const Nearest & nearest) {
          *reinterpret_cast<Distances *>(line + y) = nearest.SquaredDistances;
          *reinterpret_cast<Positions *>(nearestLine + y) = nearest.Positions;
        });
      }
      else
      {
        envelope.ForEachPixel(
          [line](int y, const Distances & results) { *reinterpret_cast<Distances *>(line + y) = results; });
      }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Block::Slices; ++k)
    {
      const int          slice = firstSlice + k - pass.FirstSlice;
      const bool         isStored = isThere && slice >= 0 && slice < pass.Slices;
      const std::int64_t firstPixel = static_cast<std::int64_t>(slice) * pass.Shape.Columns;
      for (int y = firstY; isStored && y < length; y += rows)
      {
        pass.Output[firstPixel + y * width + x] = column[k * columns * pitch + y];
        if constexpr (VIsNearest)
        {
          pass.NearestY[firstPixel + y * width + x] = nearestY[inGroup * pitch + y];
        }
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
  bool   InsideIsPositive;
  TPixel Largest; // the number for no distance at all

  /** The pixels for some squared distances. inside: which of them are inside an object, as bits. */
  template <typename TCost>
  __device__ PixelPack<TPixel, PixelsPerLane>
             GetPixels(const LaneDistances<TCost> & distances, unsigned int inside) const
  {
    PixelPack<TPixel, PixelsPerLane> pixels;
    bool                             isUsual = false; // and fast, since most devices are slow in double
    if constexpr (std::is_same<TCost, int>::value)
    {
      int most = distances.Values[0];
#pragma unroll
      for (int k = 1; k < PixelsPerLane; ++k)
      {
        most = max(most, distances.Values[k]);
      }
      constexpr int exactInFloat = 1 << 24;
      isUsual = !this->IsSquared && this->Unit == 1.0 && most <= exactInFloat;
    }
#pragma unroll
    for (int k = 0; k < PixelsPerLane; ++k)
    {
      const TCost distance = distances.Values[k];
      const bool  isInside = (inside >> k & 1u) != 0;
      if (isUsual)
      {
        const TPixel root = sqrt(static_cast<TPixel>(max(distance, TCost{ 1 }))); // which is slow at 0
        pixels.Values[k] = this->Sign(distance == 0 ? TPixel{} : root, isInside);
      }
      else
      {
        pixels.Values[k] = this->GetPixel(distance, isInside);
      }
    }
    return pixels;
  }

private:
  __device__ TPixel
  Sign(TPixel pixel, bool isInside) const
  {
    return isInside != this->InsideIsPositive ? -pixel : pixel;
  }

  template <typename TCost>
  __device__ TPixel
  GetPixel(TCost distance, bool isInside) const
  {
    const bool isNone = distance == NoDistance<TCost>;
    if (this->IsSquared)
    {
      // ITK's filter leaves out the sign of the largest number, too.
      return isNone
               ? this->Largest
               : this->Sign(static_cast<TPixel>(this->Unit * this->Unit * static_cast<double>(distance)), isInside);
    }
    const double root = this->Unit * sqrt(static_cast<double>(distance));
    return this->Sign(isNone ? sqrt(this->Largest) : static_cast<TPixel>(root), isInside);
  }
};

/** A line along x. */
struct LineAlongX
{
  int          Y;
  int          Slice; // in the columns
  int          Length;
  std::int64_t FirstWord;
  std::int64_t FirstPixel; // in the results

  /** The bits of the pixels from x on, as far as they exist. words: those of the image. */
  __device__ unsigned int
  GetBits(const unsigned int * words, int x) const
  {
    PixelPack<unsigned int, PixelsPerLane> pack;
    pack.Load(words + this->FirstWord + x, this->Length - x);
    unsigned int bits = 0;
#pragma unroll
    for (int k = 0; k < PixelsPerLane; ++k)
    {
      bits |= (pack.Values[k] >> (this->Slice % PixelsPerBand) & 1u) << k;
    }
    return bits;
  }
};

/** Calls function(x, distances) as LowerEnvelope::ForEachPixel() does, also for a line without sites. */
template <typename TCost, int VWarps, typename TFunction>
__device__ void
ForEachPixelOfLine(LowerEnvelope<TCost, VWarps, false> & envelope, const LineAlongX & line, TFunction function)
{
  if (envelope.HasSites())
  {
    envelope.ForEachPixel(function);
    return;
  }
  const LaneDistances<TCost> none = GetNoDistances<TCost>();
  constexpr int              threads = VWarps * LanesPerWarp;
  for (int x = static_cast<int>(threadIdx.x) % threads * PixelsPerLane; x < line.Length; x += threads * PixelsPerLane)
  {
    function(x, none);
  }
}

/** The pass along the x axis, which is the last one. TResult::Store() computes the results of a line from its sites. */
template <typename TCost, typename TResult>
struct AlongX
{
  ObjectColumns Objects;
  SlabShape     Shape;
  int           FirstSlice; // in the columns
  int           Slices;
  TCost         ColumnWeight; // squared spacings along the last axis and x
  TCost         Weight;
  const TCost * Input; // from the pass along y; null: the distances along the columns are used
  TResult       Result;
  void *        Scratch; // for lines without room in shared memory, see GetLeastBlocksInShared()
};

template <typename TCost, typename TResult, int VWarps, int VLines, bool VIsShared>
__global__ void
__launch_bounds__(VWarps * VLines * LanesPerWarp, GetLeastBlocks<TCost>(VWarps, VWarps * VLines * LanesPerWarp))
  DistancesAlongXKernel(AlongX<TCost, TResult> pass)
{
  using Memory = EnvelopeMemory<TCost>;
  using Distances = LaneDistances<TCost>;
  CUDAFILTERS_DYNAMIC_SHARED(unsigned char, shared);
  const int length = pass.Shape.Width;
  const int height = pass.Shape.Height;
  // A constant, if possible: otherwise, the block gets all barriers.
  const int             team = VLines == 1 ? 0 : static_cast<int>(threadIdx.x) / (VWarps * LanesPerWarp);
  const std::size_t     workBytes = Memory::GetBytes(length, VWarps);
  unsigned char * const lines = GetLines<VIsShared>(
    shared + VLines * workBytes, pass.Scratch, VLines * Memory::GetSiteBytes(length, TResult::IsNearest));
  auto * const sites =
    reinterpret_cast<LineSite<TCost> *>(lines + team * Memory::GetSiteBytes(length, TResult::IsNearest));
  LowerEnvelope<TCost, VWarps, TResult::IsNearest> envelope(
    sites, length, pass.Weight, Memory(shared + team * workBytes, length, VWarps), team);

  const auto all = static_cast<unsigned int>(height) * pass.Slices;
  for (unsigned int i = blockIdx.x * VLines + team; i < all; i += gridDim.x * VLines)
  {
    LineAlongX line;
    line.Y = static_cast<int>(i % height);
    line.Slice = pass.FirstSlice + static_cast<int>(i / height);
    line.Length = length;
    line.FirstWord = pass.Objects.GetNumberOfWord(static_cast<std::int64_t>(line.Y) * length, line.Slice);
    line.FirstPixel = static_cast<std::int64_t>(i) * length;
    envelope.Load([&](int x) {
      if (pass.Input == nullptr)
      {
        return pass.Objects.template GetDistances<TCost>(line.FirstWord + x, length - x, line.Slice, pass.ColumnWeight);
      }
      Distances distances;
      distances.Load(pass.Input + line.FirstPixel + x, length - x);
#pragma unroll
      for (int k = 0; k < PixelsPerLane; ++k)
      {
        distances.Values[k] = x + k < length ? distances.Values[k] : NoDistance<TCost>;
      }
      return distances;
    });
    pass.Result.Store(envelope, line, pass.Objects);
  }
}

/** Distances, with a sign inside the objects. */
template <typename TPixel>
struct DistanceResult
{
  const unsigned int *   Inside; // the objects themselves
  DistanceFinish<TPixel> Finish;
  TPixel *               Output;

  static constexpr bool IsNearest = false;

  void
  Advance(std::int64_t pixels)
  {
    this->Output += pixels;
  }

  template <typename TCost, int VWarps>
  __device__ void
  Store(LowerEnvelope<TCost, VWarps, false> & envelope, const LineAlongX & line, const ObjectColumns &) const
  {
    ForEachPixelOfLine(
      envelope, line, [&](int x, const LaneDistances<TCost> & distances) { this->StorePixels(line, x, distances); });
  }

  /** Stores the results of the pixels from x on. */
  template <typename TCost>
  __device__ void
  StorePixels(const LineAlongX & line, int x, const LaneDistances<TCost> & distances) const
  {
    const unsigned int inside = line.GetBits(this->Inside, x);
    this->Finish.GetPixels(distances, inside).Store(this->Output + line.FirstPixel + x, line.Length - x);
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
