// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersEdgeLinker_h
#define itkCudaFiltersEdgeLinker_h

#include "CudaFilters/Execution.h"
#include "CudaFilters/Region3.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** Two bit masks of an image, one bit per pixel: the candidates, and the candidates that are strong. Each row begins
 * with a new word; the lowest bit of a word is its first pixel. All words of the candidates precede those of the strong
 * ones. */
struct EdgeMasks
{
  std::uint32_t * Words = nullptr;
  Size3           Size{ { 0, 0, 0 } };

  std::int64_t
  GetWordsPerRow() const
  {
    return (this->Size[0] + 31) / 32;
  }

  /** The number of words of one of the two masks. */
  std::int64_t
  GetNumberOfWords() const
  {
    return this->GetWordsPerRow() * this->Size[1] * this->Size[2];
  }

  std::size_t
  GetBytes() const
  {
    return 2 * sizeof(std::uint32_t) * this->GetNumberOfWords();
  }
};

/** A candidate at the border of an image that is a tile of a larger image. */
struct BorderCandidate
{
  std::uint64_t Pixel; // its linear index in the tile, with x changing fastest
  std::uint64_t Label; // the same for all connected candidates; 0 if one of them is strong
};

/** Finds the candidates that are connected to a strong one, directly or through other candidates: hysteresis keeps
 * these. A pixel is connected to all neighbours, including diagonal ones. */
class EdgeLinker
{
public:
  /** Enqueues the linking of the edges in masks. The masks must exist until the last work of this object has been
   * enqueued. */
  EdgeLinker(Execution & execution, const EdgeMasks & masks, unsigned int dimension);
  ~EdgeLinker();
  EdgeLinker(const EdgeLinker &) = delete;
  EdgeLinker &
  operator=(const EdgeLinker &) = delete;

  /** Returns the candidates at the border. Waits for the device. */
  std::vector<BorderCandidate>
  GetBorder();

  /** Also keeps the candidates with the given labels, because they are connected to a strong candidate beyond the
   * border. */
  void
  Keep(const std::vector<std::uint64_t> & labels);

  /** Enqueues the writing of a dense image: 1 for pixels that are kept, 0 for all others. Instantiated for the pixel
   * types of CUDAFILTERS_FOR_EACH_PIXEL. */
  template <typename TOutput>
  void
  Write(TOutput * output);

  /** The device memory that linking allocates, and that GetBorder() allocates in addition. */
  static std::size_t
  GetScratchBytes(const Size3 & size);
  static std::size_t
  GetBorderBytes(const Size3 & size, unsigned int dimension);

private:
  class Implementation;
  std::unique_ptr<Implementation> m_Implementation;
};
} // namespace CudaFilters
} // namespace itk

#endif
