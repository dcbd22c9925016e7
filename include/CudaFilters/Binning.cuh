// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_Binning_cuh
#define CudaFilters_Binning_cuh

// For CUDA sources only: reductions to vectors from binners. Documentation/PixelFunctions.md shows its use.

#include "CudaFilters/Binning.h"
#include "CudaFilters/Launch.cuh"
#include "CudaFilters/PixelFunction.cuh"
#include "CudaFilters/detail/PixelFunctionKernel.cuh"
#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>

/** Compiles a binner for a type of pixels: CUDAFILTERS_INSTANTIATE_BINNING(Binner, Pixel). To be used outside all
 * namespaces. If the linker does not find BinningOperationMaker<...>::Make, such a line is missing. */
#define CUDAFILTERS_INSTANTIATE_BINNING(...) template struct itk::CudaFilters::BinningOperationMaker<__VA_ARGS__>

namespace itk
{
namespace CudaFilters
{
constexpr int          BinningPacks = 2;
constexpr std::int64_t MostBytesOfBins = 48 * 1024; // of shared memory that a block has without asking for more

/** Whether int has all numbers of a type of bins. */
template <typename TBin>
constexpr bool IsIntBin = std::is_integral<TBin>::value &&
                          (sizeof(TBin) < sizeof(int) || (sizeof(TBin) == sizeof(int) && std::is_signed<TBin>::value));

/** Whether a binner has the constant SkipsOtherBins: pixels whose bins do not exist are not counted, and are no error.
 * For binners without a CPU path, which would take them for errors. */
template <typename TBinner, typename = void>
constexpr bool SkipsOtherBins = false;
template <typename TBinner>
constexpr bool SkipsOtherBins<TBinner, std::void_t<decltype(TBinner::SkipsOtherBins)>> = TBinner::SkipsOtherBins;

/** The type of a bin in shared memory. A block counts fewer than 2^32 pixels. */
template <bool VCountsPixels>
using SharedBin = std::conditional_t<VCountsPixels, unsigned int, unsigned long long>;

/** Adds the weights of pixels to bins in shared memory, of which each block has its own. Pixels that fall into one bin
 * cost no more than others: the hardware counts the equal addresses of a warp at once. Before the bins is one for
 * pixels without a bin, and behind them one for bins that do not exist: counting needs no branch. */
template <bool VCountsPixels>
class SharedBins
{
public:
  using Bin = SharedBin<VCountsPixels>;

  static constexpr std::int64_t
  GetBytes(std::int64_t bins)
  {
    return (bins + 2) * static_cast<std::int64_t>(sizeof(Bin));
  }

  __device__
  SharedBins(const BinsOnDevice & bins, void * memory)
    : m_Bins(bins)
    , m_Number(static_cast<unsigned int>(bins.Number))
    , m_Own(static_cast<Bin *>(memory))
  {
    for (unsigned int i = threadIdx.x; i < m_Number + 2; i += blockDim.x)
    {
      m_Own[i] = 0;
    }
    __syncthreads();
  }

  /** Counts a pixel whose bin may not exist. */
  __device__ __forceinline__ void
  Count(unsigned int bin)
  {
    const unsigned int next = bin + 1; // 0 for NoBin
    atomicAdd(&m_Own[next <= m_Number ? next : m_Number + 1], Bin{ 1 });
  }

  /** The same where bins that do not exist are no error: half the instructions, which the time depends on. */
  __device__ __forceinline__ void
  CountOrSkip(unsigned int bin)
  {
    atomicAdd(&m_Own[(bin < m_Number ? bin : m_Number) + 1], Bin{ 1 });
  }

  __device__ void
  Add(unsigned int bin, std::int64_t weight)
  {
    atomicAdd(&m_Own[bin + 1], static_cast<Bin>(weight));
  }

