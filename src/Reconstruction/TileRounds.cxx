// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "TileRounds.h"
#include <algorithm>

namespace itk
{
namespace CudaFilters
{
TileRounds::TileRounds(const std::vector<Region3> & tiles)
  : m_Tiles(tiles)
  , m_IsMarked(tiles.size(), true)
{
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    auto & starts = m_Starts[axis];
    for (const Region3 & tile : tiles)
    {
      starts.push_back(tile.Start[axis]);
    }
    std::sort(starts.begin(), starts.end());
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());

    // The margins of two tiles meet if there is just one pixel between them.
    std::size_t colors = std::min<std::size_t>(starts.size(), 2);
    for (std::size_t i = 1; i + 1 < starts.size(); ++i)
    {
      colors = starts[i + 1] - starts[i] == 1 ? 3 : colors;
    }
    m_Colors[axis] = colors;
  }
}

bool
TileRounds::IsDone() const
{
  return std::find(m_IsMarked.begin(), m_IsMarked.end(), true) == m_IsMarked.end();
}

std::vector<Region3>
TileRounds::TakeRound(std::size_t round)
{
  std::vector<Region3> taken;
  const std::size_t    wanted = round % (m_Colors[0] * m_Colors[1] * m_Colors[2]);
  for (std::size_t i = 0; i < m_Tiles.size(); ++i)
  {
    std::size_t color = 0;
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      color = color * m_Colors[axis] + this->GetRank(axis, m_Tiles[i].Start[axis]) % m_Colors[axis];
    }
    if (m_IsMarked[i] && color == wanted)
    {
      taken.push_back(m_Tiles[i]);
      m_IsMarked[i] = false;
    }
  }
  return taken;
}

void
TileRounds::MarkTileAt(const Index3 & pixel)
{
  // Tiles are numbered along x first.
  std::size_t number = 0;
  for (unsigned int axis = 3; axis-- > 0;)
  {
    number = number * m_Starts[axis].size() + this->GetRank(axis, pixel[axis]);
  }
  m_IsMarked[number] = true;
}

std::size_t
TileRounds::GetRank(unsigned int axis, std::int64_t position) const
{
  const auto & starts = m_Starts[axis];
  return std::upper_bound(starts.begin(), starts.end(), position) - starts.begin() - 1;
}
} // namespace CudaFilters
} // namespace itk
