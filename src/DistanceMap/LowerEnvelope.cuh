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
// - A pixel p wins nowhere if the point (p, h(p) + w p^2) is above the chord between two others. Chords between a few
//   neighbours, and then between neighbours among the rest, drop most of the pixels of natural images. The others are
//   the sites of the line.
// - The winning site moves to the right with x. So the winners at two pixels bound those between them.
//
// A team of warps takes a line, which is cut into portions. If all pixels of the line have sites nearby, each pixel is
// compared with those around it, as far as they can win. Otherwise, a warp chooses the sites of a portion, four pixels
// per lane at a time. The winners at the ends of portions are found, by several warps in a bisection in which they
// share the sites of a query; then those at the ends of the 32 segments of a portion, in which lanes share the sites of
// a query. Last, a lane takes four pixels of a segment, and compares the sites between the segment's winners; if there
// are many, bisection goes on to pixels.
//
// With costs of type int, all results are exact: values at the pixels of the line have 32 bits. Values beyond its end
// may wrap around, and are not used. With costs of type double, results below 2^53 are exact if they are integers.

#include "LineSites.cuh"
#include "NearPixels.cuh"
#include <cstddef>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** Whether lines with sites nearby are treated in their own way. */
template <typename TCost>
__host__ __device__ constexpr bool
MayBeNear(bool isNearest)
{
  return std::is_same<TCost, int>::value && !isNearest;
}

/** Memory of a team for a line. The sites may be in memory of their own, for lines that are too long for shared memory;
 * the rest, which has pointers here, is in shared memory. */
template <typename TCost>
struct EnvelopeMemory
{
  TCost * PartialValues;  // one per warp
  int *   PartialIndices; // one per warp
  int *   Winners;        // at the ends of portions
  int *   Offsets;        // of the portions' sites among all

  /** A multiple of 16 bytes. A team of one warp needs none. */
  __host__ __device__ static constexpr std::size_t
           GetBytes(int length, int warps)
  {
    const std::size_t perWarp = sizeof(TCost) + sizeof(int);
    return warps == 1 ? 0 : (warps * perWarp + 2 * (CountPortions(length) + 1) * sizeof(int) + 15) / 16 * 16;
  }

  /** The memory for the sites of a line: a multiple of 16 bytes. isNearest: see LowerEnvelope. */
  __host__ __device__ static constexpr std::size_t
           GetSiteBytes(int length, bool isNearest)
  {
    const int sites = MayBeNear<TCost>(isNearest) ? NearPixels<1>::CountSites(length) : (length / 2 + 1) * 2;
    return static_cast<std::size_t>(sites) * sizeof(LineSite<TCost>);
  }

  __device__
  EnvelopeMemory(void * memory, int length, int warps)
    : PartialValues(static_cast<TCost *>(memory))
    , PartialIndices(reinterpret_cast<int *>(PartialValues + warps))
    , Winners(PartialIndices + warps)
    , Offsets(Winners + CountPortions(length) + 1)
  {}
};

/** The lower envelope of one line by a team of VWarps warps, which are adjacent in a block. All threads of the team
 * call all public methods. VIsNearest: whether ForEachNearest() is called, which needs all of several winners at a
 * pixel, instead of ForEachPixel(). */
template <typename TCost, int VWarps, bool VIsNearest>
class LowerEnvelope : private WarpTeam<VWarps>
{
public:
  using Team = WarpTeam<VWarps>;
  using Site = LineSite<TCost>;
  using Memory = EnvelopeMemory<TCost>;
  using Distances = LaneDistances<TCost>;

  /** sites: memory for sites, aligned to 16 bytes. weight: the squared spacing along the line. team: the number
   * of the team in the block. */
  __device__
  LowerEnvelope(Site * sites, int length, TCost weight, const Memory & memory, int team)
    : Team(team)
    , m_Sites(sites)
    , m_Length(length)
    , m_Weight{ weight }
    , m_Memory(memory)
  {}

