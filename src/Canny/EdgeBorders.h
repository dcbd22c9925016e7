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
/** Links the edges of an image across the borders of its tiles, of which it knows the candidates at the borders only.
 */
class EdgeBorders
{
public:
  EdgeBorders(const Size3 & imageSize, std::size_t tiles);

  /** The candidates at the border of one tile. May be called from several threads at once. */
  void
  Add(std::size_t tile, const Size3 & start, const Size3 & size, const std::vector<BorderCandidate> & candidates);

  /** To be called when all tiles were added. */
  void
  Link();

  /** The labels in a tile that are to be kept, since they hang together with something strong in another. */
  std::vector<std::uint64_t>
  GetKept(std::size_t tile) const;

private:
  struct Pixel
  {
    std::uint64_t Number; // in the whole image
    std::size_t   Node;
  };

  std::size_t
  FindRoot(std::size_t node);

  Size3                                                           m_Size;
  std::mutex                                                      m_Mutex; // guards what follows, while tiles are added
  std::vector<Pixel>                                              m_Pixels;
  std::vector<std::size_t>                                        m_Parents; // of the nodes; 0 is all that is kept
  std::vector<std::vector<std::pair<std::uint64_t, std::size_t>>> m_Labels;  // and nodes, of each tile
};
} // namespace CudaFilters
} // namespace itk

#endif
