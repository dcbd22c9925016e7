// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersNearPixels_cuh
#define itkCudaFiltersNearPixels_cuh

// Lines in which all pixels have sites nearby, as in blobs, tissue or dense points: each pixel is compared with those
// around it, as far as they can be the nearest ones. There are no sites to choose, and no winners to find.

#include "LineSites.cuh"

namespace itk
{
namespace CudaFilters
{
/** A line of squared distances, of type int, by a team of VWarps warps. All threads of the team call all public
 * methods.
 */
template <int VWarps>
class NearPixels
{
public:
  using Distances = LaneDistances<int>;
  using Team = WarpTeam<VWarps>;

  /** The distances are kept in the second halves of the places of portions' sites. So a warp may store sites of those
   * pixels of a portion that it has read. Returns the number of sites for which there must be room. */
  __host__ __device__ static constexpr int
  CountSites(int length)
  {
    const int before = (CountPortions(length) - 1) * PixelsPerPortion;
    const int inLast = (length - before + PixelsPerLane - 1) / PixelsPerLane * PixelsPerLane;
    return before + (PixelsPerPortion + inLast) / 2;
  }

  /** sites: the memory for sites. weight: the squared spacing along the line. flags: memory for one number per warp;
   * not for a team of one warp. */
  __device__
  NearPixels(LineSite<int> * sites, int length, int weight, int * flags, const Team & team)
    : m_Places(reinterpret_cast<int *>(sites))
    , m_Length(length)
    , m_Weight(weight)
    , m_Flags(flags)
    , m_Team(team)
  {}

  /** Loads some pixels of the line, and returns whether it may be of this kind. Most lines that are not are recognised.
   * getDistances: see LowerEnvelope::Load(). */
  template <typename TGetDistances>
  __device__ bool
  MayBeNear(TGetDistances & getDistances) const
  {
    const int firstPixel = Team::GetWarp() * PixelsPerPortion;
    return this->IsTrueForAll(firstPixel >= m_Length ||
                              this->IsNear(firstPixel, getDistances, [](int, const Distances &) {}));
  }

  /** Loads the line, and returns whether all of its pixels have sites nearby. */
  template <typename TGetDistances>
  __device__ bool
  Load(TGetDistances & getDistances) const
  {
    bool isNear = true;
    this->ForEachChunk([&](int chunk) {
      isNear &= this->IsNear(chunk, getDistances, [this](int x, const Distances & distances) {
        if (x < m_Length)
        {
          *reinterpret_cast<Distances *>(m_Places + GetPlace(x)) = distances;
        }
      });
    });
    if (Team::GetThread() == 0)
    {
      *reinterpret_cast<Distances *>(m_Places + PlaceOfNone) = GetNoDistances<int>();
    }
    m_Team.Synchronize(); // all have read what IsTrueForAll() wrote before
    return this->IsTrueForAll(isNear);
  }

  /** The distances of the pixels from x on that were loaded, by the warp that takes their portion. */
  __device__ Distances
  GetLoaded(int x) const
  {
    return x < m_Length ? this->Get(GetPlace(x)) : GetNoDistances<int>();
  }

  /** Calls function(x, distances) for all pixels of the line, as LowerEnvelope::ForEachPixel() does. */
  template <typename TFunction>
  __device__ void
  ForEachPixel(TFunction & function) const
  {
    this->ForEachChunk([&](int chunk) {
      const int       x = chunk + GetLaneOfWarp() * PixelsPerLane;
      const Distances distances = this->FindDistances(x);
      if (x < m_Length)
      {
        function(x, distances);
      }
    });
    m_Team.Synchronize();
  }

private:
  /** The squared length of a line, times the weight, has 31 bits; so have MostWeights weights, if a line is at least as
   * long. */
  static constexpr int LeastLength = 64;
  /** Sites are nearby if there is one among the pixels of this lane and three lanes to both sides, with a squared
   * distance of so many weights. */
  static constexpr int MostWeights = 800;

  __device__ static int
  GetPlace(int x)
  {
    return x + (x & -PixelsPerPortion) + PixelsPerPortion;
  }
  /** Stands for pixels outside the line. */
  static constexpr int PlaceOfNone = PixelsPerPortion - PixelsPerLane;

  __device__ Distances
  Get(int place) const
  {
    return *reinterpret_cast<const Distances *>(m_Places + place);
  }

  /** Calls function(chunk) for the chunks of the warp's portions. */
  template <typename TFunction>
  __device__ void
  ForEachChunk(TFunction function) const
  {
    for (int portion = Team::GetWarp(); portion < CountPortions(m_Length); portion += VWarps)
    {
      const int begin = portion * PixelsPerPortion;
      const int end = min(begin + PixelsPerPortion, m_Length);
      for (int chunk = begin; chunk < end; chunk += PixelsPerChunk)
      {
        function(chunk);
      }
    }
  }

