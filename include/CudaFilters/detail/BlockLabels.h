// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_BlockLabels_h
#define CudaFilters_detail_BlockLabels_h

#include "CudaFiltersExport.h"
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** Connects the objects of blocks that follow each other along the last axis of an image, and numbers them in the order
 * of their first pixels. In each block, objects have labels from 1 on, in that order, and 0 is the background. What is
 * kept grows with the number of objects that reach into another block only. */
class CudaFilters_EXPORT BlockLabels
{
public:
  /** width, height: of the plane, or with height 1 of the row, in which blocks touch. isFull: whether diagonal
   * neighbours are connected. */
  BlockLabels(std::size_t width, std::size_t height, bool isFull);

  /** Adds the next block: the number of its objects, and the labels in its first and in its last plane. */
  void
  AddBlock(std::uint64_t objects, const std::uint32_t * firstPlane, const std::uint32_t * lastPlane);

  /** To be called after the last block. */
  void
  NumberObjects();

  /** The number of objects of the whole image. */
  std::uint64_t
  GetNumberOfObjects() const;

  /** The numbers, from 0 on, of the objects with the labels 1, 2 and so on of a block. */
  std::vector<std::uint64_t>
  GetNumbers(std::size_t block) const;

private:
  std::uint64_t
  FindRoot(std::uint64_t object);

  void
  Join(std::uint64_t a, std::uint64_t b);

  std::size_t                m_Width;
  std::size_t                m_Height;
  bool                       m_IsFull;
  std::vector<std::uint32_t> m_LastPlane;
  /** The objects of all blocks, counted from 0 on before they are connected; for each block, where they begin, and for
   * the end. */
  std::vector<std::uint64_t> m_Starts = { 0 };
  /** An earlier part of the same object. */
  std::unordered_map<std::uint64_t, std::uint64_t> m_Parents;
  /** After NumberObjects(): parts that do not begin an object, and those that do, in order. */
  std::vector<std::pair<std::uint64_t, std::uint64_t>> m_Parts;
};
} // namespace CudaFilters
} // namespace itk

#endif
