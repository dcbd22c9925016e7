// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "../PixelFunctions/ScalarPixels.cuh"
#include "CudaFilters/Reduction.cuh"
#include "CudaFilters/detail/StatisticsOperation.h"
#include <cstdint>
#include <limits>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** Reads pixels of a type that is known at run time only as TValue. */
template <typename TValue>
struct ScalarLeafReader
{
  using ValueType = TValue;

  const void * Pixels;
  std::int64_t Start;
  ScalarType   Type;

  __device__ void
  Load(LeafPixels<TValue> & pixels, std::int64_t number, int count) const
  {
    WithScalar(this->Type, [&](auto pixel) {
      using Pixel = decltype(pixel);
      if constexpr (IsReadable<Pixel, TValue>)
      {
        LeafReader<Pixel>{ static_cast<const Pixel *>(this->Pixels), this->Start }.Load(pixels, number, count);
      }
    });
  }
};

template <typename TValue>
struct Extremes
{
  TValue Minimum;
  TValue Maximum;
};

template <typename TValue>
struct ExtremesReducer
{
  using ValueType = Extremes<TValue>;

  CUDAFILTERS_HOST_DEVICE ValueType
  GetIdentity() const
  {
    return { HighestOfAll, LowestOfAll };
  }
  CUDAFILTERS_HOST_DEVICE ValueType
  Transform(TValue pixel) const
  {
    return { pixel, pixel };
  }
  // A comparison with NaN is false: it replaces nothing.
  CUDAFILTERS_HOST_DEVICE ValueType
  Combine(const ValueType & a, const ValueType & b) const
  {
    return { b.Minimum < a.Minimum ? b.Minimum : a.Minimum, b.Maximum > a.Maximum ? b.Maximum : a.Maximum };
  }

  static constexpr TValue HighestOfAll = std::numeric_limits<TValue>::max();
  static constexpr TValue LowestOfAll = std::numeric_limits<TValue>::lowest();
};

/** Sums of small integers are exact. */
template <typename TValue>
using SumOf = std::conditional_t<std::is_integral<TValue>::value, std::int64_t, double>;

/** A sum of squares of small integers, which may exceed 64 bits. */
struct WideSum
{
  std::uint64_t Low;
  std::uint64_t High;

  CUDAFILTERS_HOST_DEVICE friend WideSum
  operator+(const WideSum & a, const WideSum & b)
  {
    const std::uint64_t low = a.Low + b.Low;
    return { low, a.High + b.High + (low < a.Low ? 1 : 0) };
  }

  explicit operator double() const
  {
    return static_cast<double>(this->High) * 18446744073709551616.0 + static_cast<double>(this->Low);
  }
};

template <typename TValue>
using SumOfSquaresOf = std::conditional_t<std::is_integral<TValue>::value, WideSum, double>;

CUDAFILTERS_HOST_DEVICE inline WideSum
Square(int value)
{
  return { static_cast<std::uint64_t>(static_cast<std::int64_t>(value) * value), 0 };
}
CUDAFILTERS_HOST_DEVICE inline double
Square(double value)
{
  return value * value;
}

template <typename TValue>
struct Moments
{
  Extremes<TValue>       Range;
  SumOf<TValue>          Sum;
  SumOfSquaresOf<TValue> SumOfSquares;
};

template <typename TValue>
struct MomentsReducer
{
  using ValueType = Moments<TValue>;

  CUDAFILTERS_HOST_DEVICE ValueType
  GetIdentity() const
  {
    return { ExtremesReducer<TValue>().GetIdentity(), 0, {} };
  }
  CUDAFILTERS_HOST_DEVICE ValueType
  Transform(TValue pixel) const
  {
    using Number = std::conditional_t<std::is_integral<TValue>::value, int, double>;
    return { { pixel, pixel }, static_cast<SumOf<TValue>>(pixel), Square(static_cast<Number>(pixel)) };
  }
  CUDAFILTERS_HOST_DEVICE ValueType
  Combine(const ValueType & a, const ValueType & b) const
  {
    return { ExtremesReducer<TValue>().Combine(a.Range, b.Range), a.Sum + b.Sum, a.SumOfSquares + b.SumOfSquares };
  }
};

