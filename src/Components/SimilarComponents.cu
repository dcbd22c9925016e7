// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "SimilarComponents.h"
#include "RowBits.h"
#include "SimilarTiles.cuh"
#include "CudaFilters/DeviceError.h"
#include "../Device/Copy.h"
#include "../Device/Sum.h"
#include <algorithm>
#include <limits>

namespace itk
{
namespace CudaFilters
{
namespace
{
constexpr unsigned int ThreadsPerBlock = 256;

/** Whether 32 bits suffice for labels. */
bool
HasShortLabels(const Size3 & size)
{
  return GetNumberOfWords(size) < std::numeric_limits<std::uint32_t>::max() / PixelsPerWord;
}

/** The parts of the labeller's memory. */
struct ScratchSizes
{
  explicit ScratchSizes(const Size3 & size)
    : Bits(GetNumberOfWords(size) * sizeof(std::uint32_t))
    , Forest(GetNumberOfWords(size) * PixelsPerWord *
             (HasShortLabels(size) ? sizeof(std::uint32_t) : sizeof(unsigned long long)))
    , Counts((GetNumberOfWords(size) + 1) * sizeof(std::uint64_t))
  {}

  std::size_t Bits; // for each of the mask, the links, the roots and the starters
  std::size_t Forest;
  std::size_t Counts;
};

/** What the kernels report. */
struct Results
{
  std::uint64_t      HasNaN;
  unsigned long long Objects; // their number
};

SimilarTiles
MakeTiles(const Size3 & size)
{
  // Squares in planes; in volumes, words along x, and the rest is nearly square.
  SimilarTiles tiles{};
  tiles.WidthBits = size[2] > 1 ? 5 : 6;
  tiles.HeightBits = size[2] > 1 ? 4 : 6;
  tiles.TilesAlongX = static_cast<int>(DivideUp(size[0], tiles.GetWidth()));
  tiles.TilesAlongY = static_cast<int>(DivideUp(size[1], tiles.GetHeight()));
  tiles.Tiles = static_cast<std::int64_t>(tiles.TilesAlongX) * tiles.TilesAlongY * DivideUp(size[2], tiles.GetDepth());
  return tiles;
}
} // namespace

class SimilarComponentLabeller::Implementation
{
public:
  Implementation(Execution & execution, const Size3 & size, bool hasMask)
    : m_Execution(execution)
    , m_Size(size)
    , m_Mask(hasMask ? execution.Allocate(ScratchSizes(size).Bits) : nullptr)
    , m_Links(execution.Allocate(ScratchSizes(size).Bits))
    , m_RootsOfTiles(execution.Allocate(ScratchSizes(size).Bits))
    , m_Starters(execution.Allocate(ScratchSizes(size).Bits))
    , m_Forest(execution.Allocate(ScratchSizes(size).Forest))
    , m_Counts(execution.Allocate(ScratchSizes(size).Counts))
    , m_Results(execution.Allocate(sizeof(Results)))
  {
    if (*std::max_element(size.begin(), size.end()) > std::numeric_limits<int>::max())
    {
      throw DeviceError(DeviceError::Kind::Unsuited, "the image is too long");
    }
    Clear(m_Results->GetPointer(), sizeof(Results), this->GetStream());
  }

  template <typename TPixel>
  void
  SetMask(const TPixel * mask)
  {
    PackRows(m_Execution, m_Size, mask, false, static_cast<std::uint32_t *>(m_Mask->GetPointer()), this->GetNaNFlag());
  }

  template <typename TPixel>
  void
  FindObjects(const TPixel * pixels, const SimilarityRule<TPixel> & rule)
  {
    rule.Threshold == TPixel{ 0 } ? this->FindObjectsOf(this->MakeImage<true>(pixels, rule))
                                  : this->FindObjectsOf(this->MakeImage<false>(pixels, rule));
  }

  template <bool VIsEquality, typename TPixel>
  auto
  MakeImage(const TPixel * pixels, const SimilarityRule<TPixel> & rule) const
  {
    SimilarityImage<TPixel, VIsEquality> image{};
    image.Pixels = pixels;
    image.Mask = this->GetMask();
    image.Width = static_cast<int>(m_Size[0]);
    image.Height = static_cast<int>(m_Size[1]);
    image.Depth = static_cast<int>(m_Size[2]);
    image.WordsPerRow = static_cast<int>(GetWordsPerRow(m_Size));
    image.IsFull = rule.IsFull;
    image.AreSimilar = { rule.Threshold, rule.IsSigned };
    return image;
  }

