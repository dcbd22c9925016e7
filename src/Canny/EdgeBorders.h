// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersEdgeBorders_h
#define itkCudaFiltersEdgeBorders_h

#include "EdgeLinker.h"
#include "CudaFilters/Region3.h"
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** Links the edges of an image across the borders of its tiles, from the candidates at these borders alone. */
class EdgeBorders
{
public:
  EdgeBorders(const Size3 & imageSize, std::size_t tiles);

  /** Adds the candidates at the border of one tile. Several threads may call it at the same time. */
  void
  Add(std::size_t tile, const Size3 & start, const Size3 & size, const std::vector<BorderCandidate> & candidates);

  /** Must be called after all tiles have been added. */
  void
  Link();

  /** Returns the labels of a tile that must be kept, because they are connected to a strong candidate in another
   * tile. */
  std::vector<std::uint64_t>
  GetKept(std::size_t tile) const;

private:
  struct Pixel
  {
    std::uint64_t Number; // linear index in the whole image
    std::size_t   Node;
  };

  std::size_t
  FindRoot(std::size_t node);

  Size3                                                           m_Size;
  std::mutex                                                      m_Mutex; // guards the members below during Add()
  std::vector<Pixel>                                              m_Pixels;
  std::vector<std::size_t>                                        m_Parents; // of the nodes; node 0 is kept
  std::vector<std::vector<std::pair<std::uint64_t, std::size_t>>> m_Labels;  // label and node pairs of each tile
};
} // namespace CudaFilters
} // namespace itk

#endif