struct OutOfRangeReducer
{
  using ValueType = OutOfRangeCounts;

  ShiftAndScale Parameters;

  CUDAFILTERS_HOST_DEVICE ValueType
  GetIdentity() const
  {
    return { 0, 0 };
  }
  CUDAFILTERS_HOST_DEVICE ValueType
  Transform(double pixel) const
  {
    const double value = (pixel + this->Parameters.Shift) * this->Parameters.Scale;
    const bool   isBelow = value < this->Parameters.Lower;
    const bool   isAbove = value > this->Parameters.Upper;
    return { isBelow, isAbove };
  }
  CUDAFILTERS_HOST_DEVICE ValueType
  Combine(const ValueType & a, const ValueType & b) const
  {
    return { a.Below + b.Below, a.Above + b.Above };
  }
};

template <typename TValue>
PixelStatistics
MakeStatistics(const Extremes<TValue> & range)
{
  PixelStatistics statistics;
  statistics.Minimum = static_cast<double>(range.Minimum);
  statistics.Maximum = static_cast<double>(range.Maximum);
  return statistics;
}

template <typename TValue>
PixelStatistics
MakeStatistics(const Moments<TValue> & moments)
{
  PixelStatistics statistics = MakeStatistics(moments.Range);
  statistics.Sum = static_cast<double>(moments.Sum);
  statistics.SumOfSquares = static_cast<double>(moments.SumOfSquares);
  return statistics;
}

/** Reduces pixels, and converts the result. */
template <typename TReducer, typename TMakeReader>
class StatisticsOperation : public TypedReductionOperation<TReducer, TMakeReader>
{
public:
  StatisticsOperation(const Region3 & region, const TMakeReader & makeReader, PixelStatistics & result)
    : TypedReductionOperation<TReducer, TMakeReader>(TReducer(), region, region, makeReader, m_Value)
    , m_Result(result)
  {}

protected:
  void
  TakeValues(const void * values, std::int64_t count) override
  {
    TypedReductionOperation<TReducer, TMakeReader>::TakeValues(values, count);
    m_Result = MakeStatistics(m_Value);
  }

private:
  typename TReducer::ValueType m_Value;
  PixelStatistics &            m_Result;
};

template <template <typename> class TReducer, typename TValue>
OperationPointer
MakeOperationFor(ScalarType type, const Region3 & region, PixelStatistics & result)
{
  const auto makeReader = [type](const LeavesOnDevice & leaves) {
    return ScalarLeafReader<TValue>{ leaves.Pixels, leaves.Start, type };
  };
  return std::make_unique<StatisticsOperation<TReducer<TValue>, decltype(makeReader)>>(region, makeReader, result);
}

/** Small integers are read as int, float as float, all others as double, which holds them exactly. */
template <template <typename> class TReducer>
OperationPointer
MakeOperation(ScalarType type, const Region3 & region, PixelStatistics & result)
{
  switch (type)
  {
    case ScalarType::Unsigned8:
    case ScalarType::Signed8:
    case ScalarType::Unsigned16:
    case ScalarType::Signed16:
      return MakeOperationFor<TReducer, int>(type, region, result);
    case ScalarType::Float:
      return MakeOperationFor<TReducer, float>(type, region, result);
    default:
      return MakeOperationFor<TReducer, double>(type, region, result);
  }
}
} // namespace

OperationPointer
MakeOutOfRangeOperation(ScalarType            type,
                        const Region3 &       region,
                        const ShiftAndScale & parameters,
                        OutOfRangeCounts &    result)
{
  const auto makeReader = [type](const LeavesOnDevice & leaves) {
    return ScalarLeafReader<double>{ leaves.Pixels, leaves.Start, type };
  };
  return MakeTypedReduction(OutOfRangeReducer{ parameters }, region, region, makeReader, result);
}

OperationPointer
MakeStatisticsOperation(ScalarType type, const Region3 & region, PixelStatistics & result)
{
  return MakeOperation<MomentsReducer>(type, region, result);
}

OperationPointer
MakeMinimumMaximumOperation(ScalarType type, const Region3 & region, PixelStatistics & result)
{
  return MakeOperation<ExtremesReducer>(type, region, result);
}
} // namespace CudaFilters
} // namespace itk