  /** Loads the line, and decides how to find the winners. getDistances(x) returns Distances: those of the pixels from x
   * on, or NoDistance, also for pixels after the end of the line. x is a multiple of PixelsPerLane. */
  template <typename TGetDistances>
  __device__ void
  Load(TGetDistances getDistances)
  {
    m_IsNear = false;
    if constexpr (MayBeNear<TCost>(VIsNearest))
    {
      const NearPixels<VWarps> pixels = this->GetNearPixels();
      if (pixels.MayBeNear(getDistances))
      {
        m_IsNear = pixels.Load(getDistances);
        if (!m_IsNear)
        {
          this->ChooseSites([&pixels](int x) { return pixels.GetLoaded(x); });
        }
        return;
      }
    }
    this->ChooseSites(getDistances);
  }

  /** Whether a pixel of the line has a distance. */
  __device__ bool
  HasSites() const
  {
    return m_IsNear || m_NumberOfSites > 0;
  }

  /** Calls function(x, distances) for all pixels of the line. distances, of type Distances, are the squared distances
   * of the pixels from x on, a multiple of PixelsPerLane. There must be a site. */
  template <typename TFunction>
  __device__ void
  ForEachPixel(TFunction function)
  {
    if constexpr (MayBeNear<TCost>(VIsNearest))
    {
      if (m_IsNear)
      {
        this->GetNearPixels().ForEachPixel(function);
        return;
      }
    }
    this->ForEachRange([&](int x, int from, int to) {
      const bool isWide = to - from > ManySites;
      Distances  distances = this->GetMinima(x, from, isWide ? from : to);
      for (unsigned int wide = __ballot_sync(AllLanes, isWide); wide != 0;)
      {
        const int firstLane = __ffs(static_cast<int>(wide)) - 1;
        wide &= ~(((1u << LanesPerSegment) - 1u) << firstLane);
        this->FinishWideSegment(x, firstLane, from, to, distances);
      }
      if (x < m_Length)
      {
        function(x, distances);
      }
    });
  }

  /** Pixels of the line, and the squared distances to them. */
  struct Nearest
  {
    PixelPack<int, PixelsPerLane> Positions;
    Distances                     SquaredDistances;
  };

  /** Calls function(x, nearest) for all pixels of the line, as ForEachPixel() does. nearest, of type Nearest, tells in
   * which pixels of the line the sites are. Of sites at the same distance, the first one is taken in the order of
   * isBefore(p, q), where p and q are positions of sites. */
  template <typename TIsBefore, typename TFunction>
  __device__ void
  ForEachNearest(TIsBefore isBefore, TFunction function)
  {
    this->ForEachRange([&](int x, int from, int to) {
      if (x < m_Length)
      {
        function(x, this->FindNearest(x, from, to, isBefore));
      }
    });
  }

private:
  using Team::GetThread;
  using Team::GetWarp;
  using Team::Synchronize;
  using Team::Threads;

  /** The line, if it has sites nearby. */
  __device__ NearPixels<VWarps>
             GetNearPixels() const
  {
    return NearPixels<VWarps>(m_Sites, m_Length, m_Weight.Weight, m_Memory.PartialIndices, *this);
  }

  /** Chooses the sites. getDistances() is that of Load(). */
  template <typename TGetDistances>
  __device__ void
  ChooseSites(TGetDistances getDistances)
  {
    const int portions = CountPortions(m_Length);
    if constexpr (VWarps == 1)
    {
      m_NumberOfSites = 0;
      for (int portion = 0; portion < portions; ++portion)
      {
        m_NumberOfSites += this->ChooseSitesOfPortion(portion, m_NumberOfSites, getDistances);
      }
    }
    else
    {
      for (int portion = GetWarp(); portion < portions; portion += VWarps)
      {
        const int number = this->ChooseSitesOfPortion(portion, portion * PixelsPerPortion, getDistances);
        if (GetLaneOfWarp() == 0)
        {
          m_Memory.Offsets[portion + 1] = number;
        }
      }
      this->Synchronize();
      this->JoinPortions(portions);
    }
    this->Synchronize();
  }

