// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersComponentBorders_cuh
#define itkCudaFiltersComponentBorders_cuh

// The kernels that tell which objects of an image reach its faces, if it is a part of a larger image.

#include "ComponentNumbers.cuh"
#include "ObjectBorders.h"

namespace itk
{
namespace CudaFilters
{
/** A face of an image: the pixels with a certain position along an axis. Its own axes are the two others. */
struct ImageFace
{
  int Axis;
  int Position;
  int Width; // along the first one of the others
  int Height;

  __device__ std::int64_t
             GetNumberOfPixels() const
  {
    return static_cast<std::int64_t>(this->Width) * this->Height;
  }
};

/** The label of the node that a pixel of a face belongs to, or 0 if it is no object pixel. */
template <typename TLabel, typename TConnectivity>
__device__ __forceinline__ TLabel
GetLabelInFace(const GroupedImage<TConnectivity> & image, const ImageFace & face, int u, int v)
{
  const int x = face.Axis == 0 ? face.Position : u;
  const int y = face.Axis == 1 ? face.Position : face.Axis == 0 ? u : v;
  const int z = face.Axis == 2 ? face.Position : v;

  const GroupIndex         index{ x / PixelsPerWord, y / TConnectivity::RowsAlongY, z / TConnectivity::RowsAlongZ };
  GroupWord<TConnectivity> group = image.Load(index);
  const int           row = z % TConnectivity::RowsAlongZ * TConnectivity::RowsAlongY + y % TConnectivity::RowsAlongY;
  const std::uint32_t bits = image.Words[image.GetWordNumber(index, row)];
  if ((bits >> (x % PixelsPerWord) & 1u) == 0)
  {
    return 0;
  }
  return image.template GetLabel<TLabel>(index, group, GetRun(group.GetUnion(), x % PixelsPerWord));
}

/** Calls function(pixel, the label of its node or 0) for each pixel of a face, one thread per pixel. */
template <typename TLabel, typename TConnectivity, typename TFunction>
__device__ __forceinline__ void
ForEachPixelOfFace(const GroupedImage<TConnectivity> & image, const ImageFace & face, TFunction function)
{
  ForEachIndex(face.GetNumberOfPixels(), [&](std::int64_t pixel) {
    const auto v = static_cast<int>(Divide(pixel, face.Width));
    const auto u = static_cast<int>(pixel - static_cast<std::int64_t>(v) * face.Width);
    function(pixel, GetLabelInFace<TLabel>(image, face, u, v));
  });
}

/** Marks the roots of the objects that reach a face: one bit per label, 16 in a word. */
template <typename TConnectivity, typename TLabel>
__global__ void
MarkFaceKernel(GroupedImage<TConnectivity> image, ImageFace face, LabelForest<TLabel> forest, std::uint32_t * marks)
{
  ForEachPixelOfFace<TLabel>(image, face, [&](std::int64_t, TLabel label) {
    if (label != 0)
    {
      const TLabel        root = forest.Find(label) - 1;
      const std::uint32_t mark = 1u << static_cast<int>(root % LabelsPerWord);
      std::uint32_t &     word = marks[root / LabelsPerWord];
      if ((LoadSharedValue(&word) & mark) == 0)
      {
        atomicOr(&word, mark);
      }
    }
  });
}

/** Counts the marks in each piece. */
__global__ void
CountMarksKernel(RowPieces pieces, const std::uint32_t * marks, std::uint64_t * counts)
{
  pieces.Count(counts, [&](std::int64_t word, bool isThere) { return isThere ? __popc(marks[word]) : 0; });
}

/** Lists the marked roots in the order of their labels, and makes them store their place in the list, from 1 on.
 * before: the marks before each piece. One warp per piece. */
template <typename TLabel>
__global__ void
ListMarksKernel(RowPieces             pieces,
                const std::uint32_t * roots,
                const std::uint32_t * marks,
                const std::uint64_t * before,
                LabelForest<TLabel>   forest,
                BorderObject *        list)
{
  pieces.ForEach([&](std::int64_t piece, const RowPieces::Range & range) {
    std::uint64_t nextMark = before[piece];
    std::uint32_t nextRoot = 0;
    range.ForEachWord([&](std::int64_t word, bool isThere) {
      const std::uint32_t marksHere = isThere ? marks[word] : 0u;
      const std::uint32_t rootsOfTiles = isThere ? roots[word] : 0u;
      const std::uint32_t rootsHere = FindRoots(forest, word, rootsOfTiles);
      const int           marksUpToThis = AddLanesUpToThis(__popc(marksHere));
      const int           rootsUpToThis = AddLanesUpToThis(__popc(rootsHere));
      std::uint64_t       place = nextMark + static_cast<std::uint64_t>(marksUpToThis - __popc(marksHere));
      std::uint32_t       rank = nextRoot + static_cast<std::uint32_t>(rootsUpToThis - __popc(rootsHere));
      ForEachBit(rootsHere, [&](int slot) {
        if ((marksHere >> slot & 1u) != 0)
        {
          const auto column = static_cast<std::uint32_t>(2 * slot) + ((rootsOfTiles >> (2 * slot) & 1u) != 0 ? 0u : 1u);
          list[place] = { static_cast<std::uint64_t>(word), column, rank };
          ++place;
          forest.Set(MakeLabel<TLabel>(word, 2 * slot), IsNumber<TLabel> | static_cast<TLabel>(place));
        }
        ++rank;
      });
      nextMark += static_cast<std::uint64_t>(__shfl_sync(AllLanes, marksUpToThis, LanesPerWarp - 1));
      nextRoot += static_cast<std::uint32_t>(__shfl_sync(AllLanes, rootsUpToThis, LanesPerWarp - 1));
    });
  });
}

/** Writes the places of objects in the list into the pixels of a face, and 0 elsewhere. */
template <typename TConnectivity, typename TLabel>
__global__ void
WriteFaceKernel(GroupedImage<TConnectivity> image, ImageFace face, LabelForest<TLabel> forest, std::uint32_t * places)
{
  ForEachPixelOfFace<TLabel>(image, face, [&](std::int64_t pixel, TLabel label) {
    places[pixel] = label == 0 ? 0u : static_cast<std::uint32_t>(FindNumber(forest, label) & ~IsNumber<TLabel>);
  });
}

/** Gives objects that begin in other parts of the image the numbers that they have there. One thread per object. */
template <typename TLabel>
__global__ void
SetNumbersKernel(const KnownObject * objects, std::int64_t count, NumberChoice choice, LabelForest<TLabel> forest)
{
  ForEachIndex(count, [&](std::int64_t i) {
    const KnownObject object = objects[i];
    forest.Set(MakeLabel<TLabel>(static_cast<std::int64_t>(object.Word), static_cast<int>(object.Column)),
               IsNumber<TLabel> | choice.GetNumber<TLabel>(object.Before));
  });
}
} // namespace CudaFilters
} // namespace itk

#endif
