// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaMeanImageFilter_h
#define itkCudaMeanImageFilter_h

#include "MeanOperation.h"
#include "itkCudaAcceleratedImageFilter.h"
#include "itkMeanImageFilter.h"
#include <type_traits>

namespace itk
{
/** \class CudaMeanImageFilter
 * \brief ITK's MeanImageFilter with the mean computed on a CUDA device.
 *
 * An example of a filter outside the module CudaFilters: Documentation/OwnFilter.md.
 */
template <typename TInputImage, typename TOutputImage>
class CudaMeanImageFilter : public CudaAcceleratedImageFilter<MeanImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaMeanImageFilter, CudaAcceleratedImageFilter<MeanImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaMeanImageFilter() = default;
  ~CudaMeanImageFilter() override = default;

  bool
  SupportsPixelTypes() const override
  {
    return HasKernels;
  }

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    if constexpr (HasKernels)
    {
      CudaFilters::Size3 radius{ { 0, 0, 0 } };
      for (unsigned int axis = 0; axis < TInputImage::ImageDimension; ++axis)
      {
        radius[axis] = static_cast<std::int64_t>(this->GetRadius()[axis]);
      }
      return MakeMeanOperation<typename TInputImage::PixelType>(radius);
    }
    return nullptr;
  }

private:
  // The pixel types for which MeanOperation.cu is compiled, if it is.
  using PixelType = typename TInputImage::PixelType;
#if defined(CUDAFILTERS_WITHOUT_KERNELS)
  static constexpr bool HasKernels = false;
#else
  static constexpr bool HasKernels = std::is_same<TInputImage, TOutputImage>::value &&
                                     TInputImage::ImageDimension <= 3 &&
                                     (std::is_same<PixelType, int>::value || std::is_same<PixelType, float>::value);
#endif
};
} // namespace itk

#endif
