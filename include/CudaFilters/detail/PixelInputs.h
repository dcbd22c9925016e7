// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_PixelInputs_h
#define CudaFilters_detail_PixelInputs_h

#include "CudaFilters/ImageList.h"
#include "CudaFilters/PixelFunction.h"
#include "itkProcessObject.h"
#include "itkSimpleDataObjectDecorator.h"
#include <cstddef>
#include <utility>

namespace itk
{
namespace CudaFilters
{
/** An input of a filter that may be a constant, as those of BinaryFunctorImageFilter. */
template <typename TPixel>
PixelSource<TPixel>
GetPixelSource(const ProcessObject & filter, std::size_t input)
{
  PixelSource<TPixel> source;
  const auto          inputs = const_cast<ProcessObject &>(filter).GetIndexedInputs();
  const auto * const  constant = dynamic_cast<const SimpleDataObjectDecorator<TPixel> *>(
    input < inputs.size() ? inputs[input].GetPointer() : nullptr);
  if (constant != nullptr)
  {
    source.IsConstant = true;
    source.Constant = constant->Get();
  }
  return source;
}

/** Adds the output of a filter, and all inputs that are no constants. */
template <typename TOutputImage, typename... TInputImages, std::size_t... VInputs>
void
CollectPixelImages(ProcessObject & filter, ImageList & images, std::index_sequence<VInputs...>)
{
  if constexpr (IsDeviceImage<TOutputImage>() && (IsDeviceImage<TInputImages>() && ...))
  {
    const auto inputs = filter.GetIndexedInputs();
    const auto add = [&](auto * null, std::size_t i) {
      using ImageType = std::remove_pointer_t<decltype(null)>;
      if (!GetPixelSource<typename ImageType::PixelType>(filter, i).IsConstant)
      {
        images.AddInput(dynamic_cast<const ImageType *>(i < inputs.size() ? inputs[i].GetPointer() : nullptr));
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
