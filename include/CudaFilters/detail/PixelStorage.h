// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_PixelStorage_h
#define CudaFilters_detail_PixelStorage_h

#include <cstdint>
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

} // namespace CudaFilters
} // namespace itk

#endif