  template <typename TImage>
  void
  FindObjectsOf(const TImage & image)
  {
    const SimilarTiles tiles = MakeTiles(m_Size);
    this->WithLabels([&](auto label) {
      using Label = decltype(label);
      Launch(m_Execution,
             "LabelSimilarTilesKernel",
             LabelSimilarTilesKernel<TImage, Label>,
             { GridOf(tiles.Tiles), dim3(SimilarThreads) },
             image,
             tiles,
             this->GetForest<Label>(),
             this->GetLinks(),
             this->GetStarters(),
             this->GetRootsOfTiles(),
             this->GetNaNFlag());
      const auto join = [&](int axis, int tileSize, bool isLast) {
        const int  first = isLast ? tileSize - 1 : tileSize;
        const auto length = static_cast<int>(m_Size[axis]) - (isLast ? 1 : 0); // the last pixel has none behind it
        TileBorder border{ axis, first, tileSize, image.Width, image.Height, image.Depth };
        int &      size = axis == 0 ? border.SizeX : axis == 1 ? border.SizeY : border.SizeZ;
        size = length > first ? static_cast<int>(DivideUp(length - first, tileSize)) : 0;
        if (border.GetNumber() > 0)
        {
          Launch(m_Execution,
                 "JoinSimilarTilesKernel",
                 JoinSimilarTilesKernel<TImage, Label>,
                 this->GetShape(border.GetNumber()),
                 image,
                 tiles,
                 border,
                 this->GetLinks(),
                 this->GetForest<Label>());
        }
      };
      join(2, tiles.GetDepth(), false);
      join(1, tiles.GetHeight(), false);
      join(0, tiles.GetWidth(), false);
      // Diagonal neighbours before a pixel may be to its right or below it.
      if (image.IsFull)
      {
        join(0, tiles.GetWidth(), true);
        join(1, tiles.GetHeight(), true);
      }
      Launch(m_Execution,
             "FlattenAndCountKernel",
             FlattenAndCountKernel<Label>,
             this->GetShape(GetNumberOfWords(m_Size)),
             this->GetStarters(),
             this->GetRootsOfTiles(),
             GetNumberOfWords(m_Size),
             this->GetForest<Label>(),
             this->GetCounts(),
             &this->GetResults()->Objects);
    });
    SumBefore(m_Execution, this->GetCounts(), GetNumberOfWords(m_Size));
  }

  Results
  FetchResults() const
  {
    Results results{};
    CopyToHost(&results, m_Results->GetPointer(), sizeof(results), this->GetStream());
    return results;
  }

  std::uint64_t
  GetGreatestNumber() const
  {
    std::uint64_t number = 0;
    CopyToHost(&number, this->GetCounts() + GetNumberOfWords(m_Size), sizeof(number), this->GetStream());
    return number;
  }

  template <typename TOutput>
  void
  Write(TOutput * output)
  {
    this->WithLabels([&](auto label) {
      using Label = decltype(label);
      Launch(m_Execution,
             "WriteSimilarKernel",
             WriteSimilarKernel<Label, TOutput>,
             { GridOf(DivideUp(GetNumberOfWords(m_Size), WriteSimilarThreads)), dim3(WriteSimilarThreads) },
             static_cast<int>(m_Size[0]),
             static_cast<int>(GetWordsPerRow(m_Size)),
             GetNumberOfWords(m_Size),
             this->GetMask(),
             this->GetLinks(),
             this->GetForest<Label>(),
             StarterRanks{ this->GetStarters(), this->GetCounts() },
             output);
    });
  }

private:
  template <typename TFunction>
  void
  WithLabels(TFunction function) const
  {
    HasShortLabels(m_Size) ? function(std::uint32_t{}) : function(0ull);
  }

  static LaunchShape
  GetShape(std::int64_t threads)
  {
    return { GridOf(DivideUp(threads, ThreadsPerBlock)), dim3(ThreadsPerBlock) };
  }

