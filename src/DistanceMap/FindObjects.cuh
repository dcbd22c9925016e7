// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersFindObjects_cuh
#define itkCudaFiltersFindObjects_cuh

// The first kernels of a distance map, which make words of bits from an image; see ObjectBits.cuh.

#include "ObjectBits.cuh"

namespace itk
{
namespace CudaFilters
{
/** Sets the bits of objects: of pixels that have the value, or of all others. A thread packs some columns of one band.
 */
template <typename TPixel>
__global__ void
PackObjectsKernel(const TPixel * image, SlabShape shape, TPixel value, bool valueIsObject, unsigned int * objects)
{
  constexpr int      width = PackWidth<TPixel>;
  const std::int64_t groups = (shape.Columns + width - 1) / width;
  const std::int64_t all = groups * shape.GetBands();
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
  {
    const std::int64_t column = i % groups * width;
    const auto         band = static_cast<int>(i / groups);
    const std::int64_t count = shape.Columns - column;
    const int          rows = min(PixelsPerBand, shape.Length - band * PixelsPerBand);
    unsigned int       words[width] = {};
    const TPixel *     from = image + static_cast<std::int64_t>(band) * PixelsPerBand * shape.Columns + column;
#pragma unroll 8
    for (int row = 0; row < rows; ++row)
    {
      PixelPack<TPixel, width> pixels;
      pixels.Load(from + row * shape.Columns, count);
#pragma unroll
      for (int k = 0; k < width; ++k)
      {
        words[k] |= (pixels.Values[k] != value ? 1u : 0u) << row;
      }
    }
    if (valueIsObject)
    {
#pragma unroll
      for (unsigned int & word : words)
      {
        word = ~word & shape.GetAll(band);
      }
    }
    unsigned int * const to = objects + band * shape.Columns + column;
    constexpr int        atATime = width < 4 ? width : 4;
#pragma unroll
    for (int k = 0; k < width; k += atATime)
    {
      PixelPack<unsigned int, atATime> stored;
#pragma unroll
      for (int j = 0; j < atATime; ++j)
      {
        stored.Values[j] = words[k + j];
      }
      stored.Store(to + k, count - k);
    }
  }
}

/** Keeps the objects that are outside the margins. */
__global__ void
ChooseObjectsKernel(const unsigned int * objects, SlabShape shape, unsigned int * chosen)
{
  const std::int64_t all = shape.Columns * shape.GetBands();
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
  {
    chosen[i] = objects[i] & shape.GetInner(static_cast<int>(i / shape.Columns));
  }
}

/** The columns, neighbours along x, and rows whose results a warp of ChooseSitesKernel() stores. A lane takes the
 * words of one column in one band; the first and the last lane only load what their neighbours need. */
constexpr int SiteColumns = LanesPerWarp - 2;
constexpr int SiteRows = 8;

/** Chooses contours, or pixels near the background (see SiteChoice), and leaves out those in margins. A warp takes
 * SiteColumns columns of one band, and SiteRows rows. */
template <SiteChoice VChoice>
__global__ void
ChooseSitesKernel(const unsigned int * objects, SlabShape shape, unsigned int * chosen)
{
  constexpr bool areObjects = VChoice == SiteChoice::Contours;
  const int      bands = shape.GetBands();
  const auto     groupsAlongX = static_cast<unsigned int>(shape.Width + SiteColumns - 1) / SiteColumns;
  const auto     groupsAlongY = static_cast<unsigned int>(shape.Height + SiteRows - 1) / SiteRows;
  const auto     all = groupsAlongX * groupsAlongY * bands;
  const auto     warps = gridDim.x * (blockDim.x / LanesPerWarp);
  for (unsigned int i = blockIdx.x * (blockDim.x / LanesPerWarp) + threadIdx.x / LanesPerWarp; i < all; i += warps)
  {
    const int  x = static_cast<int>(i % groupsAlongX) * SiteColumns + GetLaneOfWarp() - 1;
    const int  firstY = static_cast<int>(i / groupsAlongX % groupsAlongY) * SiteRows;
    const int  band = static_cast<int>(i / groupsAlongX / groupsAlongY);
    const int  endY = min(firstY + SiteRows, shape.Height);
    const bool isThere = x >= 0 && x < shape.Width;
    const bool isStored = isThere && GetLaneOfWarp() > 0 && GetLaneOfWarp() < LanesPerWarp - 1;

    const std::int64_t firstWord = band * shape.Columns + x;
    const auto         getChoice = [&](int y) { // from which sites are chosen
      const unsigned int inner = isStored ? shape.GetInner(band) : 0u;
      return areObjects && isStored ? objects[firstWord + static_cast<std::int64_t>(y) * shape.Width] & inner : inner;
    };
    bool isAny = false;
    for (int y = firstY; y < endY; ++y)
    {
      isAny |= getChoice(y) != 0;
    }
    isAny = __any_sync(AllLanes, isAny) != 0;

    // The background pixels of a column; and these with the pixels before and after them.
    struct Row
    {
      unsigned int Background;
      unsigned int Near;
    };
    const auto getRow = [&](int y) {
      Row row{ 0u, 0u };
      if (isAny && isThere && y >= 0 && y < shape.Height)
      {
        const std::int64_t column = static_cast<std::int64_t>(y) * shape.Width + x;
        const auto         getBackground = [&](int ofBand) {
          return ofBand >= 0 && ofBand < bands ? ~objects[ofBand * shape.Columns + column] & shape.GetAll(ofBand) : 0u;
        };
        row.Background = getBackground(band);
        row.Near = row.Background | row.Background << 1 | row.Background >> 1 |
                   getBackground(band - 1) >> (PixelsPerBand - 1) | getBackground(band + 1) << (PixelsPerBand - 1);
      }
      return row;
    };
    Row before = getRow(firstY - 1);
    Row here = getRow(firstY);
    for (int y = firstY; y < endY; ++y)
    {
      const Row          after = getRow(y + 1);
      const unsigned int near = before.Near | here.Near | after.Near;
      // What the adjacent columns see. Near the background, neighbours that differ in all three coordinates do not
      // count.
      const unsigned int beside = areObjects ? near : before.Background | here.Near | after.Background;
      const unsigned int besideBefore = __shfl_up_sync(AllLanes, beside, 1);
      const unsigned int besideAfter = __shfl_down_sync(AllLanes, beside, 1);
      if (isStored)
      {
        chosen[firstWord + static_cast<std::int64_t>(y) * shape.Width] =
          getChoice(y) & (near | besideBefore | besideAfter);
      }
      before = here;
      here = after;
    }
  }
}

/** The first and the last object of each column. */
__global__ void
FindEndsKernel(const unsigned int * objects, SlabShape shape, int * firsts, int * lasts)
{
  for (std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; column < shape.Columns;
       column += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
  {
    int first = NoSiteAfter;
    int last = NoSiteBefore;
    for (int band = 0; band < shape.GetBands(); ++band)
    {
      const unsigned int word = objects[band * shape.Columns + column];
      if (word != 0)
      {
        first = min(first, GetFirstObject(band, word));
        last = GetLastObject(band, word);
      }
    }
    firsts[column] = first;
    lasts[column] = last;
  }
}

constexpr int MostPartsOfColumn = 32;

/** Finds the nearest objects before and after each word. A block takes 32 columns, of which each warp takes a part.
 * lastsBefore, firstsAfter: the nearest object of each column before, and after, the slab; or null if there is none. */
__global__ void
__launch_bounds__(MostPartsOfColumn * LanesPerWarp) FindNearestObjectsKernel(const unsigned int * objects,
                                                                             SlabShape            shape,
                                                                             const int *          lastsBefore,
                                                                             const int *          firstsAfter,
                                                                             int *                before,
                                                                             int *                after)
{
  CUDAFILTERS_SHARED(int, firsts, [MostPartsOfColumn][LanesPerWarp]);
  CUDAFILTERS_SHARED(int, lasts, [MostPartsOfColumn][LanesPerWarp]);
  const int  lane = GetLaneOfWarp();
  const auto part = static_cast<int>(threadIdx.y);
  const auto parts = static_cast<int>(blockDim.y);
  const int  bands = shape.GetBands();
  const int  perPart = (bands + parts - 1) / parts;
  const int  begin = min(part * perPart, bands);
  const int  end = min(begin + perPart, bands);
  for (std::int64_t firstColumn = static_cast<std::int64_t>(blockIdx.x) * LanesPerWarp; firstColumn < shape.Columns;
       firstColumn += static_cast<std::int64_t>(gridDim.x) * LanesPerWarp)
  {
    const std::int64_t column = firstColumn + lane;
    const bool         isThere = column < shape.Columns;
    int                first = NoSiteAfter;
    int                last = NoSiteBefore;
    for (int band = begin; isThere && band < end; ++band)
    {
      const unsigned int word = objects[band * shape.Columns + column];
      first = word != 0 ? min(first, GetFirstObject(band, word)) : first;
      last = word != 0 ? GetLastObject(band, word) : last;
    }
    firsts[part][lane] = first;
    lasts[part][lane] = last;
    __syncthreads();
    if (isThere)
    {
      int nearest = lastsBefore != nullptr ? lastsBefore[column] : NoSiteBefore;
      for (int other = 0; other < part; ++other)
      {
        nearest = max(nearest, lasts[other][lane]);
      }
      for (int band = begin; band < end; ++band)
      {
        const std::int64_t i = band * shape.Columns + column;
        before[i] = nearest;
        nearest = objects[i] != 0 ? GetLastObject(band, objects[i]) : nearest;
      }
      nearest = firstsAfter != nullptr ? firstsAfter[column] : NoSiteAfter;
      for (int other = part + 1; other < parts; ++other)
      {
        nearest = min(nearest, firsts[other][lane]);
      }
      for (int band = end - 1; band >= begin; --band)
      {
        const std::int64_t i = band * shape.Columns + column;
        after[i] = nearest;
        nearest = objects[i] != 0 ? GetFirstObject(band, objects[i]) : nearest;
      }
    }
    __syncthreads();
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