  /** Calls function(x, from, to) for all pixels of the line, as ForEachPixel() does, by all lanes of a warp at the same
   * time. The winners at the pixels from x on, and all others that win there, are sites from one number to the other.
   */
  template <typename TFunction>
  __device__ void
  ForEachRange(TFunction function)
  {
    const int  portions = CountPortions(m_Length);
    const bool isBisected = m_NumberOfSites > FewSites;
    if constexpr (VWarps == 1)
    {
      int begin = 0;
      int last = m_NumberOfSites - 1;
      if (isBisected)
      {
        // Sites that win only before the line, or after it, are left out.
        constexpr int half = LanesPerWarp / 2;
        const int     x = GetLaneOfWarp() < half ? 0 : m_Length;
        const int     winner = this->template FindWinner<half>(x, 0, last, half).Index;
        begin = __shfl_sync(AllLanes, winner, 0);
        last = __shfl_sync(AllLanes, winner, half);
      }
      for (int portion = 0; portion < portions; ++portion)
      {
        const int x = (portion + 1) * PixelsPerPortion;
        const int end = isBisected && x < m_Length
                          ? this->template FindWinner<LanesPerWarp>(x, begin, last, LanesPerWarp).Index
                          : last;
        this->ForEachRangeOfPortion(portion, begin, end, function);
        begin = isBisected ? end : begin;
      }
    }
    else
    {
      if (isBisected)
      {
        this->FindWinnersOfPortions(portions);
      }
      for (int portion = GetWarp(); portion < portions; portion += VWarps)
      {
        const int begin = isBisected ? m_Memory.Winners[portion] : 0;
        const int end = isBisected ? m_Memory.Winners[portion + 1] : m_NumberOfSites - 1;
        this->ForEachRangeOfPortion(portion, begin, end, function);
      }
    }
    this->Synchronize();
  }

  /** Up to so many sites, each lane compares all. */
  static constexpr int FewSites = 8;
  /** Beyond so many sites, all lanes of a warp share them. */
  static constexpr int ManySites = 128;
  static constexpr int LanesPerSegment = PixelsPerSegment / PixelsPerLane;

  /** The lanes before this one, as bits. */
  __device__ static unsigned int
  GetLanesBefore()
  {
    return (1u << GetLaneOfWarp()) - 1u;
  }

  /** Chooses the sites of a portion by one warp, and stores them from m_Sites[first] on. Returns their number. */
  template <typename TGetDistances>
  __device__ int
  ChooseSitesOfPortion(int portion, int first, TGetDistances & getDistances)
  {
    const int begin = portion * PixelsPerPortion;
    const int end = min(begin + PixelsPerPortion, m_Length);
    int       number = 0;
    for (int chunk = begin; chunk < end; chunk += PixelsPerChunk)
    {
      const int          x = chunk + GetLaneOfWarp() * PixelsPerLane;
      const Distances    distances = getDistances(x);
      const unsigned int chosen = this->ChoosePixels(distances);
      int                site = first + number;
#pragma unroll
      for (int k = 0; k < PixelsPerLane; ++k)
      {
        const unsigned int lanes = __ballot_sync(AllLanes, (chosen >> k & 1u) != 0);
        site += __popc(lanes & GetLanesBefore());
        number += __popc(lanes);
      }
      __syncwarp(); // the distances may be in the place of sites
#pragma unroll
      for (int k = 0; k < PixelsPerLane; ++k)
      {
        if ((chosen >> k & 1u) != 0)
        {
          const TCost position = x + k;
          m_Sites[site++] = { m_Weight.GetCost(distances.Values[k], position), position };
        }
      }
    }
    __syncwarp();
    // Again, as long as it is worth its time.
    for (int before = end - begin; number > FewSites && number <= before / 2;)
    {
      before = number;
      number = this->DropSites(first, number);
    }
    return number;
  }

