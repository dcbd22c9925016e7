// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersOffsetRule_cuh
#define itkCudaFiltersOffsetRule_cuh

// The wavefront transform: offsets to sites that propagate from neighbour to neighbour, until no pixel finds a nearer
// site in this way. Its results are approximate, since the nearest site of a pixel need not be that of a neighbour.

#include "../Wavefront/TileStorage.cuh"
#include "LineSites.cuh"
#include <cstdint>
#include <limits>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** The offset from a pixel to a site, as one number: x + y 2^n + z 2^2n, with signs. So a step to a neighbour is one
 * addition. */
template <int VDimension>
struct OffsetCode
{
  using Type = std::conditional_t<VDimension == 2, int, long long>;

  /** In which sums may overflow. */
  using Unsigned = std::make_unsigned_t<Type>;

  /** Each part but the last one has so many bits. */
  static constexpr int BitsPerPart = VDimension == 2 ? 16 : 21;
  /** Images are at most as long along each axis. */
  static constexpr int LongestAxis = 1 << (BitsPerPart - 1);

  /** No site has reached the pixel. */
  static constexpr Type None = std::numeric_limits<Type>::min();
  /** The pixel is outside the image. */
  static constexpr Type Beyond = None + 1;

  /** The offset to oneself. */
  static constexpr Type Zero = 0;

  /** An offset that is larger by a step. Of a code that is no offset, the result has no meaning. */
  __device__ static Type
  Add(Type code, int x, int y, int z)
  {
    constexpr Type perY = Type{ 1 } << BitsPerPart;
    constexpr Type perZ = VDimension == 2 ? 0 : perY * perY;
    return static_cast<Type>(static_cast<Unsigned>(code) + static_cast<Unsigned>(x + y * perY + z * perZ));
  }

  /** Whether a code is that of an offset. */
  __device__ static bool
  IsOffset(Type code)
  {
    return code > Beyond;
  }

  /** Removes the first part of an offset, and returns it. */
  __device__ static int
  TakePart(Type & code)
  {
    constexpr int bits = 8 * static_cast<int>(sizeof(Type)) - BitsPerPart;
    const Type    part = static_cast<Type>(static_cast<Unsigned>(code) << bits) >> bits;
    code = static_cast<Type>(static_cast<Unsigned>(code) - static_cast<Unsigned>(part)) >> BitsPerPart;
    return static_cast<int>(part);
  }
};

/** A pixel takes the nearest one among its own site and those of its neighbours. A rule for TileRelaxation. */
template <typename TCost, int VDimension>
class OffsetRule
{
public:
  using Code = OffsetCode<VDimension>;
  using ValueType = typename Code::Type;
  using LimitType = NoLimit;
  static constexpr bool DependsOnPlace = true;

  ValueType * Offsets;
  TCost       Weights[3]; // squared spacings

  /** The values bypass the L1 cache, which does not see the writes of other multiprocessors. */
  __device__ ValueType
  Load(std::int64_t pixel) const
  {
    return __ldcg(this->Offsets + pixel);
  }
  __device__ static NoLimit
  LoadLimit(std::int64_t)
  {
    return {};
  }
  __device__ void
  Store(std::int64_t pixel, ValueType value) const
  {
    __stcg(this->Offsets + pixel, value);
  }
  __device__ static ValueType
  GetValueBeyond()
  {
    return Code::Beyond;
  }
  __device__ static NoLimit
  GetLimitBeyond()
  {
    return {};
  }
  template <typename... TNeighbours>
  __device__ ValueType
  Relax(ValueType value, NoLimit, TNeighbours... neighbours) const
  {
    // A pixel outside the image stays as it is. Offsets from there, and their lengths, may overflow.
    TCost      least = value == Code::Beyond ? Lowest : this->GetSquaredDistance(value);
    const auto compare = [&](const Neighbour<ValueType> & neighbour) {
      const ValueType offset = Code::Add(neighbour.Value, neighbour.X, neighbour.Y, neighbour.Z);
      const TCost     distance = this->GetSquaredLength(offset);
      const bool      isNearer = Code::IsOffset(neighbour.Value) && distance < least;
      value = isNearer ? offset : value;
      least = isNearer ? distance : least;
    };
    (compare(neighbours), ...);
    return value;
  }

  /** The squared distance of a pixel to its site, or NoDistance. */
  __device__ TCost
  GetSquaredDistance(ValueType value) const
  {
    return Code::IsOffset(value) ? this->GetSquaredLength(value) : NoDistance<TCost>;
  }

private:
  static constexpr TCost Lowest = std::numeric_limits<TCost>::lowest();

  __device__ TCost
  GetSquaredLength(ValueType offset) const
  {
    // Of a code that is no offset, the result is not used.
    using Factor = std::conditional_t<std::is_same<TCost, int>::value, unsigned int, double>;
    Factor sum = 0;
#pragma unroll
    for (int axis = 0; axis < VDimension; ++axis)
    {
      const auto part = static_cast<Factor>(Code::TakePart(offset));
      sum += static_cast<Factor>(this->Weights[axis]) * part * part;
    }
    return static_cast<TCost>(sum);
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
