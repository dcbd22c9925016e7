// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "NeighborhoodOperation.cuh"
#include "../Device/PixelDispatch.h"
#include "CudaFilters/detail/MedianOperation.h"
#include "MedianKey.cuh"
#include "SortedMedian.cuh"
#include <memory>

namespace itk
{
namespace CudaFilters
{
namespace
{
constexpr const char * StageName = "median";

/** The median of any box, bit by bit: it is the greatest number below which no more than half of the pixels are. */
template <typename TPixel>
struct MedianOfBox
{
  int Radius[3];

  template <typename TNeighbours>
  __device__ TPixel
  operator()(const TNeighbours & neighbours) const
  {
    using Key = MedianKey<TPixel>;

    const int          half = (2 * this->Radius[0] + 1) * (2 * this->Radius[1] + 1) * (2 * this->Radius[2] + 1) / 2;
    typename Key::Type median = 0;
#pragma unroll 1
    for (int bit = Key::Bits - 1; bit >= 0; --bit)
    {
      const typename Key::Type candidate = median | (typename Key::Type{ 1 } << bit);
      int                      below = 0;
#pragma unroll 1
      for (int z = -this->Radius[2]; z <= this->Radius[2]; ++z)
      {
#pragma unroll 1
        for (int y = -this->Radius[1]; y <= this->Radius[1]; ++y)
        {
#pragma unroll 1
          for (int x = -this->Radius[0]; x <= this->Radius[0]; ++x)
          {
            below += Key::Get(neighbours(x, y, z)) < candidate;
          }
        }
      }
      median = below <= half ? candidate : median;
    }
    return Key::ToPixel(median);
  }
};
/** The median of a square or cube whose radius is VRadius. */
template <int VRadius, int VDimension, typename TPixel>
class SortedMedianOperation : public LocalOperation
{
public:
  SortedMedianOperation(const Size3 & radius, ScalarType output)
    : m_Radius(radius)
    , m_Output(output)
  {}

  Region3
  GetInputRegion(unsigned int, const Region3 & outputRegion) const override
  {
    return Pad(outputRegion, m_Radius);
  }

  void
  RunRegion(Execution & execution, const RegionOnDevice & region) const override
  {
    const StageScope stage(execution, StageName);
    RunSortedMedian<VRadius, VDimension, TPixel>(
      execution, region, m_Radius, ScalarWriter{ region.Outputs[0], MakeRowStrides(region.OutputRegion), m_Output });
  }

private:
  Size3      m_Radius;
  ScalarType m_Output;
};
} // namespace

OperationPointer
MakeMedianOperation(const Size3 & radius, PixelType input, ScalarType output)
{
  return WithPixel(input, [&](auto pixel) -> OperationPointer {
    using Pixel = decltype(pixel);
    if (radius == Size3{ { 1, 1, 0 } })
    {
      return std::make_unique<SortedMedianOperation<1, 2, Pixel>>(radius, output);
    }
    if (radius == Size3{ { 1, 1, 1 } })
    {
      return std::make_unique<SortedMedianOperation<1, 3, Pixel>>(radius, output);
    }
    if (radius == Size3{ { 2, 2, 0 } })
    {
      return std::make_unique<SortedMedianOperation<2, 2, Pixel>>(radius, output);
    }
    if constexpr (sizeof(Pixel) <= 4) // else a thread has not enough registers
    {
      if (radius == Size3{ { 2, 2, 2 } })
      {
        return std::make_unique<SortedMedianOperation<2, 3, Pixel>>(radius, output);
      }
    }
    return MakeNeighborhoodOperation<Pixel>(
      StageName,
      radius,
      MedianOfBox<Pixel>{ { static_cast<int>(radius[0]), static_cast<int>(radius[1]), static_cast<int>(radius[2]) } },
      output);
  });
}
} // namespace CudaFilters
} // namespace itk
