// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersLowerEnvelope_cuh
#define itkCudaFiltersLowerEnvelope_cuh

// The lower envelope of parabolas along one line of an image, which is one pass of the separable distance transform.
// Given the squared distance h(p) of each pixel p of the line to the objects found so far, the pass computes for each
// pixel x the minimum over p of h(p) + w (x - p)^2, where w is the squared spacing along the line.
//
// This is w x^2 + min(h(p) + w p^2 - 2 w x p): a minimum of straight lines. Two properties make it fast without a
// stack, on which only one thread could work:
// - A pixel p wins nowhere if the point (p, h(p) + w p^2) is above the chord between two others. A comparison with a
//   few pairs of neighbours drops most of the pixels of natural images. The others are the sites of the line.
// - The winning site moves to the right with x. So the winners at two pixels bound those between them. The winners at
//   every 32nd pixel are found by bisection, in which the lanes of a warp compare the sites of one query. Then the
//   lanes take the 32 pixels between two of these winners, and compare the sites between them.
//
// With costs of type int, all results are exact: the sums are less than 2^31, and other numbers wrap around. With costs
// of type double, integers below 2^53 are exact.

#include "../Device/PixelPack.cuh"
#include "../Device/Warp.cuh"
#include <cstdint>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** The squared distance of a pixel that has none yet. */
template <typename TCost>
constexpr TCost NoDistance = -1;

/** The product of two numbers; of type int, modulo 2^32. */
template <typename TCost>
__device__ __forceinline__ TCost
Multiply(TCost a, TCost b)
{
  using Factor = std::conditional_t<std::is_same<TCost, int>::value, unsigned int, TCost>;
  return static_cast<TCost>(static_cast<Factor>(a) * static_cast<Factor>(b));
}

/** The weight of a line, which is the squared spacing, and how the squared distance of pixel x to a site is split: into
 * what depends on the site, which is its value, and the rest. The winner has the least value. */
template <typename TCost>
struct LineWeight;

/** A site of type int keeps h + w p^2. Its value needs one multiplication: h + w p^2 - 2 w x p. */
template <>
struct LineWeight<int>
{
  int Weight;

  __device__ int
  GetCost(int distance, int position) const
  {
    return static_cast<int>(static_cast<unsigned int>(distance) + static_cast<unsigned int>(this->GetRest(position)));
  }
  /** What the values at pixel x need: 2 w x. */
  __device__ int
  GetQuery(int x) const
  {
    return Multiply(2, Multiply(this->Weight, x));
  }
  __device__ int
  GetValue(int query, int cost, int position) const
  {
    return static_cast<int>(static_cast<unsigned int>(cost) - static_cast<unsigned int>(Multiply(query, position)));
  }
  __device__ int
  GetRest(int x) const
  {
    return Multiply(this->Weight, Multiply(x, x));
  }
};

/** A site of type double keeps h, since small distances far from the origin would lose precision otherwise. */
template <>
struct LineWeight<double>
{
  double Weight;

  __device__ double
  GetCost(double distance, int) const
  {
    return distance;
  }
  __device__ double
  GetQuery(int x) const
  {
    return x;
  }
  __device__ double
  GetValue(double query, double cost, double position) const
  {
    return cost + this->Weight * (query - position) * (query - position);
  }
  __device__ double
  GetRest(int) const
  {
    return 0.0;
  }
};

/** A pixel that may be the nearest one to other pixels of its line. */
template <typename TCost>
struct alignas(2 * sizeof(TCost)) LineSite
{
  TCost Cost;
  TCost Position;
};

/** Shared memory for the work on a line. */
template <typename TCost>
struct EnvelopeMemory
{
  TCost * PartialValues;  // one per warp
  int *   PartialIndices; // one per warp
  int *   Winners;        // at the ends of segments
  int *   FineWinners;    // at the pixels of one segment
  int *   WideQueries;    // those that need all warps
  int *   WideSegments;
  int *   NumberOfQueries;  // in WideQueries
  int *   NumberOfSegments; // in WideSegments

  static constexpr int PixelsPerSegment = LanesPerWarp;
  static constexpr int FineSize = PixelsPerSegment + 2;
  /** The number of sites between two winners that is too much for one warp. */
  static constexpr int WideRange = 256;

  __host__ __device__ static constexpr int
  CountSegments(int length)
  {
    return (length + PixelsPerSegment - 1) / PixelsPerSegment;
  }

  /** The ranges of the queries of one level have only their ends in common. */
  __host__ __device__ static constexpr int
  CountWide(int length)
  {
    return length / WideRange + 1;
  }

