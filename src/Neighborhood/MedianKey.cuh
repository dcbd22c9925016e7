// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersMedianKey_cuh
#define itkCudaFiltersMedianKey_cuh

#include "CudaFilters/Launch.cuh"
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** Unsigned integers in the order of the pixels. */
template <typename TPixel>
struct MedianKey
{
  using Type = std::conditional_t<sizeof(TPixel) == 8, std::uint64_t, std::uint32_t>;

  static constexpr int  Bits = 8 * sizeof(TPixel);
  static constexpr Type Sign = Type{ 1 } << (Bits - 1);
  /** What turns the bits of an integer into its key, and back. */
  static constexpr Type Flip = std::is_integral<TPixel>::value && std::is_signed<TPixel>::value ? Sign : 0;

  __device__ static Type
  Get(TPixel pixel)
  {
    if constexpr (std::is_integral<TPixel>::value)
    {
      return static_cast<Type>(static_cast<std::make_unsigned_t<TPixel>>(pixel)) ^ Flip;
    }
    else
    {
      Type bits;
      std::memcpy(&bits, &pixel, sizeof(bits));
      return (bits & Sign) != 0 ? ~bits : bits | Sign;
    }
  }

  __device__ static TPixel
  ToPixel(Type key)
  {
    if constexpr (std::is_integral<TPixel>::value)
    {
      return static_cast<TPixel>(key ^ Flip);
    }
    else
    {
      const Type bits = (key & Sign) != 0 ? key ^ Sign : ~key;
      TPixel     pixel;
      std::memcpy(&pixel, &bits, sizeof(pixel));
      return pixel;
    }
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
