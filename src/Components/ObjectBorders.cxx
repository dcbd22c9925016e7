// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "ObjectBorders.h"
#include "RowPieces.h"
#include "CudaFilters/DeviceError.h"
#include "itkMultiThreaderBase.h"
#include <algorithm>
#include <limits>
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** The two axes of a face. */
std::array<unsigned int, 2>
GetAxesOfFace(unsigned int axis)
{
  return { { axis == 0 ? 1u : 0u, axis == 2 ? 1u : 2u } };
}
} // namespace

ObjectBorders::ObjectBorders(const Region3 & image, const std::vector<Region3> & tiles, bool isFull)
  : m_Image(image)
  , m_Tiles(tiles)
  , m_IsFull(isFull)
  , m_Objects(tiles.size())
{}

bool
ObjectBorders::HasNeighbour(std::size_t tile, unsigned int axis, unsigned int side) const
{
  const Region3 & region = m_Tiles[tile];
  return side == 0 ? region.Start[axis] > m_Image.Start[axis] : region.GetEnd(axis) < m_Image.GetEnd(axis);
}

void
ObjectBorders::Connect()
{
  std::uint64_t nodes = 0;
  m_FirstNodes.clear();
  for (const ObjectsOfTile & objects : m_Objects)
  {
    m_FirstNodes.push_back(nodes);
    nodes += objects.Border.size();
  }
  if (nodes >= std::numeric_limits<std::uint32_t>::max())
  {
    throw DeviceError(DeviceError::Kind::Unsuited, "there are too many objects at the borders of tiles");
  }
  m_Nodes = std::vector<Node>(nodes);
  for (std::size_t tile = 0; tile < m_Tiles.size(); ++tile)
  {
    const Region3 &    region = m_Tiles[tile];
    const std::int64_t wordsPerRow = DivideUp(region.Size[0], 32);
    const Index3       start = GetStartWithin(m_Image, region);
    std::uint64_t      number = m_FirstNodes[tile];
    for (const BorderObject & object : m_Objects[tile].Border)
    {
      const auto         word = static_cast<std::int64_t>(object.Word);
      const std::int64_t x = start[0] + word % wordsPerRow * 32 + object.Column;
      const std::int64_t y = start[1] + word / wordsPerRow % region.Size[1];
      const std::int64_t z = start[2] + word / wordsPerRow / region.Size[1];
      Node &             node = m_Nodes[number];
      node.FirstPixel = static_cast<std::uint64_t>((z * m_Image.Size[1] + y) * m_Image.Size[0] + x);
      node.Parent = static_cast<std::uint32_t>(number);
      ++number;
    }
  }
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    std::vector<std::int64_t> cuts;
    for (std::size_t tile = 0; tile < m_Tiles.size(); ++tile)
    {
      if (this->HasNeighbour(tile, axis, 0))
      {
        cuts.push_back(m_Tiles[tile].Start[axis]);
      }
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    for (const std::int64_t cut : cuts)
    {
      this->ConnectLayers(this->MakeLayer(axis, cut - 1), this->MakeLayer(axis, cut), axis);
    }
  }
  for (ObjectsOfTile & objects : m_Objects)
  {
    objects.Faces = {};
  }
  this->CountObjects();
}

std::vector<std::uint32_t>
ObjectBorders::MakeLayer(unsigned int axis, std::int64_t position) const
{
  const auto                 axes = GetAxesOfFace(axis);
  const std::int64_t         width = m_Image.Size[axes[0]];
  std::vector<std::uint32_t> layer(width * m_Image.Size[axes[1]]);
  for (std::size_t tile = 0; tile < m_Tiles.size(); ++tile)
  {
    const Region3 & region = m_Tiles[tile];
    const unsigned  side = position == region.Start[axis] ? 0 : 1;
    if (position != (side == 0 ? region.Start[axis] : region.GetEnd(axis) - 1))
    {
      continue;
    }
    // A tile that is one pixel thick has two faces with the same pixels.
    const std::vector<std::uint32_t> & first = m_Objects[tile].Faces[axis][side];
    const std::vector<std::uint32_t> & face = first.empty() ? m_Objects[tile].Faces[axis][1 - side] : first;
    const Index3                       start = GetStartWithin(m_Image, region);
    const auto                         firstNode = static_cast<std::uint32_t>(m_FirstNodes[tile]);
    const std::int64_t                 faceWidth = region.Size[axes[0]];
    for (std::int64_t v = 0; v < region.Size[axes[1]]; ++v)
    {
      std::transform(face.data() + v * faceWidth,
                     face.data() + (v + 1) * faceWidth,
                     layer.data() + (start[axes[1]] + v) * width + start[axes[0]],
                     [firstNode](std::uint32_t place) { return place == 0 ? 0u : firstNode + place; });
    }
  }
  return layer;
}

void
ObjectBorders::ConnectLayers(const std::vector<std::uint32_t> & before,
                             const std::vector<std::uint32_t> & behind,
                             unsigned int                       axis)
{
  const auto         axes = GetAxesOfFace(axis);
  const std::int64_t width = m_Image.Size[axes[0]];
  const std::int64_t height = m_Image.Size[axes[1]];
  const int          radius = m_IsFull ? 1 : 0;
  const auto         connectRow = [&](SizeValueType row) {
    const auto v = static_cast<std::int64_t>(row);
    for (std::int64_t otherV = std::max<std::int64_t>(v - radius, 0); otherV <= std::min(v + radius, height - 1);
         ++otherV)
    {
      std::pair<std::uint32_t, std::uint32_t> last{ 0, 0 };
      for (std::int64_t u = 0; u < width; ++u)
      {
        const std::uint32_t node = before[v * width + u];
        for (std::int64_t otherU = std::max<std::int64_t>(u - radius, 0);
             node != 0 && otherU <= std::min(u + radius, width - 1);
             ++otherU)
        {
          const std::pair<std::uint32_t, std::uint32_t> pair{ node, behind[otherV * width + otherU] };
          if (pair.second != 0 && pair != last)
          {
            this->Join(pair.first - 1, pair.second - 1);
            last = pair;
          }
        }
      }
    }
  };
  const auto threader = MultiThreaderBase::New();
  threader->ParallelizeArray(0, static_cast<SizeValueType>(height), connectRow, nullptr);
}

