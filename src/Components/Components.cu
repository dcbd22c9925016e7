// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Components.h"
#include "ComponentBorders.cuh"
#include "ComponentTiles.cuh"
#include "WriteNumbers.cuh"
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
constexpr unsigned int ThreadsForWords = 256;

std::int64_t
GetNumberOfLabels(const Size3 & size)
{
  return GetNumberOfWords(size) * LabelsPerWord;
}

/** Whether 32 bits suffice for labels and numbers. */
bool
HasShortLabels(const Size3 & size, std::uint64_t mostObjects)
{
  return std::max(static_cast<std::uint64_t>(GetNumberOfLabels(size)), mostObjects) <
         static_cast<std::uint64_t>(IsNumber<std::uint32_t>);
}

std::size_t
GetBytesOfForest(const Size3 & size, std::uint64_t mostObjects)
{
  return GetNumberOfLabels(size) *
         (HasShortLabels(size, mostObjects) ? sizeof(std::uint32_t) : sizeof(unsigned long long));
}

std::size_t
GetBytesOfWords(const Size3 & size)
{
  return GetNumberOfWords(size) * sizeof(std::uint32_t);
}

/** The pieces of a tile: each within one row. */
RowPieces
MakePiecesOfTile(const Size3 & size)
{
  return { GetNumberOfPieces(size), GetWordsPerRow(size), GetPiecesPerRow(size), WordsPerPieceOfTile };
}

/** The pieces of a whole image. Its rows follow each other in memory, so that they count as one row. */
RowPieces
MakePiecesOfImage(const Size3 & size)
{
  constexpr int      wordsPerPieceOfImage = 64; // many pieces keep the device busy
  const std::int64_t words = GetNumberOfWords(size);
  const std::int64_t pieces = DivideUp(words, wordsPerPieceOfImage);
  return { pieces, words, pieces, wordsPerPieceOfImage };
}

/** The larger one of both numbers: memory is allocated before it is known whether the image is a tile. */
std::int64_t
GetMostPieces(const Size3 & size)
{
  return std::max(MakePiecesOfTile(size).Pieces, MakePiecesOfImage(size).Pieces);
}

/** One more than there are pieces, for the sum of all. */
std::size_t
GetBytesOfCounts(const Size3 & size)
{
  return (GetMostPieces(size) + 1) * sizeof(std::uint64_t);
}

constexpr std::size_t BytesOfFlag = sizeof(std::uint64_t);

ImageFace
MakeFace(const Size3 & size, unsigned int axis, unsigned int side)
{
  return { static_cast<int>(axis),
           side == 0 ? 0 : static_cast<int>(size[axis] - 1),
           static_cast<int>(size[axis == 0 ? 1 : 0]),
           static_cast<int>(size[axis == 2 ? 1 : 2]) };
}

template <typename TConnectivity>
GroupedImage<TConnectivity>
MakeImage(const Size3 & size, const std::uint32_t * words)
{
  GroupedImage<TConnectivity> image{};
  image.Words = words;
  image.Height = static_cast<int>(size[1]);
  image.Depth = static_cast<int>(size[2]);
  image.WordsPerRow = static_cast<int>(GetWordsPerRow(size));
  image.GroupsAlongY = static_cast<int>(DivideUp(size[1], TConnectivity::RowsAlongY));
  image.GroupsAlongZ = static_cast<int>(DivideUp(size[2], TConnectivity::RowsAlongZ));
  image.TilesAlongX = static_cast<int>(DivideUp(image.WordsPerRow, TConnectivity::TileX));
  image.TilesAlongY = static_cast<int>(DivideUp(image.GroupsAlongY, TConnectivity::TileY));
  image.Tiles = static_cast<std::int64_t>(image.TilesAlongX) * image.TilesAlongY *
                DivideUp(image.GroupsAlongZ, TConnectivity::TileZ);
  return image;
}
} // namespace

