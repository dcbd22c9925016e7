// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_CommonUnit_h
#define CudaFilters_detail_CommonUnit_h

#include <algorithm>
#include <cmath>

namespace itk
{
namespace CudaFilters
{
/** The unit of which all spacings are multiples, up to a relative error of 1e-12: the smallest one, or a part of it, at
 * least a sixteenth. Returns 0 if there is none. */
inline double
FindCommonUnit(const double * spacings, unsigned int number)
{
  constexpr int    mostParts = 16;
  constexpr double mostError = 1e-12;
  const double     smallest = *std::min_element(spacings, spacings + number);
  for (int parts = 1; parts <= mostParts; ++parts)
  {
    const double unit = smallest / parts;
    if (std::all_of(spacings, spacings + number, [&](double spacing) {
          return std::abs(std::round(spacing / unit) * unit - spacing) <= mostError * spacing;
        }))
    {
      return unit;
    }
  }
  return 0.0;
}
} // namespace CudaFilters
} // namespace itk

#endif