  __host__ __device__ static constexpr std::size_t
           GetBytes(int length, int warps)
  {
    return warps * (sizeof(TCost) + sizeof(int)) +
           (CountSegments(length) + 1 + FineSize + 2 * CountWide(length) + 2) * sizeof(int);
  }

  __device__
  EnvelopeMemory(void * memory, int length, int warps)
    : PartialValues(static_cast<TCost *>(memory))
    , PartialIndices(reinterpret_cast<int *>(PartialValues + warps))
    , Winners(PartialIndices + warps)
    , FineWinners(Winners + CountSegments(length) + 1)
    , WideQueries(FineWinners + FineSize)
    , WideSegments(WideQueries + CountWide(length))
    , NumberOfQueries(WideSegments + CountWide(length))
    , NumberOfSegments(NumberOfQueries + 1)
  {}
};

/** The lower envelope of one line by a team of VWarps warps: one, or all of the block. All threads of the team call all
 * public methods. */
template <typename TCost, int VWarps>
class LowerEnvelope
{
public:
  using Site = LineSite<TCost>;
  using Memory = EnvelopeMemory<TCost>;

  /** sites: memory for length + 1 sites, aligned to 16 bytes. weight: the squared spacing along the line. */
  __device__
  LowerEnvelope(Site * sites, int length, TCost weight, const Memory & memory)
    : m_Sites(sites)
    , m_Length(length)
    , m_Weight{ weight }
    , m_Memory(memory)
  {}

  /** Waits for the team. */
  __device__ static void
  Synchronize()
  {
    if constexpr (VWarps == 1)
    {
      __syncwarp();
    }
    else
    {
      __syncthreads();
    }
  }

  /** Chooses the sites. getDistance(p) returns the squared distance of pixel p, or NoDistance. Returns the number of
   * sites. */
  template <typename TGetDistance>
  __device__ int
  ChooseSites(TGetDistance getDistance)
  {
    constexpr int chunks = VWarps == 1 ? 1 : 4; // that a warp takes at a time, so that the block waits less often
    constexpr int atATime = VWarps * chunks * LanesPerWarp;
    const int     lane = GetLaneOfWarp();
    int           number = 0;
    for (int first = 0; first < m_Length; first += atATime)
    {
      Site         sites[chunks];
      unsigned int chosen[chunks];
      int          numberOfWarp = 0;
#pragma unroll
      for (int chunk = 0; chunk < chunks; ++chunk)
      {
        const int   x = first + (GetWarp() * chunks + chunk) * LanesPerWarp + lane;
        const TCost distance = x < m_Length ? getDistance(x) : NoDistance<TCost>;
        sites[chunk] = { m_Weight.GetCost(distance, x), static_cast<TCost>(x) };
        chosen[chunk] = this->ChooseLanes(distance);
        numberOfWarp += __popc(chosen[chunk]);
      }
      int end = number;
      if constexpr (VWarps == 1)
      {
        number += numberOfWarp;
      }
      else
      {
        // Two arrays take turns, so that one barrier per round suffices.
        static_assert(VWarps <= LanesPerWarp, "One lane per warp adds up the numbers.");
        int * const numbers = first / atATime % 2 == 0 ? m_Memory.PartialIndices : m_Memory.FineWinners;
        if (lane == 0)
        {
          numbers[GetWarp()] = numberOfWarp;
        }
        __syncthreads();
        const int numberOfLane = lane < VWarps ? numbers[lane] : 0;
        end += AddLanes(lane < GetWarp() ? numberOfLane : 0);
        number += AddLanes(numberOfLane);
      }
#pragma unroll
      for (int chunk = 0; chunk < chunks; ++chunk)
      {
        if ((chosen[chunk] >> lane & 1u) != 0)
        {
          m_Sites[end + __popc(chosen[chunk] & ((1u << lane) - 1u))] = sites[chunk];
        }
        end += __popc(chosen[chunk]);
      }
    }
    m_NumberOfSites = number;
    Synchronize();
    if (number % 2 != 0 && IsFirstThread())
    {
      m_Sites[number] = m_Sites[number - 1]; // GetMinimum() may read pairs of sites
    }
    Synchronize();
    return number;
  }

