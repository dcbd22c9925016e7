// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersRunScalarFunction_cuh
#define itkCudaFiltersRunScalarFunction_cuh

#include "PixelFunctions.h"
#include "ScalarPixels.cuh"
#include "CudaFilters/detail/PixelFunctionKernel.cuh"
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** The bits of the output pixel with a value. */
inline std::uint64_t
GetBits(ScalarType type, double value)
{
  std::uint64_t bytes = 0;
  WithScalar(type, [&](auto pixel) {
    pixel = static_cast<decltype(pixel)>(value);
    std::memcpy(&bytes, &pixel, sizeof(pixel));
  });
  return bytes;
}

inline bool
IsAmong(const PixelFunctionParameters & parameters, ScalarType type)
{
  return std::any_of(parameters.Inputs.begin(),
                     parameters.Inputs.begin() + parameters.NumberOfInputs,
                     [type](const ScalarInput & input) { return input.Type == type; });
}

/** Calls a generic function with a value of the type in which C++ computes with the types of the inputs. */
template <typename TFunction>
void
WithValueType(const PixelFunctionParameters & parameters, TFunction function)
{
  // A comparison of a mask is exact: float would not hold all its numbers.
  const bool isMaskOfLargeNumbers =
    parameters.Function == PixelFunction::Mask &&
    (IsAmong(parameters, ScalarType::Signed32) || IsAmong(parameters, ScalarType::Unsigned32));
  if (IsAmong(parameters, ScalarType::Double) || (IsAmong(parameters, ScalarType::Float) && isMaskOfLargeNumbers))
  {
    function(double{});
  }
  else if (IsAmong(parameters, ScalarType::Float))
  {
    function(float{});
  }
  else if (IsAmong(parameters, ScalarType::Unsigned32))
  {
    function(0u);
  }
  else
  {
    function(0);
  }
}

/** Converts the value of a pixel to the type of computation, by way of the pixel's type, as a pixel is read. */
template <typename TValue>
TValue
ToValue(ScalarType type, double pixelValue)
{
  TValue value{};
  WithScalar(type, [&](auto pixel) { value = static_cast<TValue>(static_cast<decltype(pixel)>(pixelValue)); });
  return value;
}

/** Reads an input; images: how many inputs before it are images. */
template <typename TValue>
ScalarReader<TValue>
MakeScalarReader(const RegionOnDevice & region, const ScalarInput & input, unsigned int & images)
{
  if (input.IsConstant)
  {
    return { nullptr, {}, input.Type, ToValue<TValue>(input.Type, input.Constant) };
  }
  const unsigned int i = images++;
  const Region3 &    pixels = region.InputRegions[i];
  const auto * const first = static_cast<const char *>(region.Inputs[i]) +
                             GetFirstPixel(pixels, region.OutputRegion) * GetScalarSize(input.Type);
  return { first, MakeRowStrides(pixels), input.Type, TValue{} };
}

/** Enqueues the computation for pixels that are read as TValue. Small integers are treated 8 or 16 at a time. */
template <typename TValue, typename TFunctor>
void
RunScalarFunction(const Execution &               execution,
                  const RegionOnDevice &          region,
                  const PixelFunctionParameters & parameters,
                  const TFunctor &                functor)
{
  const ScalarWriter writer{ region.Outputs[0], MakeRowStrides(region.OutputRegion), parameters.Output };
  const auto         run = [&](auto width) {
    const auto runWith = [&](const auto &... readers) {
      RunPixelFunctor<decltype(width)::value>(
        execution, MakePixelRows(region), region.OutputRegion, region.OutputRegion, functor, writer, readers...);
    };
    unsigned int               images = 0;
    const ScalarReader<TValue> first = MakeScalarReader<TValue>(region, parameters.Inputs[0], images);
    if constexpr (std::is_invocable<TFunctor, TValue, TValue>::value)
    {
      runWith(first, MakeScalarReader<TValue>(region, parameters.Inputs[1], images));
    }
    else
    {
      runWith(first);
    }
  };
  if constexpr (std::is_same<TValue, int>::value)
  {
    std::size_t largest = GetScalarSize(parameters.Output);
    for (unsigned int i = 0; i < parameters.NumberOfInputs; ++i)
    {
      largest = std::max(largest, GetScalarSize(parameters.Inputs[i].Type));
    }
    if (largest == 1)
    {
      return run(std::integral_constant<int, 16>());
    }
    if (largest == 2)
    {
      return run(std::integral_constant<int, 8>());
    }
  }
  run(std::integral_constant<int, 4>());
}
} // namespace CudaFilters
} // namespace itk

#endif