  /** The pixels of a lane, as bits, that have a distance and are not above a chord between neighbours of the chunk. */
  __device__ unsigned int
  ChoosePixels(const Distances & distances) const
  {
    TCost line[3 * PixelsPerLane]; // with the pixels of the lanes before and after
#pragma unroll
    for (int k = 0; k < PixelsPerLane; ++k)
    {
      const TCost before = __shfl_up_sync(AllLanes, distances.Values[k], 1);
      const TCost after = __shfl_down_sync(AllLanes, distances.Values[k], 1);
      line[k] = GetLaneOfWarp() == 0 ? NoDistance<TCost> : before;
      line[PixelsPerLane + k] = distances.Values[k];
      line[2 * PixelsPerLane + k] = GetLaneOfWarp() == LanesPerWarp - 1 ? NoDistance<TCost> : after;
    }
    unsigned int chosen = 0;
#pragma unroll
    for (int k = PixelsPerLane; k < 2 * PixelsPerLane; ++k)
    {
      bool isChosen = line[k] != NoDistance<TCost>;
#pragma unroll
      for (int pixels = 1; pixels <= PixelsPerLane; pixels *= 2)
      {
        isChosen &= !m_Weight.IsAboveMiddle(line[k], line[k - pixels], line[k + pixels], pixels);
      }
      chosen |= (isChosen ? 1u : 0u) << (k - PixelsPerLane);
    }
    return chosen;
  }

  /** Drops the sites, of so many from m_Sites[first] on, that are above the chord between their neighbours. Returns the
   * number of the others, which close the gaps. */
  __device__ int
  DropSites(int first, int number)
  {
    Site * const sites = m_Sites + first;
    int          kept = 0;
    Site         before = sites[0]; // the first chunk
    for (int chunk = 0; chunk < number; chunk += LanesPerWarp)
    {
      const int   i = chunk + GetLaneOfWarp();
      const Site  here = sites[min(i, number - 1)];
      const TCost distance = m_Weight.GetDistance(here.Cost, here.Position);
      const Site  afterChunk = sites[min(chunk + LanesPerWarp, number - 1)];
      const bool  isFirst = GetLaneOfWarp() == 0;
      const bool  isLast = GetLaneOfWarp() == LanesPerWarp - 1;
      const TCost positionBefore = __shfl_up_sync(AllLanes, here.Position, 1);
      const TCost distanceBefore = __shfl_up_sync(AllLanes, distance, 1);
      const TCost positionAfter = __shfl_down_sync(AllLanes, here.Position, 1);
      const TCost distanceAfter = __shfl_down_sync(AllLanes, distance, 1);
      const bool  isAbove =
        i > 0 && i < number - 1 &&
        m_Weight.IsAboveChord(distance,
                              isFirst ? m_Weight.GetDistance(before.Cost, before.Position) : distanceBefore,
                              isLast ? m_Weight.GetDistance(afterChunk.Cost, afterChunk.Position) : distanceAfter,
                              here.Position - (isFirst ? before.Position : positionBefore),
                              (isLast ? afterChunk.Position : positionAfter) - here.Position);
      const unsigned int lanes = __ballot_sync(AllLanes, i < number && !isAbove);
      before.Cost = __shfl_sync(AllLanes, here.Cost, LanesPerWarp - 1);
      before.Position = __shfl_sync(AllLanes, here.Position, LanesPerWarp - 1);
      __syncwarp();
      if ((lanes >> GetLaneOfWarp() & 1u) != 0)
      {
        sites[kept + __popc(lanes & GetLanesBefore())] = here;
      }
      kept += __popc(lanes);
    }
    __syncwarp();
    return kept;
  }

