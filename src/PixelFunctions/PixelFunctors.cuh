// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersPixelFunctors_cuh
#define itkCudaFiltersPixelFunctors_cuh

// The functions of PixelFunctionOperation.h. TValue is the type in which C++ computes with the types of the inputs:
// int, unsigned int, float or double. Sums and products of int wrap around.

#include "ScalarPixels.cuh"
#include "CudaFilters/detail/PixelFunctionOperation.h"
#include <cmath>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** The type in which integers wrap around without undefined behaviour. */
template <typename TValue>
using Wrapping = std::conditional_t<std::is_integral<TValue>::value, unsigned int, TValue>;

template <typename TValue>
struct CastFunctor
{
  __device__ TValue
  operator()(TValue a) const
  {
    return a;
  }
};

/** The absolute value of the lowest int is no int, and unsigned as in ITK. */
template <typename TValue>
struct AbsFunctor
{
  __device__ Wrapping<TValue>
             operator()(TValue a) const
  {
    if constexpr (std::is_floating_point<TValue>::value)
    {
      return std::fabs(a);
    }
    else
    {
      const auto magnitude = static_cast<unsigned int>(a);
      return std::is_signed<TValue>::value && static_cast<int>(a) < 0 ? 0u - magnitude : magnitude;
    }
  }
};

template <typename TValue>
struct AddFunctor
{
  __device__ TValue
  operator()(TValue a, TValue b) const
  {
    return static_cast<TValue>(static_cast<Wrapping<TValue>>(a) + static_cast<Wrapping<TValue>>(b));
  }
};

template <typename TValue>
struct SubtractFunctor
{
  __device__ TValue
  operator()(TValue a, TValue b) const
  {
    return static_cast<TValue>(static_cast<Wrapping<TValue>>(a) - static_cast<Wrapping<TValue>>(b));
  }
};

template <typename TValue>
struct MultiplyFunctor
{
  __device__ TValue
  operator()(TValue a, TValue b) const
  {
    return static_cast<TValue>(static_cast<Wrapping<TValue>>(a) * static_cast<Wrapping<TValue>>(b));
  }
};

template <typename TValue>
struct DivideFunctor
{
  double        ZeroTolerance;
  std::uint64_t Outside;

  __device__ std::uint64_t
             GetBits(int) const
  {
    return this->Outside;
  }
  __device__ NumberOrChoice<TValue>
             operator()(TValue a, TValue b) const
  {
    if constexpr (std::is_floating_point<TValue>::value)
    {
      return { a / b, std::fabs(static_cast<double>(b)) <= this->ZeroTolerance };
    }
    else
    {
      if (b == TValue{ 0 })
      {
        return { TValue{ 0 }, 1 };
      }
      // The lowest int by -1 wraps around, too.
      return { std::is_signed<TValue>::value && b == static_cast<TValue>(-1)
                 ? static_cast<TValue>(0u - static_cast<unsigned int>(a))
                 : static_cast<TValue>(a / b),
               0 };
    }
  }
};

template <typename TValue>
struct MaximumFunctor
{
  __device__ TValue
  operator()(TValue a, TValue b) const
  {
    return a > b ? a : b;
  }
};

template <typename TValue>
struct MinimumFunctor
{
  __device__ TValue
  operator()(TValue a, TValue b) const
  {
    return a < b ? a : b;
  }
};

template <typename TValue>
struct BinaryThresholdFunctor
{
  TValue        Lower;
  TValue        Upper;
  std::uint64_t Inside;
  std::uint64_t Outside;

  __device__ std::uint64_t
             GetBits(int choice) const
  {
    return choice != 0 ? this->Inside : this->Outside;
  }
  __device__ ChosenPixel
  operator()(TValue a) const
  {
    if constexpr (std::is_integral<TValue>::value)
    {
      // With one comparison: numbers below the lower limit become large ones.
      const auto lower = static_cast<unsigned int>(this->Lower);
      return { static_cast<unsigned int>(a) - lower <= static_cast<unsigned int>(this->Upper) - lower };
    }
    else
    {
      return { this->Lower <= a && a <= this->Upper };
    }
  }
};

template <typename TValue>
struct ThresholdFunctor
{
  TValue        Lower;
  TValue        Upper;
  std::uint64_t Outside;

  __device__ std::uint64_t
             GetBits(int) const
  {
    return this->Outside;
  }
  __device__ NumberOrChoice<TValue>
             operator()(TValue a) const
  {
    return { a, !(this->Lower <= a && a <= this->Upper) };
  }
};

template <typename TValue>
struct MaskFunctor
{
  TValue        MaskingValue;
  bool          IsNegated;
  std::uint64_t Outside;

  __device__ std::uint64_t
             GetBits(int) const
  {
    return this->Outside;
  }
  __device__ NumberOrChoice<TValue>
             operator()(TValue a, TValue mask) const
  {
    return { a, (mask == this->MaskingValue) != this->IsNegated };
  }
};

// ITK computes these with double for all types.

struct LabelFunctor
{
  static constexpr int MostThresholds = PixelFunctionParameters::MostThresholds;

  int           Number; // of thresholds
  double        Thresholds[MostThresholds];
  std::uint64_t Labels[MostThresholds + 1];

  __device__ std::uint64_t
             GetBits(int choice) const
  {
    return this->Labels[choice];
  }
  __device__ ChosenPixel
  operator()(double a) const
  {
    int choice = 0;
    for (int i = 0; i < this->Number; ++i)
    {
      choice += a <= this->Thresholds[i] ? 0 : 1;
    }
    return { choice };
  }
};

struct SquareFunctor
{
  __device__ double
  operator()(double a) const
  {
    return a * a;
  }
};

struct SqrtFunctor
{
  __device__ double
  operator()(double a) const
  {
    return std::sqrt(a);
  }
};

struct ExpFunctor
{
  __device__ double
  operator()(double a) const
  {
    return std::exp(a);
  }
};

struct LogFunctor
{
  __device__ double
  operator()(double a) const
  {
    return std::log(a);
  }
};

struct AbsoluteDifferenceFunctor
{
  __device__ double
  operator()(double a, double b) const
  {
    const double difference = a - b;
    return difference > 0.0 ? difference : -difference;
  }
};

struct LinearFunctor
{
  double        Factor;
  double        Offset;
  std::uint64_t LowerBits;
  std::uint64_t UpperBits;

  __device__ NumberToClamp
  operator()(double a) const
  {
    return { a * this->Factor + this->Offset };
  }
};

struct ShiftScaleFunctor
{
  double        Shift;
  double        Scale;
  double        Lower;
  double        Upper;
  std::uint64_t LowerBits;
  std::uint64_t UpperBits;

  __device__ std::uint64_t
             GetBits(int choice) const
  {
    return choice == 1 ? this->LowerBits : this->UpperBits;
  }
  __device__ NumberOrChoice<double>
             operator()(double a) const
  {
    const double value = (a + this->Shift) * this->Scale;
    return { value, value < this->Lower ? 1 : (value > this->Upper ? 2 : 0) };
  }
};

struct WindowFunctor
{
  double        Lower;
  double        Upper;
  double        Factor;
  double        Offset;
  std::uint64_t Below;
  std::uint64_t Above;

  __device__ std::uint64_t
             GetBits(int choice) const
  {
    return choice == 1 ? this->Below : this->Above;
  }
  __device__ NumberOrChoice<double>
             operator()(double a) const
  {
    return { a * this->Factor + this->Offset, a < this->Lower ? 1 : (a > this->Upper ? 2 : 0) };
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
