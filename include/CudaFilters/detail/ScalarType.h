// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_ScalarType_h
#define CudaFilters_detail_ScalarType_h

#include "CudaFilters/HostDevice.h"
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** The pixel types that kernels read and write by number, so that one kernel serves all combinations of types. */
enum class ScalarType : std::uint8_t
{
  Unsigned8,
  Signed8,
  Unsigned16,
  Signed16,
  Unsigned32,
  Signed32,
  Float,
  Double,
  Other
};

template <typename TPixel>
constexpr ScalarType
GetScalarType()
{
  if constexpr (std::is_integral<TPixel>::value && !std::is_same<TPixel, bool>::value)
  {
    constexpr bool isSigned = std::is_signed<TPixel>::value;
    return sizeof(TPixel) == 1   ? (isSigned ? ScalarType::Signed8 : ScalarType::Unsigned8)
           : sizeof(TPixel) == 2 ? (isSigned ? ScalarType::Signed16 : ScalarType::Unsigned16)
           : sizeof(TPixel) == 4 ? (isSigned ? ScalarType::Signed32 : ScalarType::Unsigned32)
                                 : ScalarType::Other;
  }
  else
  {
    return std::is_same<TPixel, float>::value    ? ScalarType::Float
           : std::is_same<TPixel, double>::value ? ScalarType::Double
                                                 : ScalarType::Other;
  }
}

/** Calls a generic function with a value of the C++ type that a ScalarType, other than Other, denotes: on the host, or
 * in a kernel. */
#if defined(__CUDACC__)
#  pragma nv_exec_check_disable
#endif
template <typename TFunction>
CUDAFILTERS_HOST_DEVICE void
WithScalar(ScalarType type, TFunction && function)
{
  switch (type)
  {
    case ScalarType::Unsigned8:
      return function(std::uint8_t{});
    case ScalarType::Signed8:
      return function(std::int8_t{});
    case ScalarType::Unsigned16:
      return function(std::uint16_t{});
    case ScalarType::Signed16:
      return function(std::int16_t{});
    case ScalarType::Unsigned32:
      return function(std::uint32_t{});
    case ScalarType::Signed32:
      return function(std::int32_t{});
    case ScalarType::Float:
      return function(float{});
    case ScalarType::Double:
      return function(double{});
    case ScalarType::Other:
      return;
  }
}

/** The bytes of a pixel, or 0 for Other. */
inline std::size_t
GetScalarSize(ScalarType type)
{
  std::size_t size = 0;
  WithScalar(type, [&](auto pixel) { size = sizeof(pixel); });
  return size;
}
} // namespace CudaFilters
} // namespace itk

#endif
