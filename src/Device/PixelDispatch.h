// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersPixelDispatch_h
#define itkCudaFiltersPixelDispatch_h

#include "CudaFilters/DeviceError.h"
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
} // namespace CudaFilters
} // namespace itk

#endif