  /** Adds the bins of the block to those in global memory. Returns whether a bin did not exist. */
  __device__ bool
  Finish()
  {
    __syncthreads();
    for (unsigned int i = threadIdx.x; i < m_Number; i += blockDim.x)
    {
      const Bin sum = m_Own[i + 1];
      if (sum != 0)
      {
        atomicAdd(reinterpret_cast<unsigned long long *>(&m_Bins.Sums[i]), static_cast<unsigned long long>(sum));
      }
    }
    return m_Own[m_Number + 1] != 0;
  }

private:
  const BinsOnDevice & m_Bins;
  unsigned int         m_Number;
  Bin *                m_Own;
};

/** Adds the weights of pixels to bins in global memory, for more bins than shared memory holds. A thread adds up the
 * weights of equal bins that follow each other before it touches memory. */
class GlobalBins
{
public:
  __device__
  GlobalBins(const BinsOnDevice & bins, const void *)
    : m_Bins(bins)
  {}

  __device__ void
  Count(unsigned int bin)
  {
    if (bin < static_cast<unsigned int>(m_Bins.Number))
    {
      this->Add(bin, 1);
    }
    else
    {
      m_IsBad = m_IsBad || static_cast<int>(bin) != NoBin;
    }
  }

  __device__ void
  CountOrSkip(unsigned int bin)
  {
    if (bin < static_cast<unsigned int>(m_Bins.Number))
    {
      this->Add(bin, 1);
    }
  }

  __device__ void
  Add(unsigned int bin, std::int64_t weight)
  {
    if (bin != m_Bin)
    {
      this->Finish();
      m_Bin = bin;
      m_Sum = 0;
    }
    m_Sum += weight;
  }

  __device__ bool
  Finish()
  {
    if (m_Sum != 0)
    {
      atomicAdd(reinterpret_cast<unsigned long long *>(&m_Bins.Sums[m_Bin]), static_cast<unsigned long long>(m_Sum));
    }
    return m_IsBad;
  }

private:
  const BinsOnDevice & m_Bins;
  unsigned int         m_Bin = 0;
  std::int64_t         m_Sum = 0;
  bool                 m_IsBad = false;
};

/** Adds the weights of all pixels to bins. One thread loads BinningPacks packs of VWidth pixels at a time, in a loop
 * over the grid. The pixels behind the last pack are left to the first block. */
template <typename TBins, int VWidth, typename TBinner, typename TReader>
__global__ void
BinPixelsKernel(PixelGrid grid, std::int64_t pixels, TBinner binner, TReader reader, BinsOnDevice bins)
{
  using Pixel = typename TReader::ValueType;

  CUDAFILTERS_DYNAMIC_SHARED(unsigned long long, memory);
  TBins      target(bins, memory);
  const auto getBin = [&](const Pixel & pixel, std::int64_t number) {
    return CallBinner(binner, pixel, [&] { return grid.GetPosition(number); });
  };
  // Calls a function for all pixels of the thread.
  const auto forEach = [&](const auto & function) {
    const std::int64_t packs = VWidth > 1 ? pixels / VWidth : pixels;
    const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * (BinningPacks * PackThreads);
    for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * (BinningPacks * PackThreads) + threadIdx.x;
         first < packs;
         first += step)
    {
      Pixel values[BinningPacks][VWidth];
      reader.LoadPacks(values, first, packs);
#pragma unroll
      for (int i = 0; i < BinningPacks; ++i)
      {
        const std::int64_t pack = first + i * PackThreads;
        if (pack < packs)
        {
#pragma unroll
          for (int j = 0; j < VWidth; ++j)
          {
            function(values[i][j], pack * VWidth + j);
          }
        }
      }
    }
    const std::int64_t left = packs * VWidth + threadIdx.x;
    if (blockIdx.x == 0 && left < pixels)
    {
      function(reader.LoadPixel(left, 0, 0), left);
    }
  };

