// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/MeasurementOperation.h"
#include <algorithm>
#include <numeric>

namespace itk
{
namespace CudaFilters
{
// There can be millions of objects, nearly all of them small: a radix sort is several times as fast as one
// by comparisons.
std::vector<std::size_t>
GetOrderBySize(const std::vector<RelabelledObject> & objects)
{
  constexpr unsigned int digitBits = 11;
  constexpr std::size_t  digits = std::size_t{ 1 } << digitBits;

  std::vector<std::size_t> order(objects.size());
  std::iota(order.begin(), order.end(), std::size_t{ 0 });
  std::uint64_t largest = 0;
  for (const RelabelledObject & object : objects)
  {
    largest = std::max(largest, object.Size);
  }
  std::vector<std::size_t> sorted(objects.size());
  for (unsigned int shift = 0; shift < 64 && largest >> shift != 0; shift += digitBits)
  {
    // The largest digit first.
    const auto getDigit = [&](std::size_t index) {
      return digits - 1 - static_cast<std::size_t>(objects[index].Size >> shift & (digits - 1));
    };
    std::vector<std::size_t> next(digits + 1);
    for (const std::size_t index : order)
    {
      ++next[getDigit(index) + 1];
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (const std::size_t index : order)
    {
      sorted[next[getDigit(index)]++] = index;
    }
    order.swap(sorted);
  }
  return order;
}
} // namespace CudaFilters
} // namespace itk