  /** Closes the gaps between the sites of portions. */
  __device__ void
  JoinPortions(int portions)
  {
    if (GetWarp() == 0)
    {
      int sum = 0;
      for (int first = 0; first < portions; first += LanesPerWarp)
      {
        const int portion = first + GetLaneOfWarp();
        const int upToHere = sum + AddLanesUpToThis(portion < portions ? m_Memory.Offsets[portion + 1] : 0);
        if (portion < portions)
        {
          m_Memory.Offsets[portion + 1] = upToHere;
        }
        sum = __shfl_sync(AllLanes, upToHere, LanesPerWarp - 1);
      }
      if (GetLaneOfWarp() == 0)
      {
        m_Memory.Offsets[0] = 0;
      }
    }
    this->Synchronize();
    m_NumberOfSites = m_Memory.Offsets[portions];
    if (m_NumberOfSites == m_Length)
    {
      return; // no gaps
    }
    // Sites move to the left only, so those that follow are still in their places.
    int portion = 0;
    for (int first = 0; first < m_NumberOfSites; first += Threads)
    {
      const int  to = first + GetThread();
      const bool isThere = to < m_NumberOfSites;
      while (isThere && to >= m_Memory.Offsets[portion + 1])
      {
        ++portion;
      }
      Site site{};
      if (isThere)
      {
        site = m_Sites[portion * PixelsPerPortion + to - m_Memory.Offsets[portion]];
      }
      this->Synchronize();
      if (isThere)
      {
        m_Sites[to] = site;
      }
    }
    this->Synchronize();
  }

  __device__ TCost
  GetValue(TCost query, const Site & site) const
  {
    return m_Weight.GetValue(query, site.Cost, site.Position);
  }

  /** Whether the last one of several winners is wanted, instead of the first one: after the end of the line. */
  __device__ bool
  IsLastWanted(int x) const
  {
    return VIsNearest && x >= m_Length;
  }

  /** The first winner at pixel x, by VLanes adjacent lanes, among the sites begin, begin + step, ... of each lane, up
   * to the site end. After the end of the line, a winner at its last pixel; the last one, if VIsNearest. */
  template <int VLanes>
  __device__ IndexedValue<TCost>
             FindWinner(int x, int begin, int end, int step) const
  {
    const TCost         query = m_Weight.GetQuery(min(x, m_Length - 1)); // others might overflow
    const bool          isLast = this->IsLastWanted(x);
    const int           order = isLast ? -1 : 1;
    IndexedValue<TCost> winner{ NoDistance<TCost>, end };
    for (int i = begin + GetLaneOfWarp() % VLanes; i <= end; i += step)
    {
      const TCost value = this->GetValue(query, m_Sites[i]);
      winner.Index = (value < winner.Value) | (isLast & (value == winner.Value)) ? i : winner.Index;
      winner.Value = min(value, winner.Value);
    }
    winner.Index *= order;
    winner = FindFirstOfLanes<VLanes>(winner);
    winner.Index *= order;
    return winner;
  }

  struct Query
  {
    int   X;
    int   Begin; // the sites among which the winner is
    int   End;
    int * Winner;
  };

  /** Finds the winners of some queries. If there are fewer of them than warps, warps share the sites of a query.
   * getQuery(i) returns query i. */
  template <typename TGetQuery>
  __device__ void
  FindWinners(int queries, TGetQuery getQuery) const
  {
    static_assert(VWarps > 1, "A line for several warps has several portions, so that there is a query at each step.");
    int shift = 0; // 2^shift warps share a query
    while ((queries << (shift + 1)) <= VWarps)
    {
      ++shift;
    }
    const int warps = 1 << shift;
    for (int i = GetWarp() >> shift; i < queries; i += VWarps >> shift)
    {
      const Query               query = getQuery(i);
      const int                 begin = query.Begin + (GetWarp() & (warps - 1)) * LanesPerWarp;
      const IndexedValue<TCost> winner =
        this->template FindWinner<LanesPerWarp>(query.X, begin, query.End, warps * LanesPerWarp);
      if (GetLaneOfWarp() == 0 && warps == 1)
      {
        *query.Winner = winner.Index;
      }
      else if (GetLaneOfWarp() == 0)
      {
        m_Memory.PartialValues[GetWarp()] = winner.Value;
        m_Memory.PartialIndices[GetWarp()] = winner.Index;
      }
    }
    this->Synchronize();
    if (warps > 1)
    {
      if (GetThread() < queries)
      {
        const Query         query = getQuery(GetThread());
        const int           order = this->IsLastWanted(query.X) ? -1 : 1;
        IndexedValue<TCost> winner{ NoDistance<TCost>, 0 };
        for (int i = GetThread() << shift; i < (GetThread() + 1) << shift; ++i)
        {
          const IndexedValue<TCost> other{ m_Memory.PartialValues[i], order * m_Memory.PartialIndices[i] };
          winner = other.IsBefore(winner) ? other : winner;
        }
        *query.Winner = order * winner.Index;
      }
      this->Synchronize();
    }
  }

