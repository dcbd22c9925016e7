// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_PixelFunctionOperation_h
#define CudaFilters_detail_PixelFunctionOperation_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/ScalarType.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** The functions of one or two pixels that this library has kernels for, for pixel types that are known at run time.
 * (PixelFunction.h is for functors of users, TextFunction.h for texts.) Each computes what ITK's filter of that name
 * does, in the types in which C++ would compute it. */
enum class PixelFunction : std::uint8_t
{
  Abs,
  AbsoluteDifference,
  Add,
  BinaryThreshold,
  Cast,
  Divide,
  Exp,
  LabelByThresholds,
  Linear,
  Log,
  Mask,
  Maximum,
  Minimum,
  Multiply,
  ShiftScale,
  Sqrt,
  Square,
  Subtract,
  Threshold,
  Window
};

/** An input of a function: the pixels of an image, or a constant of the same type. */
struct ScalarInput
{
  ScalarType Type = ScalarType::Other;
  bool       IsConstant = false;
  double     Constant = 0.0;
};

struct PixelFunctionParameters
{
  PixelFunction              Function = PixelFunction::Cast;
  unsigned int               NumberOfInputs = 1;
  std::array<ScalarInput, 2> Inputs;
  ScalarType                 Output = ScalarType::Other;

  /** BinaryThreshold, Threshold, Window: the range of input pixels, limits included. */
  double Lower = 0.0;
  double Upper = 0.0;

  /** Linear, ShiftScale: the range of output pixels. */
  double OutputLower = 0.0;
  double OutputUpper = 0.0;

  /** BinaryThreshold: the output for pixels in the range. */
  double Inside = 0.0;
  /** BinaryThreshold, Threshold: the output for other pixels. Mask: that where the mask has MaskingValue. Divide: that
   * for a divisor of zero. */
  double Outside = 0.0;

  /** Window: the outputs below and above the range. */
  double Below = 0.0;
  double Above = 0.0;

  /** Linear, Window: pixel * Factor + Offset. */
  double Factor = 1.0;
  double Offset = 0.0;

  /** ShiftScale: (pixel + Shift) * Scale. */
  double Shift = 0.0;
  double Scale = 1.0;

  /** Mask: the value of the mask for Outside; if IsMaskNegated, for all others. */
  double MaskingValue = 0.0;
  bool   IsMaskNegated = false;

  /** Divide: divisors up to this magnitude count as zero. */
  double ZeroTolerance = 0.0;

  /** LabelByThresholds: numbers in ascending order, and the outputs, one more, of pixels up to the first number, up to
   * the second one, and so on. NaN gets the last one. */
  static constexpr std::size_t MostThresholds = 16;
  std::vector<double>          Thresholds;
  std::vector<double>          Labels;
};

/** Empty if there is a kernel for the types, else the reason. */
CudaFilters_EXPORT std::string
                   GetUnsupportedReason(const PixelFunctionParameters & parameters);

/** Inputs of the operation are those that are no constants. */
CudaFilters_EXPORT OperationPointer
MakePixelFunctionOperation(const PixelFunctionParameters & parameters);
} // namespace CudaFilters
} // namespace itk

#endif
