// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "EdgeBorders.h"
#include <algorithm>

namespace itk
{
namespace CudaFilters
{
EdgeBorders::EdgeBorders(const Size3 & imageSize, std::size_t tiles)
  : m_Size(imageSize)
  , m_Parents{ 0 }
  , m_Labels(tiles)
{}

void
EdgeBorders::Add(std::size_t                          tile,
                 const Size3 &                        start,
                 const Size3 &                        size,
                 const std::vector<BorderCandidate> & candidates)
{
  std::vector<std::uint64_t> labels;
  labels.reserve(candidates.size());
  for (const BorderCandidate & candidate : candidates)
  {
    labels.push_back(candidate.Label);
  }
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());

  const std::lock_guard<std::mutex> lock(m_Mutex);
  auto &                            nodes = m_Labels[tile];
  nodes.reserve(labels.size());
  for (const std::uint64_t label : labels)
  {
    if (label == 0)
    {
      nodes.emplace_back(label, 0);
      continue;
    }
    nodes.emplace_back(label, m_Parents.size());
    m_Parents.push_back(m_Parents.size());
  }
  for (const BorderCandidate & candidate : candidates)
  {
    const auto         pixel = static_cast<std::int64_t>(candidate.Pixel);
    const std::int64_t x = pixel % size[0] + start[0];
    const std::int64_t y = pixel / size[0] % size[1] + start[1];
    const std::int64_t z = pixel / size[0] / size[1] + start[2];
    const auto         found =
      std::lower_bound(nodes.begin(), nodes.end(), std::pair<std::uint64_t, std::size_t>(candidate.Label, 0));
    m_Pixels.push_back({ static_cast<std::uint64_t>((z * m_Size[1] + y) * m_Size[0] + x), found->second });
  }
}

void
EdgeBorders::Link()
{
  std::sort(m_Pixels.begin(), m_Pixels.end(), [](const Pixel & a, const Pixel & b) { return a.Number < b.Number; });

  // Join each pixel with those neighbours that precede it. For one offset, the neighbours have the same order as the
  // pixels, so that one pass over both suffices.
  const auto getX = [this](const Pixel & pixel) { return static_cast<std::int64_t>(pixel.Number) % m_Size[0]; };
  const auto getY = [this](const Pixel & pixel) {
    return static_cast<std::int64_t>(pixel.Number) / m_Size[0] % m_Size[1];
  };
  for (int z = -1; z <= 0; ++z)
  {
    for (int y = -1; y <= 1; ++y)
    {
      for (int x = -1; x <= 1; ++x)
      {
        const std::int64_t offset = (z * m_Size[1] + y) * m_Size[0] + x;
        const bool         isBefore = z < 0 || (z == 0 && (y < 0 || (y == 0 && x < 0)));
        if (!isBefore)
        {
          continue;
        }
        auto other = m_Pixels.begin();
        for (const Pixel & pixel : m_Pixels)
        {
          const std::int64_t wanted = static_cast<std::int64_t>(pixel.Number) + offset;
          while (other != m_Pixels.end() && static_cast<std::int64_t>(other->Number) < wanted)
          {
            ++other;
          }
          if (other != m_Pixels.end() && static_cast<std::int64_t>(other->Number) == wanted &&
              getX(*other) == getX(pixel) + x && getY(*other) == getY(pixel) + y)
          {
            const std::size_t a = this->FindRoot(pixel.Node);
            const std::size_t b = this->FindRoot(other->Node);
            m_Parents[std::max(a, b)] = std::min(a, b);
          }
        }
      }
    }
  }
  m_Pixels = {};
  // Make each node point to its root, since several threads may call GetKept() from here on. A parent precedes its
  // children, so that one pass suffices.
  for (std::size_t & parent : m_Parents)
  {
    parent = m_Parents[parent];
  }
}

std::vector<std::uint64_t>
EdgeBorders::GetKept(std::size_t tile) const
{
  std::vector<std::uint64_t> kept;
  for (const auto & [label, node] : m_Labels[tile])
  {
    if (label != 0 && m_Parents[node] == 0)
    {
      kept.push_back(label);
    }
  }
  return kept;
}

std::size_t
EdgeBorders::FindRoot(std::size_t node)
{
  while (m_Parents[node] != node)
  {
    m_Parents[node] = m_Parents[m_Parents[node]];
    node = m_Parents[node];
  }
  return node;
}
} // namespace CudaFilters
} // namespace itk