  /** Calls function(x, distance) once for each pixel x of the line, with its squared distance. There must be a site. */
  template <typename TFunction>
  __device__ void
  ForEachPixel(TFunction function)
  {
    constexpr int few = 32; // sites, which are compared without bisection
    const int     segments = Memory::CountSegments(m_Length);
    const bool    isBisected = m_NumberOfSites > few;
    if (isBisected)
    {
      if (IsFirstThread())
      {
        m_Memory.Winners[0] = 0;
        m_Memory.Winners[segments] = m_NumberOfSites - 1;
        *m_Memory.NumberOfQueries = 0;
        *m_Memory.NumberOfSegments = 0;
      }
      Synchronize();
      this->Bisect(m_Memory.Winners, segments, 0, Memory::PixelsPerSegment);
    }
    for (int segment = GetWarp(); segment < segments; segment += VWarps)
    {
      const int begin = isBisected ? m_Memory.Winners[segment] : 0;
      const int end = isBisected ? m_Memory.Winners[segment + 1] : m_NumberOfSites - 1;
      if (end - begin < Memory::WideRange)
      {
        const int x = segment * Memory::PixelsPerSegment + GetLaneOfWarp();
        this->Finish(x, this->GetMinimum(x, begin, end), function);
      }
      else if constexpr (VWarps == 1)
      {
        this->FinishWideSegment(segment, function);
      }
      else if (GetLaneOfWarp() == 0)
      {
        m_Memory.WideSegments[atomicAdd(m_Memory.NumberOfSegments, 1)] = segment;
      }
    }
    if constexpr (VWarps > 1)
    {
      __syncthreads();
      const int wide = isBisected ? *m_Memory.NumberOfSegments : 0;
      for (int i = 0; i < wide; ++i)
      {
        this->FinishWideSegment(m_Memory.WideSegments[i], function);
      }
    }
    Synchronize();
  }

private:
  __device__ static int
  GetWarp()
  {
    return VWarps == 1 ? 0 : static_cast<int>(threadIdx.x) / LanesPerWarp;
  }

  __device__ static bool
  IsFirstThread()
  {
    return GetWarp() == 0 && GetLaneOfWarp() == 0;
  }

  /** The lanes, as bits, whose pixels have a distance and are not above a chord between two others of the warp. */
  __device__ unsigned int
  ChooseLanes(TCost distance) const
  {
    using Sum = std::conditional_t<std::is_same<TCost, int>::value, unsigned int, TCost>; // of two distances
    const unsigned int there = __ballot_sync(AllLanes, distance != NoDistance<TCost>);
    const auto         twice = static_cast<Sum>(distance) + static_cast<Sum>(distance);
    bool               isChosen = distance != NoDistance<TCost>;
#pragma unroll
    for (int lanes = 1; lanes <= 8; lanes *= 2)
    {
      const auto before = static_cast<Sum>(__shfl_up_sync(AllLanes, distance, lanes));
      const auto after = static_cast<Sum>(__shfl_down_sync(AllLanes, distance, lanes));
      const auto between = static_cast<Sum>(Multiply(m_Weight.Weight, static_cast<TCost>(2 * lanes * lanes)));
      const bool isInside = ((there << lanes & there >> lanes) >> GetLaneOfWarp() & 1u) != 0;
      isChosen = isChosen && !(isInside && twice > before + after + between);
    }
    return __ballot_sync(AllLanes, isChosen);
  }

  __device__ TCost
  GetValue(TCost query, const Site & site) const
  {
    return m_Weight.GetValue(query, site.Cost, site.Position);
  }

  /** The least value at pixel x of the sites from begin to end. */
  __device__ TCost
  GetMinimum(int x, int begin, int end) const
  {
    constexpr int atATime = 16 / static_cast<int>(sizeof(Site)); // with one load
    using Sites = PixelPack<Site, atATime>;
    const TCost query = m_Weight.GetQuery(x);
    TCost       minimum = this->GetValue(query, m_Sites[end]);
    for (int i = begin / atATime * atATime; i <= end; i += atATime)
    {
      const Sites sites = *reinterpret_cast<const Sites *>(m_Sites + i);
#pragma unroll
      for (int k = 0; k < atATime; ++k)
      {
        minimum = min(minimum, this->GetValue(query, sites.Values[k]));
      }
    }
    return minimum;
  }

  template <typename TFunction>
  __device__ void
  Finish(int x, TCost value, TFunction & function) const
  {
    if (x < m_Length)
    {
      function(x, static_cast<TCost>(value + m_Weight.GetRest(x)));
    }
  }

  /** The pixels after the end, in the last segment, must not overflow. */
  __device__ int
  GetPixel(int x) const
  {
    return min(x, m_Length - 1);
  }