class ComponentLabeller::Implementation
{
public:
  Implementation(Execution &     execution,
                 const Size3 &   size,
                 unsigned int    dimension,
                 bool            isFull,
                 std::uint64_t   mostObjects,
                 std::uint32_t * words)
    : m_Execution(execution)
    , m_Size(size)
    , m_Dimension(dimension)
    , m_IsFull(isFull)
    , m_HasShortLabels(HasShortLabels(size, mostObjects))
    , m_Words(words)
    , m_Roots(execution.Allocate(GetBytesOfWords(size)))
    , m_Forest(execution.Allocate(GetBytesOfForest(size, mostObjects)))
    , m_Counts(execution.Allocate(GetBytesOfCounts(size)))
    , m_NaNFlag(execution.Allocate(BytesOfFlag))
  {
    Clear(m_NaNFlag->GetPointer(), BytesOfFlag, this->GetStream());
    if (*std::max_element(size.begin(), size.end()) > std::numeric_limits<int>::max())
    {
      throw DeviceError(DeviceError::Kind::Unsuited, "the image is too long");
    }
  }

  template <typename TPixel>
  void
  AddImage(const TPixel * image)
  {
    PackRows(m_Execution, m_Size, image, m_HasImage, m_Words, static_cast<std::uint64_t *>(m_NaNFlag->GetPointer()));
    m_HasImage = true;
  }

  bool
  HasNaN() const
  {
    std::uint64_t flag = 0;
    CopyToHost(&flag, m_NaNFlag->GetPointer(), BytesOfFlag, this->GetStream());
    return flag != 0;
  }

  void
  FindObjects()
  {
    this->WithTypes([this](auto connectivity, auto label) {
      using C = decltype(connectivity);
      using Label = decltype(label);
      const auto image = MakeImage<C>(m_Size, m_Words);
      const auto forest = this->GetForest<Label>();
      Launch(m_Execution,
             "LabelTilesKernel",
             LabelTilesKernel<C, Label>,
             { GridOf(image.Tiles), dim3(C::Threads) },
             image,
             forest,
             this->GetRoots());
      this->JoinTiles<0>(image, forest);
      this->JoinTiles<1>(image, forest);
      if constexpr (C::Dimension == 3)
      {
        this->JoinTiles<2>(image, forest);
      }
    });
  }

