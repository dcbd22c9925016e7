// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_ComponentOperation_h
#define CudaFilters_detail_ComponentOperation_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include <cstdint>
#include <functional>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** How pixels are stored, as far as kernels need to know that only tell 0 from other values, or write numbers. */
enum class PixelStorage : std::uint8_t
{
  Integer8,
  Integer16,
  Integer32,
  Integer64,
  Float,
  Double,
  Other
};

template <typename TPixel>
constexpr PixelStorage
GetPixelStorage()
{
  if constexpr (std::is_integral<TPixel>::value)
  {
    return sizeof(TPixel) == 1   ? PixelStorage::Integer8
           : sizeof(TPixel) == 2 ? PixelStorage::Integer16
           : sizeof(TPixel) == 4 ? PixelStorage::Integer32
           : sizeof(TPixel) == 8 ? PixelStorage::Integer64
                                 : PixelStorage::Other;
  }
  else
  {
    return std::is_same<TPixel, float>::value    ? PixelStorage::Float
           : std::is_same<TPixel, double>::value ? PixelStorage::Double
                                                 : PixelStorage::Other;
  }
}

/** Whether pixels of a type can be told from 0, and whether numbers can be written as such pixels. */
template <typename TPixel>
constexpr bool
IsObjectPixel()
{
  return GetPixelStorage<TPixel>() != PixelStorage::Other;
}
template <typename TPixel>
constexpr bool
IsNumberPixel()
{
  return std::is_integral<TPixel>::value && IsObjectPixel<TPixel>();
}

/** The parameters of connected components. */
struct ComponentParameters
{
  unsigned int Dimension = 2;
  bool         IsFull = false; // whether diagonal neighbours are connected
  PixelStorage Input = PixelStorage::Other;
  PixelStorage Output = PixelStorage::Other;
  /** Of the second input, if there is one: only pixels count that are not 0 there. */
  PixelStorage Mask = PixelStorage::Other;
  /** The value of the background in the output, converted. Objects have numbers from 0 on, but not this one. */
  std::uint64_t Background = 0;
  /** The largest number of objects for which the output pixels suffice. */
  std::uint64_t MostObjects = 0;
  /** Called with a number of objects that is larger; throws. */
  std::function<void(std::uint64_t)> ThrowTooMany;
};

/** The operation of connected components: one or two inputs, one output. objects: receives their number. */
CudaFilters_EXPORT OperationPointer
MakeComponentOperation(const ComponentParameters & parameters, std::uint64_t & objects);
} // namespace CudaFilters
} // namespace itk

#endif
