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
/** Pixels of two kinds in an image, one bit a pixel: candidates, and those of them that are strong. Rows begin with a
 * new word; in a word, the lowest bit is the first pixel. All words of the candidates come before those of the strong.
 */
struct EdgeMasks
{
  std::uint32_t * Words = nullptr;
  Size3           Size{ { 0, 0, 0 } };

  std::int64_t
  GetWordsPerRow() const
  {
    return (this->Size[0] + 31) / 32;
  }

  /** Of one of the two kinds. */
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

/** A candidate at the border of an image that is a tile of a larger one. */
struct BorderCandidate
{
  std::uint64_t Pixel; // its number in the image, counted along x, y and z
  std::uint64_t Label; // the same for all that hang together; 0 if there is a strong one among them
};

/** Finds the candidates that hang together with a strong one, directly or through others: those kept by hysteresis.
 * Pixels hang together with all that touch them, at corners, too. */
class EdgeLinker
{
public:
  /** Enqueues the linking of the edges in masks, which must stay until the last work was enqueued. */
  EdgeLinker(Execution & execution, const EdgeMasks & masks, unsigned int dimension);
  ~EdgeLinker();
  EdgeLinker(const EdgeLinker &) = delete;
  EdgeLinker &
  operator=(const EdgeLinker &) = delete;

  /** The candidates at the border. Waits for the device. */
  std::vector<BorderCandidate>
  GetBorder();

  /** Keeps the candidates with the given labels, too: something strong beyond the border hangs together with them. */
  void
  Keep(const std::vector<std::uint64_t> & labels);

  /** Enqueues the writing of a dense image of what is kept, 1, and all else, 0. Instantiated for the pixel types of
   * CUDAFILTERS_FOR_EACH_PIXEL. */
  template <typename TOutput>
  void
  Write(TOutput * output);

  /** The device memory that linking takes for itself, and that GetBorder() takes besides. */
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