  ObjectsOfTile
  GetBorder(const std::array<std::array<bool, 2>, 3> & hasNeighbour)
  {
    const RowPieces pieces = MakePiecesOfTile(m_Size);
    ObjectsOfTile   objects;
    this->CountRoots(pieces);
    objects.Counts.resize(pieces.Pieces);
    CopyToHost(objects.Counts.data(), this->GetCounts(), pieces.Pieces * sizeof(std::uint64_t), this->GetStream());

    const std::unique_ptr<DeviceBuffer> markBuffer = m_Execution.Allocate(GetBytesOfWords(m_Size));
    auto * const                        marks = static_cast<std::uint32_t *>(markBuffer->GetPointer());
    Clear(marks, GetBytesOfWords(m_Size), this->GetStream());
    this->WithTypes([&](auto connectivity, auto label) {
      using C = decltype(connectivity);
      using Label = decltype(label);
      const auto image = MakeImage<C>(m_Size, m_Words);
      const auto forest = this->GetForest<Label>();
      const auto forEachFace = [&](auto function) {
        for (unsigned int axis = 0; axis < 3; ++axis)
        {
          for (unsigned int side = 0; side < 2; ++side)
          {
            if (hasNeighbour[axis][side])
            {
              const ImageFace    face = MakeFace(m_Size, axis, side);
              const std::int64_t pixels = static_cast<std::int64_t>(face.Width) * face.Height;
              function(face, pixels, GridOf(DivideUp(pixels, ThreadsForWords)), objects.Faces[axis][side]);
            }
          }
        }
      };
      forEachFace([&](const ImageFace & face, std::int64_t, dim3 grid, const auto &) {
        Launch(m_Execution,
               "MarkFaceKernel",
               MarkFaceKernel<C, Label>,
               { grid, dim3(ThreadsForWords) },
               image,
               face,
               forest,
               marks);
      });
      Launch(m_Execution,
             "CountMarksKernel",
             CountMarksKernel,
             { this->GetGridOfWarps(pieces.Pieces), dim3(ThreadsForWords) },
             pieces,
             marks,
             this->GetCounts());
      SumBefore(m_Execution, this->GetCounts(), pieces.Pieces);
      objects.Border.resize(this->GetSum(pieces));
      if (objects.Border.empty())
      {
        forEachFace([](const ImageFace &, std::int64_t pixels, dim3, std::vector<std::uint32_t> & places) {
          places.assign(pixels, 0);
        });
        return;
      }
      const std::size_t                   listBytes = objects.Border.size() * sizeof(BorderObject);
      const std::unique_ptr<DeviceBuffer> list = m_Execution.Allocate(listBytes);
      Launch(m_Execution,
             "ListMarksKernel",
             ListMarksKernel<Label>,
             { this->GetGridOfWarps(pieces.Pieces), dim3(ThreadsForWords) },
             pieces,
             this->GetRoots(),
             marks,
             this->GetCounts(),
             forest,
             static_cast<BorderObject *>(list->GetPointer()));
      CopyToHost(objects.Border.data(), list->GetPointer(), listBytes, this->GetStream());
      forEachFace([&](const ImageFace & face, std::int64_t pixels, dim3 grid, std::vector<std::uint32_t> & places) {
        const std::size_t                   bytes = pixels * sizeof(std::uint32_t);
        const std::unique_ptr<DeviceBuffer> buffer = m_Execution.Allocate(bytes);
        Launch(m_Execution,
               "WriteFaceKernel",
               WriteFaceKernel<C, Label>,
               { grid, dim3(ThreadsForWords) },
               image,
               face,
               forest,
               static_cast<std::uint32_t *>(buffer->GetPointer()));
        places.resize(pixels);
        CopyToHost(places.data(), buffer->GetPointer(), bytes, this->GetStream());
      });
    });
    return objects;
  }

  void
  NumberObjects(std::uint64_t background)
  {
    const RowPieces pieces = MakePiecesOfImage(m_Size);
    this->CountRoots(pieces);
    SumBefore(m_Execution, this->GetCounts(), pieces.Pieces);
    this->NumberCountedObjects(pieces, background);
  }

  void
  NumberObjects(std::uint64_t                      background,
                const std::vector<std::uint64_t> & before,
                const std::vector<KnownObject> &   known)
  {
    CopyToDevice(this->GetCounts(), before.data(), before.size() * sizeof(std::uint64_t), this->GetStream());
    if (!known.empty())
    {
      const std::size_t                   bytes = known.size() * sizeof(KnownObject);
      const std::unique_ptr<DeviceBuffer> list = m_Execution.Allocate(bytes);
      const auto                          count = static_cast<std::int64_t>(known.size());
      CopyToDevice(list->GetPointer(), known.data(), bytes, this->GetStream());
      this->WithTypes([&](auto, auto label) {
        using Label = decltype(label);
        Launch(m_Execution,
               "SetNumbersKernel",
               SetNumbersKernel<Label>,
               { GridOf(DivideUp(count, ThreadsForWords)), dim3(ThreadsForWords) },
               static_cast<const KnownObject *>(list->GetPointer()),
               count,
               NumberChoice{ background },
               this->GetForest<Label>());
      });
    }
    this->NumberCountedObjects(MakePiecesOfTile(m_Size), background);
  }

  std::uint64_t
  GetNumberOfObjects() const
  {
    return this->GetSum(MakePiecesOfImage(m_Size));
  }

