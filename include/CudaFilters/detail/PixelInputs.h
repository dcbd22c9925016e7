// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_PixelInputs_h
#define CudaFilters_detail_PixelInputs_h

#include "CudaFilters/ImageList.h"
#include "CudaFilters/PixelFunction.h"
#include "CudaFilters/detail/ScalarType.h"
#include "itkProcessObject.h"
#include "itkSimpleDataObjectDecorator.h"
#include <cstddef>
#include <type_traits>
#include <utility>

namespace itk
{
namespace CudaFilters
{
/** An input of a filter by its number; nullptr if there is none. */
inline const DataObject *
GetIndexedInput(const ProcessObject & filter, std::size_t input)
{
  const auto inputs = const_cast<ProcessObject &>(filter).GetIndexedInputs();
  return input < inputs.size() ? inputs[input].GetPointer() : nullptr;
}

/** An input of a filter that may be a constant, as those of BinaryFunctorImageFilter. */
template <typename TPixel>
PixelSource<TPixel>
GetPixelSource(const ProcessObject & filter, std::size_t input)
{
  PixelSource<TPixel> source;
  const auto * const constant = dynamic_cast<const SimpleDataObjectDecorator<TPixel> *>(GetIndexedInput(filter, input));
  if (constant != nullptr)
  {
    source.IsConstant = true;
    source.Constant = constant->Get();
  }
  return source;
}

/** Whether there are kernels for functors of one's own, if a CUDA source compiles them for the pixels: without a CUDA
 * compiler, cudafilters_add_kernels() leaves the source out. */
#if defined(CUDAFILTERS_WITHOUT_KERNELS)
template <typename... TImages>
constexpr bool HasFunctorKernels = false;
#else
template <typename TImage, typename... TImages>
constexpr bool HasFunctorKernels = IsDeviceImage<TImage>() && (IsDeviceImage<TImages>() && ...) &&
                                   ((TImages::ImageDimension == TImage::ImageDimension) && ...) &&
                                   (TImage::ImageDimension == 2 || TImage::ImageDimension == 3);
#endif
constexpr const char * NoFunctorKernels =
  "the functor has no kernel: its CUDA source was left out (cudafilters_add_kernels), or the images have different "
  "dimensions";

/** Whether the kernels of pixel functions read and write images of a type. */
template <typename TImage>
constexpr bool
IsScalarImage()
{
  return IsDeviceImage<TImage>() && GetScalarType<typename TImage::PixelType>() != ScalarType::Other;
}

/** A scalar pixel as double, which holds all integers of 32 bits exactly; 0 for other pixels, which have no kernels. */
template <typename TPixel>
double
ToDouble(const TPixel & pixel)
{
  if constexpr (std::is_arithmetic<TPixel>::value)
  {
    return static_cast<double>(pixel);
  }
  else
  {
    return 0.0;
  }
}

/** Adds the output of a filter, and all inputs that are no constants. */
template <typename TOutputImage, typename... TInputImages, std::size_t... VInputs>
void
CollectPixelImages(ProcessObject & filter, ImageList & images, std::index_sequence<VInputs...>)
{
  if constexpr (IsDeviceImage<TOutputImage>() && (IsDeviceImage<TInputImages>() && ...))
  {
    const auto add = [&](auto * null, std::size_t i) {
      using ImageType = std::remove_pointer_t<decltype(null)>;
      if (!GetPixelSource<typename ImageType::PixelType>(filter, i).IsConstant)
      {
        images.AddInput(dynamic_cast<const ImageType *>(GetIndexedInput(filter, i)));
      }
    };
    (add(static_cast<TInputImages *>(nullptr), VInputs), ...);
    images.AddOutput(static_cast<TOutputImage *>(filter.GetIndexedOutputs()[0].GetPointer()));
  }
}

template <typename TOutputImage, typename... TInputImages>
void
CollectPixelImages(ProcessObject & filter, ImageList & images)
{
  CollectPixelImages<TOutputImage, TInputImages...>(filter, images, std::index_sequence_for<TInputImages...>());
}
} // namespace CudaFilters
} // namespace itk

#endif
