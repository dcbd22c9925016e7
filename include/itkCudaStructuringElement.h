// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaStructuringElement_h
#define itkCudaStructuringElement_h

#include "itkFlatStructuringElement.h"
#include <array>
#include <type_traits>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** The pixels of a structuring element, as distances from its centre. */
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

/** Whether ITK's filters take a structuring element line by line, along lines that are not parallel to the axes. Then
 * what they do at the edges of the image depends on the lines. */
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
} // namespace CudaFilters
} // namespace itk

#endif