  /** Finds the winners at the ends of portions. */
  __device__ void
  FindWinnersOfPortions(int portions) const
  {
    int * const winners = m_Memory.Winners;
    this->FindWinners(2, [&](int i) -> Query {
      return { i == 0 ? 0 : m_Length, 0, m_NumberOfSites - 1, winners + (i == 0 ? 0 : portions) };
    });
    int step = 1;
    while (2 * step < portions)
    {
      step *= 2;
    }
    for (; step >= 1; step /= 2)
    {
      this->FindWinners((portions + step - 1) / (2 * step), [&](int i) -> Query {
        const int portion = step * (2 * i + 1);
        return {
          portion * PixelsPerPortion, winners[portion - step], winners[min(portion + step, portions)], winners + portion
        };
      });
    }
  }

  /** Finds the winners at every spacing-th pixel from x on, one for each lane, between those at x, which all lanes
   * know, and after the last one. VLanes lanes share a query, which is for the middle one of their pixels; all lanes,
   * if it has many sites. */
  template <int VLanes = LanesPerWarp>
  __device__ void
  Bisect(int x, int spacing, int end, int & winner) const
  {
    const int lane = GetLaneOfWarp();
    const int middle = lane / VLanes * VLanes + VLanes / 2;
    const int after = middle + VLanes / 2;
    const int from = __shfl_sync(AllLanes, winner, middle - VLanes / 2);
    const int next = __shfl_sync(AllLanes, winner, after % LanesPerWarp);
    const int to = after < LanesPerWarp ? next : end;
    bool      isWide = false;
    if constexpr (VLanes < LanesPerWarp)
    {
      isWide = to - from > ManySites;
      for (unsigned int wide = __ballot_sync(AllLanes, isWide && lane == middle); wide != 0; wide &= wide - 1)
      {
        const int asked = __ffs(static_cast<int>(wide)) - 1;
        const int found =
          this
            ->template FindWinner<LanesPerWarp>(
              x + asked * spacing, __shfl_sync(AllLanes, from, asked), __shfl_sync(AllLanes, to, asked), LanesPerWarp)
            .Index;
        winner = lane == asked ? found : winner;
      }
    }
    const int found = this->template FindWinner<VLanes>(x + middle * spacing, from, isWide ? from : to, VLanes).Index;
    winner = lane == middle && !isWide ? found : winner;
    if constexpr (VLanes > 2)
    {
      this->template Bisect<VLanes / 2>(x, spacing, end, winner);
    }
  }

  /** ForEachRange() for a portion, by one warp. begin, end: the winners at its ends. */
  template <typename TFunction>
  __device__ void
  ForEachRangeOfPortion(int portion, int begin, int end, TFunction & function) const
  {
    const int lane = GetLaneOfWarp();
    const int firstPixel = portion * PixelsPerPortion;
    int       winner = begin;    // at the first pixel of a segment
    int       winnerAfter = end; // at the first pixel of the next one
    if (end - begin >= FewSites)
    {
      this->Bisect(firstPixel, PixelsPerSegment, end, winner);
      const int next = __shfl_down_sync(AllLanes, winner, 1);
      winnerAfter = lane < LanesPerWarp - 1 ? next : end;
    }
    for (int chunk = 0; chunk < PixelsPerPortion && firstPixel + chunk < m_Length; chunk += PixelsPerChunk)
    {
      const int segment = (chunk + lane * PixelsPerLane) / PixelsPerSegment;
      function(firstPixel + chunk + lane * PixelsPerLane,
               __shfl_sync(AllLanes, winner, segment),
               __shfl_sync(AllLanes, winnerAfter, segment));
    }
  }