  template <typename TLabel>
  LabelForest<TLabel>
  GetForest() const
  {
    return LabelForest<TLabel>(static_cast<TLabel *>(m_Forest->GetPointer()));
  }
  const Stream &
  GetStream() const
  {
    return *m_Execution.GetStream();
  }
  const std::uint32_t *
  GetMask() const
  {
    return m_Mask != nullptr ? static_cast<const std::uint32_t *>(m_Mask->GetPointer()) : nullptr;
  }
  std::uint32_t *
  GetLinks() const
  {
    return static_cast<std::uint32_t *>(m_Links->GetPointer());
  }
  std::uint32_t *
  GetRootsOfTiles() const
  {
    return static_cast<std::uint32_t *>(m_RootsOfTiles->GetPointer());
  }
  std::uint32_t *
  GetStarters() const
  {
    return static_cast<std::uint32_t *>(m_Starters->GetPointer());
  }
  std::uint64_t *
  GetCounts() const
  {
    return static_cast<std::uint64_t *>(m_Counts->GetPointer());
  }
  Results *
  GetResults() const
  {
    return static_cast<Results *>(m_Results->GetPointer());
  }
  std::uint64_t *
  GetNaNFlag() const
  {
    return &this->GetResults()->HasNaN;
  }

  Execution &                   m_Execution;
  Size3                         m_Size;
  std::unique_ptr<DeviceBuffer> m_Mask;  // one bit per pixel, or nullptr
  std::unique_ptr<DeviceBuffer> m_Links; // the same
  std::unique_ptr<DeviceBuffer> m_RootsOfTiles;
  std::unique_ptr<DeviceBuffer> m_Starters;
  std::unique_ptr<DeviceBuffer> m_Forest;
  std::unique_ptr<DeviceBuffer> m_Counts; // of starters in the words, then of those before them
  std::unique_ptr<DeviceBuffer> m_Results;
};

SimilarComponentLabeller::SimilarComponentLabeller(Execution & execution, const Size3 & size, bool hasMask)
  : m_Implementation(std::make_unique<Implementation>(execution, size, hasMask))
{}

SimilarComponentLabeller::~SimilarComponentLabeller() = default;

template <typename TPixel>
void
SimilarComponentLabeller::SetMask(const TPixel * mask)
{
  m_Implementation->SetMask(mask);
}

template <typename TPixel>
void
SimilarComponentLabeller::FindObjects(const TPixel * image, const SimilarityRule<TPixel> & rule)
{
  m_Implementation->FindObjects(image, rule);
}

bool
SimilarComponentLabeller::HasNaN() const
{
  return m_Implementation->FetchResults().HasNaN != 0;
}

std::uint64_t
SimilarComponentLabeller::GetGreatestNumber() const
{
  return m_Implementation->GetGreatestNumber();
}

std::uint64_t
SimilarComponentLabeller::GetNumberOfObjects() const
{
  return m_Implementation->FetchResults().Objects;
}

template <typename TOutput>
void
SimilarComponentLabeller::Write(TOutput * output)
{
  m_Implementation->Write(output);
}

std::size_t
SimilarComponentLabeller::GetScratchBytes(const Size3 & size, bool hasMask)
{
  const ScratchSizes sizes(size);
  return (hasMask ? 4 : 3) * sizes.Bits + sizes.Forest + sizes.Counts + sizeof(Results) +
         GetSumScratchBytes(GetNumberOfWords(size));
}

#define CUDAFILTERS_INSTANTIATE(TPixel)                                    \
  template void SimilarComponentLabeller::SetMask<TPixel>(const TPixel *); \
  template void SimilarComponentLabeller::FindObjects<TPixel>(const TPixel *, const SimilarityRule<TPixel> &);
CUDAFILTERS_INSTANTIATE(std::uint8_t)
CUDAFILTERS_INSTANTIATE(std::uint16_t)
CUDAFILTERS_INSTANTIATE(std::uint32_t)
CUDAFILTERS_INSTANTIATE(std::uint64_t)
CUDAFILTERS_INSTANTIATE(float)
CUDAFILTERS_INSTANTIATE(double)
#undef CUDAFILTERS_INSTANTIATE

#define CUDAFILTERS_INSTANTIATE(TOutput) template void SimilarComponentLabeller::Write<TOutput>(TOutput *);
CUDAFILTERS_INSTANTIATE(std::uint8_t)
CUDAFILTERS_INSTANTIATE(std::uint16_t)
CUDAFILTERS_INSTANTIATE(std::uint32_t)
CUDAFILTERS_INSTANTIATE(std::uint64_t)
#undef CUDAFILTERS_INSTANTIATE
} // namespace CudaFilters
} // namespace itk
