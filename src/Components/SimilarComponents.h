// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersSimilarComponents_h
#define itkCudaFiltersSimilarComponents_h

#include "CudaFilters/Execution.h"
#include "CudaFilters/Region3.h"
#include <cstddef>
#include <cstdint>
#include <memory>

namespace itk
{
namespace CudaFilters
{
/** Which pixels are connected. */
template <typename TPixel>
struct SimilarityRule
{
  TPixel Threshold; // the greatest difference of pixels that are similar
  bool   IsSigned;  // whether pixels and threshold are signed, if they are integers
  bool   IsFull;    // whether diagonal neighbours are connected
};

/** What CudaScalarConnectedComponentImageFilter computes: finds and numbers the objects of an image, connected pixels
 * that are similar to their neighbours. All pixels belong
 * to objects, but for those outside a mask. The methods enqueue work, and those that return something wait for it. */
class SimilarComponentLabeller
{
public:
  SimilarComponentLabeller(Execution & execution, const Size3 & size, bool hasMask);
  ~SimilarComponentLabeller();
  SimilarComponentLabeller(const SimilarComponentLabeller &) = delete;
  SimilarComponentLabeller &
  operator=(const SimilarComponentLabeller &) = delete;

  /** If there is a mask, it must be set before objects are found: a dense image. */
  template <typename TPixel>
  void
  SetMask(const TPixel * mask);

  /** Connects the pixels of a dense image. */
  template <typename TPixel>
  void
  FindObjects(const TPixel * image, const SimilarityRule<TPixel> & rule);

  /** Whether a pixel of the image or of the mask was not a number. */
  bool
  HasNaN() const;

  /** The greatest number that Write() writes. As in ITK's filter, numbers may have gaps. */
  std::uint64_t
  GetGreatestNumber() const;
  std::uint64_t
  GetNumberOfObjects() const;

  /** Writes a dense image of numbers, from 1 on, and 0 outside the mask. */
  template <typename TOutput>
  void
  Write(TOutput * output);

  /** The device memory that the labeller allocates. */
  static std::size_t
  GetScratchBytes(const Size3 & size, bool hasMask);

private:
  class Implementation;
  std::unique_ptr<Implementation> m_Implementation;
};
} // namespace CudaFilters
} // namespace itk

#endif
