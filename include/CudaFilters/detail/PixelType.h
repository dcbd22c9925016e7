// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_PixelType_h
#define CudaFilters_detail_PixelType_h

#include <cstdint>
#include <type_traits>

/** Applies a macro to each pixel type for which this module has kernels. */
#define CUDAFILTERS_FOR_EACH_PIXEL(macro) \
  macro(unsigned char) macro(unsigned short) macro(short) macro(float) macro(double)

/** Applies a macro to each pair of these types. */
#define CUDAFILTERS_FOR_EACH_PIXEL_PAIR(macro)             \
  CUDAFILTERS_FOR_EACH_SECOND_PIXEL(macro, unsigned char)  \
  CUDAFILTERS_FOR_EACH_SECOND_PIXEL(macro, unsigned short) \
  CUDAFILTERS_FOR_EACH_SECOND_PIXEL(macro, short)          \
  CUDAFILTERS_FOR_EACH_SECOND_PIXEL(macro, float)          \
  CUDAFILTERS_FOR_EACH_SECOND_PIXEL(macro, double)
#define CUDAFILTERS_FOR_EACH_SECOND_PIXEL(macro, first) \
  macro(first, unsigned char) macro(first, unsigned short) macro(first, short) macro(first, float) macro(first, double)

namespace itk
{
namespace CudaFilters
{
/** The pixel types of this module's kernels, by number: the interface between the filters, which are templates, and the
 * operations, which are compiled once. */
enum class PixelType : std::uint8_t
{
  UnsignedChar,
  UnsignedShort,
  Short,
  Float,
  Double,
  Other
};

template <typename TPixel>
constexpr PixelType
GetPixelType()
{
  return std::is_same<TPixel, unsigned char>::value    ? PixelType::UnsignedChar
         : std::is_same<TPixel, unsigned short>::value ? PixelType::UnsignedShort
         : std::is_same<TPixel, short>::value          ? PixelType::Short
         : std::is_same<TPixel, float>::value          ? PixelType::Float
         : std::is_same<TPixel, double>::value         ? PixelType::Double
                                                       : PixelType::Other;
}

template <typename TPixel>
constexpr bool
IsKernelPixel()
{
  return GetPixelType<TPixel>() != PixelType::Other;
}

/** The pixel types of an operation with one kind of input and one kind of output. */
struct PixelTypes
{
  PixelType Input = PixelType::Other;
  PixelType Output = PixelType::Other;
};

/** Those of a filter. */
template <typename TInputImage, typename TOutputImage>
constexpr PixelTypes
GetPixelTypes()
{
  return { GetPixelType<typename TInputImage::PixelType>(), GetPixelType<typename TOutputImage::PixelType>() };
}
} // namespace CudaFilters
} // namespace itk

#endif
