// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_WavefrontEffort_h
#define CudaFilters_WavefrontEffort_h

#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** What it took until nothing changed any more. */
struct WavefrontEffort
{
  /** The tiles of the image, and how often one was visited; 0 where the whole image was swept. */
  std::uint64_t Tiles = 0;
  std::uint64_t Visits = 0;
  /** The sweeps over tiles, or over the whole image; there and back are two. */
  std::uint64_t Sweeps = 0;

  WavefrontEffort &
  operator+=(const WavefrontEffort & other)
  {
    this->Tiles += other.Tiles;
    this->Visits += other.Visits;
    this->Sweeps += other.Sweeps;
    return *this;
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