  template <typename TOutput>
  void
  Write(TOutput background, TOutput * output)
  {
    this->WithTypes([&](auto connectivity, auto label) {
      using C = decltype(connectivity);
      using Label = decltype(label);
      const auto image = MakeImage<C>(m_Size, m_Words);
      Launch(m_Execution,
             "WriteNumbersKernel",
             WriteNumbersKernel<C, Label, TOutput>,
             { GridOf(DivideUp(image.GetNumberOfGroupWords(), WriteThreads)), dim3(WriteThreads) },
             image,
             static_cast<int>(m_Size[0]),
             this->GetForest<Label>(),
             background,
             output);
    });
  }

private:
  template <unsigned int VAxis, typename TConnectivity, typename TLabel>
  void
  JoinTiles(const GroupedImage<TConnectivity> & image, const LabelForest<TLabel> & forest)
  {
    const std::int64_t groups = BorderGroups<TConnectivity, VAxis>{ image }.GetNumber();
    if (groups > 0)
    {
      Launch(m_Execution,
             "JoinTilesKernel",
             JoinTilesKernel<TConnectivity, TLabel, VAxis>,
             { GridOf(DivideUp(groups, ThreadsForWords)), dim3(ThreadsForWords) },
             image,
             forest);
    }
  }

  void
  CountRoots(const RowPieces & pieces)
  {
    this->WithTypes([&](auto, auto label) {
      using Label = decltype(label);
      Launch(m_Execution,
             "CountRootsKernel",
             CountRootsKernel<Label>,
             { this->GetGridOfWarps(pieces.Pieces), dim3(ThreadsForWords) },
             pieces,
             this->GetRoots(),
             this->GetForest<Label>(),
             this->GetCounts());
    });
  }

  /** The sum of all counts, after SumBefore(). */
  std::uint64_t
  GetSum(const RowPieces & pieces) const
  {
    std::uint64_t number = 0;
    CopyToHost(&number, this->GetCounts() + pieces.Pieces, sizeof(number), this->GetStream());
    return number;
  }

  /** When the number of objects before each piece is known. */
  void
  NumberCountedObjects(const RowPieces & pieces, std::uint64_t background)
  {
    this->WithTypes([&](auto, auto label) {
      using Label = decltype(label);
      const auto forest = this->GetForest<Label>();
      Launch(m_Execution,
             "NumberRootsKernel",
             NumberRootsKernel<Label>,
             { this->GetGridOfWarps(pieces.Pieces), dim3(ThreadsForWords) },
             pieces,
             this->GetRoots(),
             forest,
             this->GetCounts(),
             NumberChoice{ background });
      Launch(m_Execution,
             "NumberTilesKernel",
             NumberTilesKernel<Label>,
             { this->GetGridOfWarps(pieces.Pieces), dim3(ThreadsForWords) },
             pieces,
             this->GetRoots(),
             forest);
    });
  }

  /** Calls a function with the connectivity, and with a value of the type of labels. */
  template <typename TFunction>
  void
  WithTypes(TFunction function) const
  {
    const auto withLabel = [&](auto connectivity) {
      m_HasShortLabels ? function(connectivity, std::uint32_t{}) : function(connectivity, 0ull);
    };
    if (m_Dimension == 2)
    {
      m_IsFull ? withLabel(Connectivity<2, true>{}) : withLabel(Connectivity<2, false>{});
    }
    else
    {
      m_IsFull ? withLabel(Connectivity<3, true>{}) : withLabel(Connectivity<3, false>{});
    }
  }