  forEach([&](const Pixel & pixel, std::int64_t number) {
    const auto result = getBin(pixel, number);
    if constexpr (SkipsOtherBins<TBinner>)
    {
      target.CountOrSkip(static_cast<unsigned int>(result));
    }
    else if constexpr (IsIntBin<decltype(result)>)
    {
      target.Count(static_cast<unsigned int>(result));
    }
    else
    {
      const PixelBin bin = ToPixelBin(result);
      if (bin.Bin >= 0 && bin.Bin < bins.Number)
      {
        target.Add(static_cast<unsigned int>(bin.Bin), bin.Weight);
      }
      else if (bin.Bin != NoBin)
      {
        *bins.BadBin = bin.Bin;
      }
    }
  });
  if (target.Finish() && !SkipsOtherBins<TBinner>)
  {
    // Which bin did not exist?
    forEach([&](const Pixel & pixel, std::int64_t number) {
      const std::int64_t bin = ToPixelBin(getBin(pixel, number)).Bin;
      if ((bin < 0 || bin >= bins.Number) && bin != NoBin)
      {
        *bins.BadBin = bin;
      }
    });
  }
}

/** Enqueues BinPixelsKernel. Bins are in shared memory, if they fit. */
template <int VWidth, typename TBinner, typename TReader>
void
RunBinning(const Execution &    execution,
           const Region3 &      region,
           const Region3 &      image,
           const TBinner &      binner,
           const TReader &      reader,
           const BinsOnDevice & bins)
{
  constexpr bool         countsPixels = CountsPixels<TBinner, typename TReader::ValueType>;
  constexpr std::int64_t mostBlocks = 1024;

  const std::int64_t pixels = region.GetNumberOfPixels();
  using Shared = SharedBins<countsPixels>;
  const std::int64_t bytes = Shared::GetBytes(bins.Number);
  const bool         isShared = bytes <= MostBytesOfBins;
  // Enough pixels per block to amortize the addition of its bins to global memory.
  const std::int64_t pixelsPerBlock = std::max<std::int64_t>(16384, isShared ? 4 * bins.Number : 0);
  const auto         run = [&](auto kernel, std::int64_t sharedBytes) {
    Launch(execution,
           "BinPixelsKernel",
           kernel,
           { dim3(static_cast<unsigned int>(std::min(DivideUp(pixels, pixelsPerBlock), mostBlocks))),
             dim3(PackThreads),
             static_cast<std::size_t>(sharedBytes) },
           PixelGrid(region, image),
           pixels,
           binner,
           reader,
           bins);
  };
  const auto runWide = [&](auto width) {
    constexpr int Width = decltype(width)::value;
    isShared ? run(BinPixelsKernel<Shared, Width, TBinner, TReader>, bytes)
             : run(BinPixelsKernel<GlobalBins, Width, TBinner, TReader>, 0);
  };
  reader.template IsAligned<VWidth>() ? runWide(std::integral_constant<int, VWidth>())
                                      : runWide(std::integral_constant<int, 1>());
}

template <typename TBinner, typename TPixel>
class TypedBinningOperation : public BinningOperation
{
public:
  TypedBinningOperation(const TBinner &             binner,
                        const Region3 &             region,
                        const Region3 &             image,
                        std::vector<std::int64_t> & sums)
    : BinningOperation(region, sums)
    , m_Binner(binner)
    , m_Image(image)
  {}

protected:
  void
  AddPixels(Execution & execution, const PixelsOnDevice & pixels, const BinsOnDevice & bins) const override
  {
    const PixelReader<TPixel> reader{ static_cast<const TPixel *>(pixels.Pixels), {}, {} };
    RunBinning<GetPixelFunctionWidth<TPixel>()>(execution, pixels.Region, m_Image, m_Binner, reader, bins);
  }

private:
  TBinner m_Binner;
  Region3 m_Image;
};

template <typename TBinner, typename TPixel>
OperationPointer
BinningOperationMaker<TBinner, TPixel>::Make(const TBinner &             binner,
                                             const Region3 &             region,
                                             const Region3 &             image,
                                             std::vector<std::int64_t> & sums)
{
  static_assert(std::is_trivially_copyable<TBinner>::value, "A binner is copied to the device by its bytes.");
  return std::make_unique<TypedBinningOperation<TBinner, TPixel>>(binner, region, image, sums);
}
} // namespace CudaFilters
} // namespace itk

#endif
