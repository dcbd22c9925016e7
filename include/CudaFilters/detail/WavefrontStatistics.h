// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_WavefrontStatistics_h
#define CudaFilters_detail_WavefrontStatistics_h

#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** Statistics of a propagation that runs until no pixel changes. */
struct WavefrontStatistics
{
  /** The number of tiles in the image and the number of tile visits; 0 if the whole image was swept without tiles. */
  std::uint64_t Tiles = 0;
  std::uint64_t Visits = 0;
  /** The number of sweeps over tiles, or over the whole image; a forward and a backward sweep count as two. */
  std::uint64_t Sweeps = 0;
  /** The number of kernel launches that visited tiles. */
  std::uint64_t Launches = 0;

  WavefrontStatistics &
  operator+=(const WavefrontStatistics & other)
  {
    this->Tiles += other.Tiles;
    this->Visits += other.Visits;
    this->Sweeps += other.Sweeps;
    this->Launches += other.Launches;
    return *this;
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
