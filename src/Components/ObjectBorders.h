// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersObjectBorders_h
#define itkCudaFiltersObjectBorders_h

// How the objects of an image are put together from those of its tiles.

#include "CudaFilters/Region3.h"
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** An object of a tile that reaches a face with another tile behind it. */
struct BorderObject
{
  std::uint64_t Word;   // of its first pixel, in the tile
  std::uint32_t Column; // in the word
  std::uint32_t Rank;   // how many objects begin before it in the same piece of a row
};

/** An object of a tile that begins in another tile. */
struct KnownObject
{
  std::uint64_t Word; // of its first pixel in this tile
  std::uint32_t Column;
  std::uint64_t Before; // how many objects of the image begin before it
};

/** What a tile tells about its objects. */
struct ObjectsOfTile
{
  std::vector<std::uint64_t> Counts; // how many begin in each piece of a row
  std::vector<BorderObject>  Border; // in the order of their first pixels
  /** For the first and the last face along each axis, if there is a tile behind it: for each pixel, the place of its
   * object in Border, from 1 on; 0 for no object. */
  std::array<std::array<std::vector<std::uint32_t>, 2>, 3> Faces;
};

/** Connects the objects of the tiles of an image. */
class ObjectBorders
{
public:
  /** tiles: as CutIntoTiles() makes them. isFull: whether diagonal neighbours are connected. */
  ObjectBorders(const Region3 & image, const std::vector<Region3> & tiles, bool isFull);

  /** Whether there is a tile behind the first (0) or last (1) face of a tile. */
  bool
  HasNeighbour(std::size_t tile, unsigned int axis, unsigned int side) const;

  /** What is to be filled in, by one thread per tile, before Connect(). */
  ObjectsOfTile &
  GetObjects(std::size_t tile)
  {
    return m_Objects[tile];
  }

  /** Connects the objects, by several threads, and counts those of the whole image. */
  void
  Connect();

  /** \name Results */
  /**@{*/
  std::uint64_t
  GetNumberOfObjects() const
  {
    return m_NumberOfObjects;
  }
  /** How many objects of the image begin before each piece of a tile. */
  const std::vector<std::uint64_t> &
  GetBefore(std::size_t tile) const
  {
    return m_Objects[tile].Counts;
  }
  /** The objects of a tile that begin in another one. */
  std::vector<KnownObject>
  GetKnown(std::size_t tile) const;
  /**@}*/

private:
  /** An object of a tile, as a node of the forest. */
  struct Node
  {
    std::uint64_t              FirstPixel; // in the image
    std::uint64_t              Before = 0; // the objects of the image before it
    std::atomic<std::uint32_t> Parent{ 0 };
  };

  /** The pixels of a face in the whole image, as nodes from 1 on. */
  std::vector<std::uint32_t>
  MakeLayer(unsigned int axis, std::int64_t position) const;

  void
  ConnectLayers(const std::vector<std::uint32_t> & before,
                const std::vector<std::uint32_t> & behind,
                unsigned int                       axis);

  std::uint32_t
  FindRoot(std::uint32_t node) const;
  void
  Join(std::uint32_t a, std::uint32_t b);

  void
  CountObjects();

  std::int64_t
  GetPiece(std::size_t tile, const BorderObject & object) const;

  Region3                      m_Image;
  const std::vector<Region3> & m_Tiles;
  bool                         m_IsFull;
  std::vector<ObjectsOfTile>   m_Objects;
  std::vector<std::uint64_t>   m_FirstNodes; // of each tile
  mutable std::vector<Node>    m_Nodes;
  std::uint64_t                m_NumberOfObjects = 0;
};
} // namespace CudaFilters
} // namespace itk

#endif
