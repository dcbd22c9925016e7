// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersReconstructionRule_cuh
#define itkCudaFiltersReconstructionRule_cuh

#include "../Device/PixelOrder.cuh"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** A pixel takes the highest of its own and its neighbours' values, limited by the mask. */
template <typename TPixel>
class ReconstructionRule
{
public:
  using Order = PixelOrder<TPixel>;
  using ValueType = typename Order::ValueType;
  using LimitType = ValueType;
  static constexpr bool DependsOnPlace = false;

  TPixel *       Image;
  const TPixel * Mask;
  ValueType      Flip;

  /** Loads and stores of the image bypass the L1 cache, which does not see the writes of other multiprocessors. The
   * mask does not change, and may be cached. */
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
    ((highest = neighbours.Value > highest ? neighbours.Value : highest), ...);
    return highest < limit ? highest : limit;
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
