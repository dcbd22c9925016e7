// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_StructuringElement_h
#define CudaFilters_detail_StructuringElement_h

#include "CudaFilters/detail/FlatMorphologyOperation.h"
#include "CudaFilters/detail/Radius3.h"
#include "CudaFilters/detail/ReconstructionOperation.h"
#include "itkFlatStructuringElement.h"
#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** Returns the offsets of the pixels of a structuring element from its center. */
template <typename TKernel>
std::vector<std::array<int, 3>>
GetOffsets(const TKernel & kernel)
{
  std::vector<std::array<int, 3>> offsets;
  for (unsigned int i = 0; i < kernel.Size(); ++i)
  {
    if (kernel[i] > 0)
    {
      std::array<int, 3> offset{ { 0, 0, 0 } };
      for (unsigned int axis = 0; axis < TKernel::NeighborhoodDimension && axis < 3; ++axis)
      {
        offset[axis] = static_cast<int>(kernel.GetOffset(i)[axis]);
      }
      offsets.push_back(offset);
    }
  }
  return offsets;
}

/** Returns whether the filters of ITK decompose a structuring element into lines that are not parallel to the axes. In
 * that case their result at the border of the image depends on the decomposition. */
template <typename TKernel>
bool
HasSlantingLines(const TKernel & kernel)
{
  using Flat = FlatStructuringElement<TKernel::NeighborhoodDimension>;
  if constexpr (std::is_base_of<Flat, TKernel>::value)
  {
    const Flat & flat = kernel;
    if (flat.GetDecomposable())
    {
      for (const auto & line : flat.GetLines())
      {
        unsigned int axes = 0;
        for (unsigned int axis = 0; axis < TKernel::NeighborhoodDimension; ++axis)
        {
          axes += line[axis] != 0.0f ? 1 : 0;
        }
        if (axes > 1)
        {
          return true;
        }
      }
    }
  }
  return false;
}

/** Returns the reason why a filter with the structuring element runs on the CPU. Empty if there is none. */
template <typename TKernel>
std::string
GetUnsupportedKernelReason(const TKernel & kernel)
{
  if (std::none_of(kernel.Begin(), kernel.End(), [](const auto & value) { return value > 0; }))
  {
    return "the structuring element has no pixels";
  }
  return HasSlantingLines(kernel) ? "the structuring element is made of lines that are not parallel to the axes" : "";
}

/** Converts a structuring element to columns, or to a box if it is one. */
template <typename TKernel>
FlatStructure
MakeFlatStructure(const TKernel & kernel)
{
  FlatStructure structure;
  structure.Radius = GetRadius3(kernel.GetRadius());
  std::vector<std::array<int, 3>> offsets = GetOffsets(kernel);
  if (offsets.size() == kernel.Size())
  {
    return structure;
  }
  std::sort(offsets.begin(), offsets.end(), [](const auto & a, const auto & b) {
    return std::make_tuple(a[2], a[0], a[1]) < std::make_tuple(b[2], b[0], b[1]);
  });
  for (const auto & offset : offsets)
  {
    auto & columns = structure.Columns;
    if (!columns.empty() && columns.back().X == offset[0] && columns.back().Z == offset[2] &&
        columns.back().Last + 1 == offset[1])
    {
      ++columns.back().Last;
    }
    else
    {
      columns.push_back({ offset[0], offset[2], offset[1], offset[1] });
    }
  }
  return structure;
}

/** Returns the recipes for the markers of opening and closing by reconstruction. */
template <typename TKernel>
std::vector<MarkerRecipe>
MakeStructureMarkers(const TKernel & kernel, bool preservesIntensities)
{
  MarkerRecipe marker;
  marker.How = MarkerRecipe::Kind::Structure;
  marker.Offsets = GetOffsets(kernel);
  std::vector<MarkerRecipe> markers{ marker };
  if (preservesIntensities)
  {
    marker.How = MarkerRecipe::Kind::Restore;
    markers.push_back(marker);
  }
  return markers;
}
} // namespace CudaFilters
} // namespace itk

#endif
