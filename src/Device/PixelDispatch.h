// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersPixelDispatch_h
#define itkCudaFiltersPixelDispatch_h

#include "CudaFilters/DeviceError.h"
#include "CudaFilters/detail/PixelStorage.h"
#include "CudaFilters/detail/PixelType.h"

namespace itk
{
namespace CudaFilters
{
/** Calls a generic function with a value of the C++ type that a PixelType denotes, and returns its result:
 * WithPixel(type, [](auto pixel) { using PixelType = decltype(pixel); ... }) */
template <typename TFunction>
auto
WithPixel(PixelType type, TFunction function) -> decltype(function(float{}))
{
  switch (type)
  {
    case PixelType::UnsignedChar:
      return function(static_cast<unsigned char>(0));
    case PixelType::UnsignedShort:
      return function(static_cast<unsigned short>(0));
    case PixelType::Short:
      return function(static_cast<short>(0));
    case PixelType::Float:
      return function(0.0f);
    case PixelType::Double:
      return function(0.0);
    case PixelType::Other:
      break;
  }
  throw DeviceError(DeviceError::Kind::Unsuited, "there is no kernel for the pixel type");
}

/** The same for the types of input and output: function(inputPixel, outputPixel). */
template <typename TFunction>
auto
WithPixels(const PixelTypes & types, TFunction function) -> decltype(function(float{}, float{}))
{
  return WithPixel(types.Input, [&](auto input) {
    return WithPixel(types.Output, [&](auto output) { return function(input, output); });
  });
}

/** Calls a function with a value of the type by which kernels know integers that are stored alike. */
template <typename TFunction>
void
WithInteger(PixelStorage storage, TFunction function)
{
  switch (storage)
  {
    case PixelStorage::Integer8:
      return function(std::uint8_t{});
    case PixelStorage::Integer16:
      return function(std::uint16_t{});
    case PixelStorage::Integer32:
      return function(std::uint32_t{});
    case PixelStorage::Integer64:
      return function(std::uint64_t{});
    default:
      throw DeviceError(DeviceError::Kind::Unsuited, "there is no kernel for the pixel type");
  }
}

/** The same for all types. */
template <typename TFunction>
void
WithStored(PixelStorage storage, TFunction function)
{
  storage == PixelStorage::Float    ? function(float{})
  : storage == PixelStorage::Double ? function(double{})
                                    : WithInteger(storage, function);
}
} // namespace CudaFilters
} // namespace itk

#endif
