// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaSobelEdgeDetectionImageFilter_hxx
#define itkCudaSobelEdgeDetectionImageFilter_hxx

#include "itkCudaSobelEdgeDetectionImageFilter.h"
#include "CudaFilters/detail/SobelOperation.h"
#include <type_traits>

namespace itk
{
template <typename TInputImage, typename TOutputImage>
auto
CudaSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>::MakeOutput(DataObjectPointerArraySizeType)
  -> DataObjectPointer
{
  return Superclass::MakeOutput(0); // all outputs have one type
}

template <typename TInputImage, typename TOutputImage>
std::string
CudaSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>::GetUnsupportedReason() const
{
  if (!std::is_floating_point<typename TOutputImage::PixelType>::value)
  {
    // Angles have no meaning as integers.
    return "there are kernels for output pixels of float and double only";
  }
  if (TOutputImage::ImageDimension == 3 && !CudaFilters::HasLegacyCoefficients(*this, 0))
  {
    return "there are kernels for the legacy weights of the 3-D operator only";
  }
  return {};
}

template <typename TInputImage, typename TOutputImage>
CudaFilters::OperationPointer
CudaSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>::MakeOperation()
{
  CudaFilters::SobelParameters parameters;
  parameters.Dimension = TOutputImage::ImageDimension;
  parameters.InDouble = this->GetExactMode();
  return CudaFilters::MakeSobelOperation(parameters, CudaFilters::GetPixelTypes<TInputImage, TOutputImage>());
}
} // namespace itk

#endif
