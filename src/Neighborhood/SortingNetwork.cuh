// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersSortingNetwork_cuh
#define itkCudaFiltersSortingNetwork_cuh

// Batcher's odd-even merge sort of values in registers. The compiler removes what computes values that are not used: to
// merge for the middle values alone costs less than to merge.

#include "CudaFilters/Launch.cuh"
#include <cstddef>
#include <cstdint>
#include <utility>

namespace itk
{
namespace CudaFilters
{
/** Comparators that sort VSize values. Each puts the lesser of the values at two places first; afterwards, the k-th
 * least value is at the place Order[k]. */
template <int VSize>
struct SortingNetwork
{
  static constexpr int Most = 8 * VSize;

  int Number = 0;
  int First[Most] = {};
  int Second[Most] = {};
  int Order[VSize] = {};

  /** Sorts the values at some places. */
  constexpr void
  Sort(int * places, int number)
  {
    if (number > 1)
    {
      const int half = number / 2;
      this->Sort(places, half);
      this->Sort(places + half, number - half);
      this->Merge(places, half, places + half, number - half, places);
    }
  }

  /** Merges two sorted lists of places: those with even and those with odd ranks, and then neighbours among both. The
   * result may replace the lists. */
  constexpr void
  Merge(const int * a, int numberOfA, const int * b, int numberOfB, int * merged)
  {
    int merges[2][VSize] = {};
    int lengths[2] = {};
    if (numberOfA + numberOfB == 2 && numberOfA == 1)
    {
      this->Compare(*a, *b);
      const int first = *a;
      const int second = *b;
      merged[0] = first;
      merged[1] = second;
      return;
    }
    for (int parity = 0; parity < 2; ++parity)
    {
      int partA[VSize] = {};
      int partB[VSize] = {};
      int lengthA = 0;
      int lengthB = 0;
      for (int i = parity; i < numberOfA; i += 2)
      {
        partA[lengthA++] = a[i];
      }
      for (int i = parity; i < numberOfB; i += 2)
      {
        partB[lengthB++] = b[i];
      }
      lengths[parity] = lengthA + lengthB;
      if (lengthA == 0 || lengthB == 0)
      {
        for (int i = 0; i < lengths[parity]; ++i)
        {
          merges[parity][i] = lengthA == 0 ? partB[i] : partA[i];
        }
      }
      else
      {
        this->Merge(partA, lengthA, partB, lengthB, merges[parity]);
      }
    }
    int length = 0;
    merged[length++] = merges[0][0];
    for (int i = 0; i + 1 < lengths[0] || i < lengths[1]; ++i)
    {
      const bool hasEven = i + 1 < lengths[0];
      const bool hasOdd = i < lengths[1];
      if (hasEven && hasOdd)
      {
        this->Compare(merges[1][i], merges[0][i + 1]);
      }
      if (hasOdd)
      {
        merged[length++] = merges[1][i];
      }
      if (hasEven)
      {
        merged[length++] = merges[0][i + 1];
      }
    }
  }

private:
  constexpr void
  Compare(int first, int second)
  {
    this->First[this->Number] = first;
    this->Second[this->Number] = second;
    ++this->Number;
  }
};

template <int VSize>
struct SortNetwork
{
  static constexpr SortingNetwork<VSize>
  Make()
  {
    SortingNetwork<VSize> network;
    for (int i = 0; i < VSize; ++i)
    {
      network.Order[i] = i;
    }
    network.Sort(network.Order, VSize);
    return network;
  }
  static constexpr SortingNetwork<VSize> Value = Make();
};

/** Merges two sorted lists of VHalf values, one behind the other. */
template <int VHalf>
struct MergeNetwork
{
  static constexpr SortingNetwork<2 * VHalf>
  Make()
  {
    SortingNetwork<2 * VHalf> network;
    int                       places[2 * VHalf] = {};
    for (int i = 0; i < 2 * VHalf; ++i)
    {
      places[i] = i;
    }
    network.Merge(places, VHalf, places + VHalf, VHalf, network.Order);
    return network;
  }
  static constexpr SortingNetwork<2 * VHalf> Value = Make();
};

// Pairs of unsigned numbers of 16 bits, each pair in one register, or one unsigned number.

template <int VPairs>
struct PairsOfKeys
{
  std::uint32_t Pairs[VPairs];
};

template <int VPairs>
__device__ __forceinline__ PairsOfKeys<VPairs>
                           Lesser(const PairsOfKeys<VPairs> & a, const PairsOfKeys<VPairs> & b)
{
  PairsOfKeys<VPairs> lesser;
#pragma unroll
  for (int i = 0; i < VPairs; ++i)
  {
    lesser.Pairs[i] = __vminu2(a.Pairs[i], b.Pairs[i]);
  }
  return lesser;
}
template <int VPairs>
__device__ __forceinline__ PairsOfKeys<VPairs>
                           Greater(const PairsOfKeys<VPairs> & a, const PairsOfKeys<VPairs> & b)
{
  PairsOfKeys<VPairs> greater;
#pragma unroll
  for (int i = 0; i < VPairs; ++i)
  {
    greater.Pairs[i] = __vmaxu2(a.Pairs[i], b.Pairs[i]);
  }
  return greater;
}
__device__ __forceinline__ std::uint32_t
                           Lesser(std::uint32_t a, std::uint32_t b)
{
  return a < b ? a : b;
}
__device__ __forceinline__ std::uint32_t
                           Greater(std::uint32_t a, std::uint32_t b)
{
  return a < b ? b : a;
}
__device__ __forceinline__ std::uint64_t
                           Lesser(std::uint64_t a, std::uint64_t b)
{
  return a < b ? a : b;
}
__device__ __forceinline__ std::uint64_t
                           Greater(std::uint64_t a, std::uint64_t b)
{
  return a < b ? b : a;
}

template <int VFirst, int VSecond, typename TKey, int VSize>
__device__ __forceinline__ void
CompareKeys(TKey (&keys)[VSize])
{
  const TKey lesser = Lesser(keys[VFirst], keys[VSecond]);
  keys[VSecond] = Greater(keys[VFirst], keys[VSecond]);
  keys[VFirst] = lesser;
}

template <typename TNetwork, typename TKey, int VSize, std::size_t... VComparators, std::size_t... VPlaces>
__device__ __forceinline__ void
ApplyNetwork(TKey (&keys)[VSize], std::index_sequence<VComparators...>, std::index_sequence<VPlaces...>)
{
  (CompareKeys<TNetwork::Value.First[VComparators], TNetwork::Value.Second[VComparators]>(keys), ...);
  const TKey sorted[VSize] = { keys[std::integral_constant<int, TNetwork::Value.Order[VPlaces]>::value]... };
#pragma unroll
  for (int i = 0; i < VSize; ++i)
  {
    keys[i] = sorted[i];
  }
}

/** Sorts keys: by SortNetwork, or by MergeNetwork if both halves are sorted. */
template <typename TNetwork, typename TKey, int VSize>
__device__ __forceinline__ void
SortKeys(TKey (&keys)[VSize])
{
  ApplyNetwork<TNetwork>(keys, std::make_index_sequence<TNetwork::Value.Number>(), std::make_index_sequence<VSize>());
}
} // namespace CudaFilters
} // namespace itk

#endif
