// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/BlockLabels.h"
#include <algorithm>

namespace itk
{
namespace CudaFilters
{
BlockLabels::BlockLabels(std::size_t width, std::size_t height, bool isFull)
  : m_Width(width)
  , m_Height(height)
  , m_IsFull(isFull)
{}

void
BlockLabels::AddBlock(std::uint64_t objects, const std::uint32_t * firstPlane, const std::uint32_t * lastPlane)
{
  if (m_Starts.size() > 1)
  {
    const std::uint64_t startBefore = m_Starts[m_Starts.size() - 2];
    const std::uint64_t start = m_Starts.back();
    const std::size_t   reach = m_IsFull ? 1 : 0;
    std::uint32_t       lastHere = 0;
    std::uint32_t       lastThere = 0;
    for (std::size_t y = 0; y < m_Height; ++y)
    {
      for (std::size_t x = 0; x < m_Width; ++x)
      {
        const std::uint32_t here = firstPlane[y * m_Width + x];
        if (here == 0)
        {
          continue;
        }
        for (std::size_t v = y - std::min(y, reach); v <= std::min(y + reach, m_Height - 1); ++v)
        {
          for (std::size_t u = x - std::min(x, reach); u <= std::min(x + reach, m_Width - 1); ++u)
          {
            const std::uint32_t there = m_LastPlane[v * m_Width + u];
            // Most often, adjacent pixels touch the same object.
            if (there != 0 && (here != lastHere || there != lastThere))
            {
              this->Join(startBefore + there - 1, start + here - 1);
              lastHere = here;
              lastThere = there;
            }
          }
        }
      }
    }
  }
  m_LastPlane.assign(lastPlane, lastPlane + m_Width * m_Height);
  m_Starts.push_back(m_Starts.back() + objects);
}

void
BlockLabels::NumberObjects()
{
  m_Parts.clear();
  m_Parts.reserve(m_Parents.size());
  for (const auto & parent : m_Parents)
  {
    m_Parts.emplace_back(parent.first, parent.second);
  }
  for (auto & part : m_Parts)
  {
    part.second = this->FindRoot(part.second);
  }
  std::sort(m_Parts.begin(), m_Parts.end());
}

std::uint64_t
BlockLabels::GetNumberOfObjects() const
{
  return m_Starts.back() - m_Parts.size();
}

std::vector<std::uint64_t>
BlockLabels::GetNumbers(std::size_t block) const
{
  const auto findPart = [this](std::uint64_t object) {
    return std::lower_bound(m_Parts.begin(), m_Parts.end(), object, [](const auto & part, std::uint64_t value) {
      return part.first < value;
    });
  };
  const auto getNumber = [this](std::uint64_t object, auto part) {
    return object - static_cast<std::uint64_t>(part - m_Parts.begin());
  };
  std::vector<std::uint64_t> numbers;
  numbers.reserve(m_Starts[block + 1] - m_Starts[block]);
  auto part = findPart(m_Starts[block]);
  for (std::uint64_t object = m_Starts[block]; object < m_Starts[block + 1]; ++object)
  {
    if (part != m_Parts.end() && part->first == object)
    {
      numbers.push_back(getNumber(part->second, findPart(part->second)));
      ++part;
    }
    else
    {
      numbers.push_back(getNumber(object, part));
    }
  }
  return numbers;
}

std::uint64_t
BlockLabels::FindRoot(std::uint64_t object)
{
  std::uint64_t root = object;
  for (auto found = m_Parents.find(root); found != m_Parents.end(); found = m_Parents.find(root))
  {
    root = found->second;
  }
  // Later searches are shorter.
  for (auto found = m_Parents.find(object); found != m_Parents.end(); found = m_Parents.find(object))
  {
    object = found->second;
    found->second = root;
  }
  return root;
}

void
BlockLabels::Join(std::uint64_t a, std::uint64_t b)
{
  a = this->FindRoot(a);
  b = this->FindRoot(b);
  if (a != b)
  {
    m_Parents[std::max(a, b)] = std::min(a, b);
  }
}
} // namespace CudaFilters
} // namespace itk