std::uint32_t
ObjectBorders::FindRoot(std::uint32_t node) const
{
  while (true)
  {
    std::uint32_t       parent = m_Nodes[node].Parent.load(std::memory_order_relaxed);
    const std::uint32_t next = m_Nodes[parent].Parent.load(std::memory_order_relaxed);
    if (next == parent)
    {
      return parent;
    }
    // Shortens later searches. If another thread has changed the parent meanwhile, it stays.
    m_Nodes[node].Parent.compare_exchange_weak(parent, next, std::memory_order_relaxed);
    node = next;
  }
}

void
ObjectBorders::Join(std::uint32_t a, std::uint32_t b)
{
  while (true)
  {
    a = this->FindRoot(a);
    b = this->FindRoot(b);
    if (a == b)
    {
      return;
    }
    // The root is the node with the first pixel.
    if (m_Nodes[a].FirstPixel > m_Nodes[b].FirstPixel)
    {
      std::swap(a, b);
    }
    std::uint32_t expected = b;
    if (m_Nodes[b].Parent.compare_exchange_strong(expected, a, std::memory_order_relaxed))
    {
      return;
    }
  }
}

std::int64_t
ObjectBorders::GetPiece(std::size_t tile, const BorderObject & object) const
{
  const Size3 &      size = m_Tiles[tile].Size;
  const std::int64_t wordsPerRow = DivideUp(size[0], 32);
  const auto         word = static_cast<std::int64_t>(object.Word);
  return word / wordsPerRow * GetPiecesPerRow(size) + word % wordsPerRow / WordsPerPieceOfTile;
}

void
ObjectBorders::CountObjects()
{
  // Objects that begin in another tile do not count here.
  const auto isRoot = [this](std::uint64_t node) {
    return m_Nodes[node].Parent.load(std::memory_order_relaxed) == node;
  };
  for (std::size_t tile = 0; tile < m_Tiles.size(); ++tile)
  {
    std::int64_t  lastPiece = -1;
    std::uint64_t others = 0; // in the same piece
    std::uint64_t number = m_FirstNodes[tile];
    for (const BorderObject & object : m_Objects[tile].Border)
    {
      const std::int64_t piece = this->GetPiece(tile, object);
      others = piece == lastPiece ? others : 0;
      lastPiece = piece;
      if (isRoot(number))
      {
        m_Nodes[number].Before = object.Rank - others;
      }
      else
      {
        --m_Objects[tile].Counts[piece];
        ++others;
      }
      ++number;
    }
  }

  // Rows go through all tiles beside each other, which are a bar; bars on top of each other are a slab. Tiles are in
  // the order of their first pixels.
  using Bar = std::vector<std::size_t>;
  std::vector<std::vector<Bar>> slabs;
  for (std::size_t tile = 0; tile < m_Tiles.size(); ++tile)
  {
    const auto isBeside = [&](unsigned int axis) {
      return tile > 0 && m_Tiles[tile - 1].Start[axis] == m_Tiles[tile].Start[axis];
    };
    if (!isBeside(2))
    {
      slabs.emplace_back();
    }
    if (!isBeside(2) || !isBeside(1))
    {
      slabs.back().emplace_back();
    }
    slabs.back().back().push_back(tile);
  }
  m_NumberOfObjects = 0;
  const auto sumRow = [this](std::size_t tile, std::int64_t y, std::int64_t z) {
    const Size3 &         size = m_Tiles[tile].Size;
    std::uint64_t * const counts = m_Objects[tile].Counts.data() + (z * size[1] + y) * GetPiecesPerRow(size);
    for (std::int64_t piece = 0; piece < GetPiecesPerRow(size); ++piece)
    {
      m_NumberOfObjects += std::exchange(counts[piece], m_NumberOfObjects);
    }
  };
  for (const std::vector<Bar> & slab : slabs)
  {
    for (std::int64_t z = 0; z < m_Tiles[slab.front().front()].Size[2]; ++z)
    {
      for (const Bar & bar : slab)
      {
        for (std::int64_t y = 0; y < m_Tiles[bar.front()].Size[1]; ++y)
        {
          for (const std::size_t tile : bar)
          {
            sumRow(tile, y, z);
          }
        }
      }
    }
  }

  for (std::size_t tile = 0; tile < m_Tiles.size(); ++tile)
  {
    std::uint64_t number = m_FirstNodes[tile];
    for (const BorderObject & object : m_Objects[tile].Border)
    {
      if (isRoot(number))
      {
        m_Nodes[number].Before += m_Objects[tile].Counts[this->GetPiece(tile, object)];
      }
      ++number;
    }
  }
}

std::vector<KnownObject>
ObjectBorders::GetKnown(std::size_t tile) const
{
  std::vector<KnownObject> known;
  auto                     number = static_cast<std::uint32_t>(m_FirstNodes[tile]);
  for (const BorderObject & object : m_Objects[tile].Border)
  {
    const std::uint32_t root = this->FindRoot(number);
    if (root != number)
    {
      known.push_back({ object.Word, object.Column, m_Nodes[root].Before });
    }
    ++number;
  }
  return known;
}
} // namespace CudaFilters
} // namespace itk
