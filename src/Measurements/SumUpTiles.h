// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersSumUpTiles_h
#define itkCudaFiltersSumUpTiles_h

#include "Measurements.h"
#include "../Runner/Runner.h"
#include <algorithm>
#include <utility>
#include <vector>

namespace itk
{
namespace CudaFilters
{
inline void
AddPart(LabelSums & object, const LabelSums & part)
{
  object.Sums += part.Sums;
}
inline void
AddPart(LabelCount & object, const LabelCount & part)
{
  object.Count += part.Count;
}

/** Sums up or counts the objects of all tiles: function(slot, tile, labels on the device) returns those of a tile.
 * Progress goes from 0 to the given number. Sums are formed in the order of the tiles, so that they do not depend on
 * which device was faster. */
template <typename TObject, typename TFunction>
std::vector<TObject>
SumUpTiles(Runner & runner, float progress, TFunction function)
{
  const std::vector<Region3> &      tiles = runner.GetTiles();
  std::vector<std::vector<TObject>> ofTiles(tiles.size());
  runner.ForEachTile(
    tiles,
    [&](TileSlot & slot, std::size_t i) {
      const StageScope  stage(slot.GetExecution(), "objects");
      const DeviceLease labels = slot.UploadInput(0, runner.RequireBuffered(0, tiles[i]));
      ofTiles[i] = function(slot, tiles[i], labels.GetPointer());
    },
    0.0f,
    progress);
  std::vector<TObject> all;
  for (std::vector<TObject> & ofTile : ofTiles)
  {
    all.insert(all.end(), ofTile.begin(), ofTile.end());
    std::vector<TObject>().swap(ofTile);
  }
  std::stable_sort(all.begin(), all.end(), [](const TObject & a, const TObject & b) { return a.Label < b.Label; });
  std::size_t objects = 0;
  for (const TObject & part : all)
  {
    if (objects > 0 && all[objects - 1].Label == part.Label)
    {
      AddPart(all[objects - 1], part);
    }
    else
    {
      all[objects++] = part;
    }
  }
  all.resize(objects);
  return all;
}
} // namespace CudaFilters
} // namespace itk

#endif
