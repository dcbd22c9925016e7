// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_Binning_h
#define CudaFilters_Binning_h

// Reductions of an image to a vector of bins. Documentation/PixelFunctions.md shows how to write one.

#include "CudaFiltersExport.h"
#include "CudaFilters/HostDevice.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/PixelFunction.h"
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** The bin of a pixel that is not counted. */
constexpr std::int64_t NoBin = -1;

/** What a binner makes of a pixel: the weight is added to the bin. A binner may return the number of the bin alone; the
 * weight is then 1. */
struct PixelBin
{
  std::int64_t Bin;    ///< its number, from 0 on
  std::int64_t Weight; ///< what is added to it
};

CUDAFILTERS_HOST_DEVICE inline PixelBin
ToPixelBin(const PixelBin & bin)
{
  return bin;
}
CUDAFILTERS_HOST_DEVICE inline PixelBin
ToPixelBin(std::int64_t bin)
{
  return { bin, 1 };
}

/** Calls a binner, with the position behind the pixel if it takes one. getPosition() is called only then. */
#if defined(__CUDACC__)
#  pragma nv_exec_check_disable
#endif
template <typename TBinner, typename TPixel, typename TGetPosition>
CUDAFILTERS_HOST_DEVICE auto
CallBinner(const TBinner & binner, const TPixel & pixel, TGetPosition getPosition)
{
  if constexpr (TakesPosition<TBinner, TPixel>)
  {
    return binner(pixel, getPosition());
  }
  else
  {
    return binner(pixel);
  }
}

/** Whether all weights are 1. */
template <typename TBinner, typename TPixel>
constexpr bool CountsPixels = std::is_integral<decltype(CallBinner(std::declval<const TBinner &>(),
                                                                   std::declval<const TPixel &>(),
                                                                   std::declval<PixelPosition (*)()>()))>::value;

/** Adjacent pixels in device memory. */
struct PixelsOnDevice
{
  const void * Pixels; ///< dense: x varies fastest
  /** Which pixels these are. */
  Region3 Region;
};

/** The sums of all bins in device memory. */
struct BinsOnDevice
{
  std::int64_t * Sums;   ///< of the bins
  std::int64_t   Number; ///< of bins
  /** Becomes a bin that does not exist, if a binner returns one. */
  std::int64_t * BadBin;
};

/** \class BinningOperation
 * \brief An operation that adds weights of all pixels of its only input to bins.
 *
 * Sums of integers do not depend on the order. Throws an itk::ExceptionObject if a bin does not exist. */
class CudaFilters_EXPORT BinningOperation : public Operation
{
public:
  ~BinningOperation() override;

  std::size_t
  GetScratchBytes(const RegionPlan & plan) const override;
  void
  RunWhole(Runner & runner, Execution & execution) override;
  void
  RunTiles(Runner & runner) override;

protected:
  /** region: all pixels that are counted. sums: as long as there are bins; becomes the result. */
  BinningOperation(const Region3 & region, std::vector<std::int64_t> & sums);

  /** Enqueues the addition of pixels to the bins. */
  virtual void
  AddPixels(Execution & execution, const PixelsOnDevice & pixels, const BinsOnDevice & bins) const = 0;

private:
  /** Adds pixels to bins on the device, and waits for them. finish() is called before the wait. */
  std::vector<std::int64_t>
  SumUp(Execution & execution, const PixelsOnDevice & pixels, const std::function<void()> & finish) const;

  Region3                     m_Region;
  std::vector<std::int64_t> & m_Sums;
};

/** Throws an itk::ExceptionObject: a pixel belongs to a bin that does not exist. */
[[noreturn]] CudaFilters_EXPORT void
ThrowBadBin(std::int64_t bin, std::int64_t numberOfBins);

/** Makes the operation that adds the weights of pixels to bins. Defined in CudaFilters/Binning.cuh; a CUDA source
 * instantiates it with CUDAFILTERS_INSTANTIATE_BINNING. */
template <typename TBinner, typename TPixel>
struct BinningOperationMaker
{
  /** image: the largest possible region of the input, in which positions are counted. */
  static OperationPointer
  Make(const TBinner & binner, const Region3 & region, const Region3 & image, std::vector<std::int64_t> & sums);
};
} // namespace CudaFilters
} // namespace itk

#endif
