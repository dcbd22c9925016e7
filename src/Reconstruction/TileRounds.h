// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersTileRounds_h
#define itkCudaFiltersTileRounds_h

#include "CudaFilters/Region3.h"
#include <array>
#include <cstddef>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** The tiles of an image that are still to be reconstructed, in rounds of tiles that can be processed at the same time.
 * A tile is processed together with a margin of one pixel, so that no two tiles of a round may share a pixel of their
 * margins: tiles are coloured along each axis, and a round has one colour. */
class TileRounds
{
public:
  /** The tiles form a regular grid; all are to be processed. */
  explicit TileRounds(const std::vector<Region3> & tiles);

  bool
  IsDone() const;

  /** The tiles of a round, which may be none; they are no longer marked. */
  std::vector<Region3>
  TakeRound(std::size_t round);

  /** The tile that contains a pixel is to be processed again. */
  void
  MarkTileAt(const Index3 & pixel);

private:
  /** The number, along an axis, of the tile that contains a position. */
  std::size_t
  GetRank(unsigned int axis, std::int64_t position) const;

  const std::vector<Region3> &             m_Tiles;
  std::array<std::vector<std::int64_t>, 3> m_Starts; // of the tiles along each axis, in ascending order
  std::array<std::size_t, 3>               m_Colors; // the number of colours along each axis
  std::vector<bool>                        m_IsMarked;
};
} // namespace CudaFilters
} // namespace itk

#endif