  /** Whether the pixels of a chunk have sites nearby. Calls use(x, distances) with their distances. */
  template <typename TGetDistances, typename TUse>
  __device__ bool
  IsNear(int chunk, TGetDistances & getDistances, TUse use) const
  {
    const int       x = chunk + GetLaneOfWarp() * PixelsPerLane;
    const Distances distances = getDistances(x);
    int             least = distances.Values[0];
#pragma unroll
    for (int k = 1; k < PixelsPerLane; ++k)
    {
      least = min(least, distances.Values[k]);
    }
#pragma unroll
    for (int lanes = 1; lanes <= 2; ++lanes)
    {
      const int before = __shfl_up_sync(AllLanes, least, lanes);
      const int after = __shfl_down_sync(AllLanes, least, lanes);
      least = min(least, min(before, after));
    }
    use(x, distances);
    const int most = m_Length < LeastLength ? -1 : MostWeights * m_Weight;
    return __all_sync(AllLanes, x >= m_Length || least <= most) != 0;
  }

  /** Whether it is true for all warps of the team. */
  __device__ bool
  IsTrueForAll(bool isTrue) const
  {
    if constexpr (VWarps == 1)
    {
      __syncwarp();
      return isTrue;
    }
    else
    {
      if (GetLaneOfWarp() == 0)
      {
        m_Flags[Team::GetWarp()] = isTrue ? 1 : 0;
      }
      m_Team.Synchronize();
      return __all_sync(AllLanes, m_Flags[GetLaneOfWarp() % VWarps] != 0) != 0;
    }
  }

  /** The squared distances of the pixels from x on, by a comparison with the pixels around them, four at a time. */
  __device__ Distances
  FindDistances(int x) const
  {
    using Unsigned = unsigned int; // NoDistance and a distance do not overflow
    const int  last = (m_Length - 1) / PixelsPerLane * PixelsPerLane;
    const int  here = min(x, last);
    Unsigned   minima[PixelsPerLane];
    const auto compare = [&minima](const Distances & sites, const Unsigned * squares) {
#pragma unroll
      for (int k = 0; k < PixelsPerLane; ++k)
      {
#pragma unroll
        for (int j = 0; j < PixelsPerLane; ++j)
        {
          minima[k] = min(minima[k], static_cast<Unsigned>(sites.Values[j]) + squares[k - j]);
        }
      }
    };
    const auto       weight = static_cast<Unsigned>(m_Weight);
    Unsigned         squares[2 * PixelsPerLane - 1];
    Unsigned * const ofDifference = squares + PixelsPerLane - 1; // of pixels in two groups of four
#pragma unroll
    for (int k = 0; k < PixelsPerLane; ++k)
    {
      ofDifference[k] = ofDifference[-k] = weight * k * k;
      minima[k] = 0xffffffffu;
    }
    compare(this->Get(GetPlace(here)), ofDifference);
    const auto getOthers = [&](int other) {
      return this->Get(other >= 0 && other <= last ? GetPlace(other) : PlaceOfNone);
    };
    for (Unsigned pixels = PixelsPerLane;; pixels += PixelsPerLane)
    {
      // The nearest pixel that has not been compared is so far away.
      const Unsigned least = weight * (pixels - PixelsPerLane + 1) * (pixels - PixelsPerLane + 1);
      const Unsigned most = max(max(minima[0], minima[1]), max(minima[2], minima[3]));
      if (__any_sync(AllLanes, most > least) == 0)
      {
        break;
      }
#pragma unroll
      for (int k = 1 - PixelsPerLane; k < PixelsPerLane; ++k)
      {
        ofDifference[k] = weight * (pixels + k) * (pixels + k);
      }
      compare(getOthers(here - static_cast<int>(pixels)), ofDifference);
      // To the other side, pixels differ by the negative number.
#pragma unroll
      for (int k = 1; k < PixelsPerLane; ++k)
      {
        const Unsigned other = ofDifference[k];
        ofDifference[k] = ofDifference[-k];
        ofDifference[-k] = other;
      }
      compare(getOthers(here + static_cast<int>(pixels)), ofDifference);
    }
    Distances distances;
#pragma unroll
    for (int k = 0; k < PixelsPerLane; ++k)
    {
      distances.Values[k] = static_cast<int>(minima[k]);
    }
    return distances;
  }

  int * const m_Places;
  const int   m_Length;
  const int   m_Weight;
  int * const m_Flags;
  const Team  m_Team;
};
} // namespace CudaFilters
} // namespace itk

#endif