  /** The winner at pixel x among the sites begin, begin + step, ... of each lane, and the site end. */
  __device__ IndexedValue<TCost>
             FindWinner(int x, int begin, int end, int step) const
  {
    const TCost         query = m_Weight.GetQuery(x);
    IndexedValue<TCost> winner{ this->GetValue(query, m_Sites[end]), end };
    for (int i = begin; i < end; i += step)
    {
      const TCost value = this->GetValue(query, m_Sites[i]);
      // Sites come in the order of their numbers, but for the first.
      if (value < winner.Value || (value == winner.Value && winner.Index == end))
      {
        winner = { value, i };
      }
    }
    return FindFirstOfLanes(winner);
  }

  /** Finds the winners at the pixels first + k * spacing, for k from 1 to number - 1. winners[0] and winners[number]
   * bound them. */
  __device__ void
  Bisect(int * winners, int number, int first, int spacing)
  {
    int step = 1;
    while (2 * step < number)
    {
      step *= 2;
    }
    for (; step >= 1; step /= 2)
    {
      for (int k = step * (2 * GetWarp() + 1); k < number; k += 2 * step * VWarps)
      {
        const int begin = winners[k - step];
        const int end = winners[min(k + step, number)];
        if (VWarps == 1 || end - begin < Memory::WideRange)
        {
          const int x = this->GetPixel(first + k * spacing);
          const int winner = this->FindWinner(x, begin + GetLaneOfWarp(), end, LanesPerWarp).Index;
          if (GetLaneOfWarp() == 0)
          {
            winners[k] = winner;
          }
        }
        else if (GetLaneOfWarp() == 0)
        {
          m_Memory.WideQueries[atomicAdd(m_Memory.NumberOfQueries, 1)] = k;
        }
      }
      Synchronize();
      if constexpr (VWarps > 1)
      {
        const int wide = *m_Memory.NumberOfQueries;
        for (int i = 0; i < wide; ++i)
        {
          const int k = m_Memory.WideQueries[i];
          const int x = this->GetPixel(first + k * spacing);
          this->FindWideWinner(winners[k], x, winners[k - step], winners[min(k + step, number)]);
        }
        if (wide > 0 && IsFirstThread())
        {
          *m_Memory.NumberOfQueries = 0;
        }
        __syncthreads();
      }
    }
  }

  /** The same by all warps. */
  __device__ void
  FindWideWinner(int & result, int x, int begin, int end)
  {
    const int                 thread = GetWarp() * LanesPerWarp + GetLaneOfWarp();
    const IndexedValue<TCost> ofWarp = this->FindWinner(x, begin + thread, end, VWarps * LanesPerWarp);
    if (GetLaneOfWarp() == 0)
    {
      m_Memory.PartialValues[GetWarp()] = ofWarp.Value;
      m_Memory.PartialIndices[GetWarp()] = ofWarp.Index;
    }
    __syncthreads();
    if (GetWarp() == 0)
    {
      const int                 warp = min(GetLaneOfWarp(), VWarps - 1);
      const IndexedValue<TCost> winner =
        FindFirstOfLanes(IndexedValue<TCost>{ m_Memory.PartialValues[warp], m_Memory.PartialIndices[warp] });
      if (GetLaneOfWarp() == 0)
      {
        result = winner.Index;
      }
    }
    __syncthreads();
  }

  /** For a segment with many sites between its winners: finds the winner at each pixel by bisection. */
  template <typename TFunction>
  __device__ void
  FinishWideSegment(int segment, TFunction & function)
  {
    constexpr int number = Memory::PixelsPerSegment + 1;
    const int     first = segment * Memory::PixelsPerSegment;
    if (IsFirstThread())
    {
      m_Memory.FineWinners[0] = m_Memory.Winners[segment];
      m_Memory.FineWinners[number] = m_Memory.Winners[segment + 1];
    }
    Synchronize();
    this->Bisect(m_Memory.FineWinners, number, first - 1, 1);
    if (GetWarp() == 0)
    {
      const int x = first + GetLaneOfWarp();
      const int winner = m_Memory.FineWinners[GetLaneOfWarp() + 1];
      this->Finish(x, this->GetValue(m_Weight.GetQuery(x), m_Sites[winner]), function);
    }
    Synchronize();
  }

  Site * const            m_Sites;
  const int               m_Length;
  const LineWeight<TCost> m_Weight;
  const Memory            m_Memory;
  int                     m_NumberOfSites = 0;
};
} // namespace CudaFilters
} // namespace itk

#endif
