// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersReconstructionRule_cuh
#define itkCudaFiltersReconstructionRule_cuh

#include "PixelOrder.cuh"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** A pixel takes the highest of its neighbours' values, but none above the mask. */
template <typename TPixel>
class ReconstructionRule
{
public:
  using Order = PixelOrder<TPixel>;
  using ValueType = typename Order::ValueType;
  using LimitType = ValueType;

  TPixel *       Image;
  const TPixel * Mask;
  ValueType      Flip;

  /** Loads and stores go past the nearest cache, which does not see what others write. The mask stays as it is. */
  __device__ ValueType
  Load(std::int64_t pixel) const
  {
    return Order::Encode(__ldcg(this->Image + pixel), this->Flip);
  }
  __device__ LimitType
  LoadLimit(std::int64_t pixel) const
  {
    return Order::Encode(__ldg(this->Mask + pixel), this->Flip);
  }
  __device__ void
  Store(std::int64_t pixel, ValueType value) const
  {
    __stcg(this->Image + pixel, Order::Decode(value, this->Flip));
  }
  __device__ static ValueType
  GetValueBeyond()
  {
    return Order::Lowest;
  }
  __device__ static LimitType
  GetLimitBeyond()
  {
    return Order::Lowest;
  }
  template <typename... TNeighbours>
  __device__ static ValueType
  Relax(ValueType value, LimitType limit, TNeighbours... neighbours)
  {
    ValueType highest = value;
    ((highest = neighbours > highest ? neighbours : highest), ...);
    return highest < limit ? highest : limit;
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
