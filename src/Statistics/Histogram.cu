// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "../Device/Copy.h"
#include "../Device/Launch.h"
#include "../PixelFunctions/ScalarPixels.cuh"
#include "CudaFilters/Binning.cuh"
#include "CudaFilters/detail/HistogramOperation.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** Numbers below the lowest one become bins that do not exist, too. */
struct ValueBinner
{
  static constexpr bool SkipsOtherBins = true;

  unsigned int Lowest;

  __device__ unsigned int
  operator()(int value) const
  {
    return static_cast<unsigned int>(value) - this->Lowest;
  }
};

class ValueCountOperation : public BinningOperation
{
public:
  ValueCountOperation(ScalarType type, const Region3 & region, std::int64_t lowest, std::vector<std::int64_t> & counts)
    : BinningOperation(region, counts)
    , m_Type(type)
    , m_Binner{ static_cast<unsigned int>(lowest) }
  {}

protected:
  void
  AddPixels(Execution & execution, const PixelsOnDevice & pixels, const BinsOnDevice & bins) const override
  {
    switch (m_Type)
    {
      case ScalarType::Unsigned8:
        this->AddTypedPixels<unsigned char>(execution, pixels, bins);
        break;
      case ScalarType::Signed8:
        this->AddTypedPixels<signed char>(execution, pixels, bins);
        break;
      case ScalarType::Unsigned16:
        this->AddTypedPixels<unsigned short>(execution, pixels, bins);
        break;
      default:
        this->AddTypedPixels<short>(execution, pixels, bins);
    }
  }

private:
  template <typename TPixel>
  void
  AddTypedPixels(Execution & execution, const PixelsOnDevice & pixels, const BinsOnDevice & bins) const
  {
    const PixelReader<TPixel> reader{ static_cast<const TPixel *>(pixels.Pixels), {}, {} };
    RunBinning<16 / sizeof(TPixel)>(execution, pixels.Region, pixels.Region, m_Binner, reader, bins);
  }

  ScalarType  m_Type;
  ValueBinner m_Binner;
};

/** Finds the bin of a number as itk::Statistics::Histogram::GetIndex() does. */
struct BoundsBinner
{
  const double * Minimums;
  const double * Maximums;
  double         Lower;
  double         BinsPerUnit;
  int            Number;
  bool           ClipBinsAtEnds;
  /** Numbers from the upper bound of the last bin up to this one belong to it. */
  double Last;

  __device__ int
  operator()(double value) const
  {
    if (value < this->Minimums[0])
    {
      return this->ClipBinsAtEnds ? static_cast<int>(NoBin) : 0;
    }
    int end = this->Number - 1;
    if (value >= this->Maximums[end])
    {
      return this->ClipBinsAtEnds && value > this->Last ? static_cast<int>(NoBin) : end;
    }
    // Nearly all numbers are inside the bin that a division finds. Bounds are rounded, and NaN has no bin: for others,
    // the search that ITK does.
    const double guess = (value - this->Lower) * this->BinsPerUnit;
    const int    guessedBin = guess >= 0.0 && guess < this->Number ? static_cast<int>(guess) : 0;
    if (value > this->Minimums[guessedBin] && value < this->Maximums[guessedBin])
    {
      return guessedBin;
    }
    int begin = 0;
    int middle = (end + 1) / 2;
    while (begin <= end)
    {
      const double bound = this->Minimums[middle];
      if (value < bound)
      {
        end = middle - 1;
      }
      else if (value > bound)
      {
        if (value < this->Maximums[middle])
        {
          return middle;
        }
        begin = middle + 1;
      }
      else
      {
        return middle;
      }
      middle = begin + (end - begin) / 2;
    }
    return static_cast<int>(NoBin);
  }
};

class HistogramOperation : public BinningOperation
{
public:
  HistogramOperation(ScalarType                  type,
                     const Region3 &             region,
                     const HistogramBins &       bins,
                     std::vector<std::int64_t> & counts)
    : BinningOperation(region, counts)
    , m_Type(type)
    , m_Bins(bins)
  {}

  std::size_t
  GetScratchBytes(const RegionPlan & plan) const override
  {
    return BinningOperation::GetScratchBytes(plan) + 2 * m_Bins.Minimums.size() * sizeof(double);
  }

protected:
  void
  AddPixels(Execution & execution, const PixelsOnDevice & pixels, const BinsOnDevice & bins) const override
  {
    const std::size_t                   number = m_Bins.Minimums.size();
    const std::unique_ptr<DeviceBuffer> buffer = execution.Allocate(2 * number * sizeof(double));
    auto * const                        bounds = static_cast<double *>(buffer->GetPointer());
    CopyToDevice(bounds, m_Bins.Minimums.data(), number * sizeof(double), *execution.GetStream());
    CopyToDevice(bounds + number, m_Bins.Maximums.data(), number * sizeof(double), *execution.GetStream());
    const double               lower = m_Bins.Minimums.front();
    const double               upper = m_Bins.Maximums.back();
    const BoundsBinner         binner{ bounds,
                               bounds + number,
                               lower,
                               upper > lower ? static_cast<double>(number) / (upper - lower) : 0.0,
                               static_cast<int>(number),
                               m_Bins.ClipBinsAtEnds,
                               FindLastEqual(upper) };
    const ScalarReader<double> reader{ pixels.Pixels, {}, m_Type, 0.0 };
    RunBinning<4>(execution, pixels.Region, pixels.Region, binner, reader, bins);
  }

private:
  /** The greatest number that Math::AlmostEquals() takes for a bound: 4 steps above it, or a tenth of epsilon. */
  static double
  FindLastEqual(double bound)
  {
    double last = bound;
    for (int i = 0; i < 4; ++i)
    {
      last = std::nextafter(last, std::numeric_limits<double>::infinity());
    }
    return std::max(last, bound + 0.1 * std::numeric_limits<double>::epsilon());
  }

  ScalarType    m_Type;
  HistogramBins m_Bins;
};
} // namespace

OperationPointer
MakeValueCountOperation(ScalarType                  type,
                        const Region3 &             region,
                        std::int64_t                lowest,
                        std::vector<std::int64_t> & counts)
{
  return std::make_unique<ValueCountOperation>(type, region, lowest, counts);
}

OperationPointer
MakeHistogramOperation(ScalarType                  type,
                       const Region3 &             region,
                       const HistogramBins &       bins,
                       std::vector<std::int64_t> & counts)
{
  return std::make_unique<HistogramOperation>(type, region, bins, counts);
}
} // namespace CudaFilters
} // namespace itk