  /** For a segment with many sites between its winners: finds the winner at each pixel by bisection. firstLane: the
   * first one of those that have the segment's pixels, its winners from and to, and need the distances. */
  __device__ void
  FinishWideSegment(int x, int firstLane, int from, int to, Distances & distances) const
  {
    int winner = __shfl_sync(AllLanes, from, firstLane);
    this->Bisect(__shfl_sync(AllLanes, x, firstLane), 1, __shfl_sync(AllLanes, to, firstLane), winner);
    const int inSegment = GetLaneOfWarp() - firstLane;
#pragma unroll
    for (int k = 0; k < PixelsPerLane; ++k)
    {
      const int site = __shfl_sync(AllLanes, winner, (inSegment * PixelsPerLane + k) % LanesPerWarp);
      if (inSegment >= 0 && inSegment < LanesPerSegment)
      {
        distances.Values[k] =
          m_Weight.Add(this->GetValue(m_Weight.GetQuery(x + k), m_Sites[site]), m_Weight.GetRest(x + k));
      }
    }
  }

  /** The squared distances of the pixels from x on to the sites from begin to end. */
  __device__ Distances
  GetMinima(int x, int begin, int end) const
  {
    constexpr int atATime = 16 / static_cast<int>(sizeof(Site)); // with one load
    using Sites = PixelPack<Site, atATime>;
    TCost     queries[PixelsPerLane];
    Distances minima;
#pragma unroll
    for (int k = 0; k < PixelsPerLane; ++k)
    {
      queries[k] = m_Weight.GetQuery(x + k);
      minima.Values[k] = this->GetValue(queries[k], m_Sites[end]);
    }
    for (int i = begin / atATime * atATime; i < end; i += atATime)
    {
      const Sites sites = *reinterpret_cast<const Sites *>(m_Sites + i);
#pragma unroll
      for (int k = 0; k < PixelsPerLane; ++k)
      {
#pragma unroll
        for (int j = 0; j < atATime; ++j)
        {
          minima.Values[k] = min(minima.Values[k], this->GetValue(queries[k], sites.Values[j]));
        }
      }
    }
#pragma unroll
    for (int k = 0; k < PixelsPerLane; ++k)
    {
      minima.Values[k] = m_Weight.Add(minima.Values[k], m_Weight.GetRest(x + k));
    }
    return minima;
  }

  /** The winners at the pixels from x on, among the sites from begin to end. */
  template <typename TIsBefore>
  __device__ Nearest
  FindNearest(int x, int begin, int end, TIsBefore & isBefore) const
  {
    Nearest nearest;
#pragma unroll
    for (int k = 0; k < PixelsPerLane; ++k)
    {
      nearest.Positions.Values[k] = static_cast<int>(m_Sites[begin].Position);
      nearest.SquaredDistances.Values[k] = this->GetValue(m_Weight.GetQuery(x + k), m_Sites[begin]);
    }
    for (int i = begin + 1; i <= end; ++i)
    {
      const Site site = m_Sites[i];
      const auto position = static_cast<int>(site.Position);
#pragma unroll
      for (int k = 0; k < PixelsPerLane; ++k)
      {
        int &       winner = nearest.Positions.Values[k];
        TCost &     least = nearest.SquaredDistances.Values[k];
        const TCost value = this->GetValue(m_Weight.GetQuery(x + k), site);
        if (value < least || (value == least && isBefore(position, winner)))
        {
          winner = position;
          least = value;
        }
      }
    }
#pragma unroll
    for (int k = 0; k < PixelsPerLane; ++k)
    {
      TCost & distance = nearest.SquaredDistances.Values[k];
      distance = m_Weight.Add(distance, m_Weight.GetRest(x + k));
    }
    return nearest;
  }

  Site * const            m_Sites;
  const int               m_Length;
  const LineWeight<TCost> m_Weight;
  const Memory            m_Memory;
  int                     m_NumberOfSites = 0;
  bool                    m_IsNear = false;
};
} // namespace CudaFilters
} // namespace itk

#endif
