// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersComponents_h
#define itkCudaFiltersComponents_h

#include "CudaFilters/Execution.h"
#include "CudaFilters/Region3.h"
#include "ObjectBorders.h"
#include "RowBits.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** Finds and numbers the objects of an image: connected pixels that are not 0. The methods enqueue work, and those that
 * return something wait for it.
 *
 * An image is labelled by AddImage() for one or two images, HasNaN() if their pixels are real, FindObjects(),
 * NumberObjects() and Write(). If it is a tile of a larger image, GetBorder() follows FindObjects(), and ends the use
 * of the labeller. When all tiles are connected, a new labeller begins with FindObjects(), since the bits of the object
 * pixels are still known. */
class ComponentLabeller
{
public:
  /** isFull: whether diagonal neighbours are connected. mostObjects: how many there may be in all tiles together.
   * words: memory for one bit per pixel, see RowBits.h. */
  ComponentLabeller(Execution &     execution,
                    const Size3 &   size,
                    unsigned int    dimension,
                    bool            isFull,
                    std::uint64_t   mostObjects,
                    std::uint32_t * words);
  ~ComponentLabeller();
  ComponentLabeller(const ComponentLabeller &) = delete;
  ComponentLabeller &
  operator=(const ComponentLabeller &) = delete;

  /** Takes the pixels of a dense image. With a second image, only the pixels count that are not 0 in both. */
  template <typename TPixel>
  void
  AddImage(const TPixel * image);

  /** Whether a pixel of an image was not a number. */
  bool
  HasNaN() const;

  void
  FindObjects();

  /** What other tiles need to know. hasNeighbour: for the first and the last face along each axis, whether there is a
   * tile behind it. */
  ObjectsOfTile
  GetBorder(const std::array<std::array<bool, 2>, 3> & hasNeighbour);

  /** Numbers the objects from 0 on, in the order of their first pixels, but leaves out the number of the background. */
  void
  NumberObjects(std::uint64_t background);
  /** The same in a tile. before: the number of objects of all tiles that begin before each piece of a row. known: the
   * objects that begin in other tiles. */
  void
  NumberObjects(std::uint64_t                      background,
                const std::vector<std::uint64_t> & before,
                const std::vector<KnownObject> &   known);

  /** After NumberObjects() of an image that is not a tile. */
  std::uint64_t
  GetNumberOfObjects() const;

  /** Writes a dense image of numbers, and the background value elsewhere. */
  template <typename TOutput>
  void
  Write(TOutput background, TOutput * output);

  /** The device memory that the labeller allocates, besides those words. */
  static std::size_t
  GetScratchBytes(const Size3 & size, std::uint64_t mostObjects);
  /** The same for tiles. */
  static std::size_t
  GetScratchBytesOfTile(const Size3 & size, unsigned int dimension, std::uint64_t mostObjects);

private:
  class Implementation;
  std::unique_ptr<Implementation> m_Implementation;
};
} // namespace CudaFilters
} // namespace itk

#endif
