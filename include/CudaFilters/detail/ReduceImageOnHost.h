// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_ReduceImageOnHost_h
#define CudaFilters_detail_ReduceImageOnHost_h

#include "CudaFilters/Reduction.h"
#include "CudaFilters/detail/HostFunctor.h"
#include "CudaFilters/detail/HostPosition.h"
#include "CudaFilters/detail/ReductionTree.h"
#include "itkMultiThreaderBase.h"
#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** Reduces a region of an image on the CPU, in the order of ReductionTree.h. */
template <typename TReducer, typename TImage>
typename TReducer::ValueType
ReduceImageOnHost(const TReducer &                    reducer,
                  const TImage &                      image,
                  const typename TImage::RegionType & region,
                  MultiThreaderBase &                 threader)
{
  using Value = typename TReducer::ValueType;
  using Pixel = FunctorPixel<typename TImage::PixelType>;
  static_assert(!std::is_same<Value, bool>::value, "Values of type bool share bytes in a vector; use int.");
  static_assert(TImage::ImageDimension <= 3 || !ReducesPosition<TReducer, Pixel>, "Positions have three coordinates.");

  const auto         pixels = static_cast<std::int64_t>(region.GetNumberOfPixels());
  const std::int64_t leaves = GetNumberOfLeaves(pixels);
  const std::int64_t length = pixels == 0 ? 1 : static_cast<std::int64_t>(region.GetSize(0));
  const auto * const buffer = image.GetBufferPointer();
  std::vector<Value> values(static_cast<std::size_t>(leaves));

  // Walks through the pixels of a leaf in ascending order, row by row.
  const auto reduceLeaf = [&](SizeValueType leaf) {
    const std::int64_t                 first = static_cast<std::int64_t>(leaf) * LeafLength;
    std::int64_t                       row = -1;
    std::int64_t                       column = 0;
    typename TImage::IndexType         index{};
    const typename TImage::PixelType * line = nullptr;
    const auto                         get = [&](std::int64_t i) {
      if (row < 0 || column == length)
      {
        row = (first + i) / length;
        column = (first + i) % length;
        std::int64_t rest = row;
        index[0] = region.GetIndex(0);
        for (unsigned int axis = 1; axis < TImage::ImageDimension; ++axis)
        {
          const auto size = static_cast<std::int64_t>(region.GetSize(axis));
          index[axis] = region.GetIndex(axis) + rest % size;
          rest /= size;
        }
        line = buffer + image.ComputeOffset(index);
      }
      const Pixel pixel = ToFunctorPixel(line[column]);
      if constexpr (ReducesPosition<TReducer, Pixel>)
      {
        typename TImage::IndexType at = index;
        at[0] += column;
        const PixelPosition position = GetHostPosition(at, image.GetLargestPossibleRegion());
        ++column;
        return reducer.Transform(pixel, position);
      }
      else
      {
        ++column;
        return reducer.Transform(pixel);
      }
    };
    values[leaf] = ReduceLeafOnHost(reducer, std::min<std::int64_t>(LeafLength, pixels - first), get);
  };
  threader.ParallelizeArray(0, static_cast<SizeValueType>(leaves), reduceLeaf, nullptr);
  return CombineLeavesOnHost(reducer, std::move(values));
}
} // namespace CudaFilters
} // namespace itk

#endif