  static dim3
  GetGridOfWarps(std::int64_t warps)
  {
    return GridOf(DivideUp(warps, ThreadsForWords / LanesPerWarp));
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
  std::uint32_t *
  GetRoots() const
  {
    return static_cast<std::uint32_t *>(m_Roots->GetPointer());
  }
  std::uint64_t *
  GetCounts() const
  {
    return static_cast<std::uint64_t *>(m_Counts->GetPointer());
  }

  Execution &                   m_Execution;
  Size3                         m_Size;
  unsigned int                  m_Dimension;
  bool                          m_IsFull;
  bool                          m_HasShortLabels;
  bool                          m_HasImage = false;
  std::uint32_t *               m_Words; // which pixels are object pixels
  std::unique_ptr<DeviceBuffer> m_Roots; // which ones are the first of an object in a block's tile
  std::unique_ptr<DeviceBuffer> m_Forest;
  std::unique_ptr<DeviceBuffer> m_Counts; // objects that begin in each piece, later those before it
  std::unique_ptr<DeviceBuffer> m_NaNFlag;
};

ComponentLabeller::ComponentLabeller(Execution &     execution,
                                     const Size3 &   size,
                                     unsigned int    dimension,
                                     bool            isFull,
                                     std::uint64_t   mostObjects,
                                     std::uint32_t * words)
  : m_Implementation(std::make_unique<Implementation>(execution, size, dimension, isFull, mostObjects, words))
{}

ComponentLabeller::~ComponentLabeller() = default;

template <typename TPixel>
void
ComponentLabeller::AddImage(const TPixel * image)
{
  m_Implementation->AddImage(image);
}

bool
ComponentLabeller::HasNaN() const
{
  return m_Implementation->HasNaN();
}

void
ComponentLabeller::FindObjects()
{
  m_Implementation->FindObjects();
}

void
ComponentLabeller::NumberObjects(std::uint64_t background)
{
  m_Implementation->NumberObjects(background);
}

void
ComponentLabeller::NumberObjects(std::uint64_t                      background,
                                 const std::vector<std::uint64_t> & before,
                                 const std::vector<KnownObject> &   known)
{
  m_Implementation->NumberObjects(background, before, known);
}

ObjectsOfTile
ComponentLabeller::GetBorder(const std::array<std::array<bool, 2>, 3> & hasNeighbour)
{
  return m_Implementation->GetBorder(hasNeighbour);
}

std::uint64_t
ComponentLabeller::GetNumberOfObjects() const
{
  return m_Implementation->GetNumberOfObjects();
}

template <typename TOutput>
void
ComponentLabeller::Write(TOutput background, TOutput * output)
{
  m_Implementation->Write(background, output);
}

std::size_t
ComponentLabeller::GetScratchBytes(const Size3 & size, std::uint64_t mostObjects)
{
  return GetBytesOfWords(size) + GetBytesOfForest(size, mostObjects) + GetBytesOfCounts(size) + BytesOfFlag +
         GetSumScratchBytes(GetMostPieces(size));
}

std::size_t
ComponentLabeller::GetScratchBytesOfTile(const Size3 & size, unsigned int dimension, std::uint64_t mostObjects)
{
  // Marks; and the lists of objects at faces, which have not more objects than pixels, and the pixels of a face.
  std::size_t pixels = 0;
  for (unsigned int axis = 0; axis < dimension; ++axis)
  {
    pixels += 2 * (GetNumberOfPixels(size) / size[axis]);
  }
  return GetScratchBytes(size, mostObjects) + GetBytesOfWords(size) +
         pixels * (std::max(sizeof(BorderObject), sizeof(KnownObject)) + sizeof(std::uint32_t));
}

#define CUDAFILTERS_INSTANTIATE(TPixel) template void ComponentLabeller::AddImage<TPixel>(const TPixel *);
CUDAFILTERS_INSTANTIATE(std::uint8_t)
CUDAFILTERS_INSTANTIATE(std::uint16_t)
CUDAFILTERS_INSTANTIATE(std::uint32_t)
CUDAFILTERS_INSTANTIATE(std::uint64_t)
CUDAFILTERS_INSTANTIATE(float)
CUDAFILTERS_INSTANTIATE(double)
#undef CUDAFILTERS_INSTANTIATE

#define CUDAFILTERS_INSTANTIATE(TOutput) template void ComponentLabeller::Write<TOutput>(TOutput, TOutput *);
CUDAFILTERS_INSTANTIATE(std::uint8_t)
CUDAFILTERS_INSTANTIATE(std::uint16_t)
CUDAFILTERS_INSTANTIATE(std::uint32_t)
CUDAFILTERS_INSTANTIATE(std::uint64_t)
#undef CUDAFILTERS_INSTANTIATE
} // namespace CudaFilters
} // namespace itk
