// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaSeparableImageFilter_hxx
#define itkCudaSeparableImageFilter_hxx

#include "itkCudaSeparableImageFilter.h"
#include "itkCudaImageAccess.h"
#include <type_traits>

namespace itk
{
template <typename TParent>
void
CudaSeparableImageFilter<TParent>::BeforeRegionsOnDevice()
{
  constexpr bool isSingle = std::is_same<OutputPixelType, float>::value && !std::is_same<InputPixelType, double>::value;
  m_Convolution = this->MakeConvolution();
  m_Convolution.InDouble = m_ExactMode || !isSingle;
}

template <typename TParent>
auto
CudaSeparableImageFilter<TParent>::GetInputRegionFor(const RegionType & outputRegion) const -> RegionType
{
  typename RegionType::SizeType radius;
  for (unsigned int axis = 0; axis < ImageDimension; ++axis)
  {
    radius[axis] = axis < 3 ? m_Convolution.Masks[axis].size() / 2 : 0;
  }
  RegionType region = outputRegion;
  region.PadByRadius(radius);
  region.Crop(this->GetInput()->GetBufferedRegion());
  return region;
}

template <typename TParent>
SizeValueType
CudaSeparableImageFilter<TParent>::GetScratchBytesFor(const RegionType & outputRegion) const
{
  if constexpr (Superclass::HasKernelsForTypes())
  {
    const RegionType                  inputRegion = this->GetInputRegionFor(outputRegion);
    CudaFilters::SeparableConvolution convolution = m_Convolution;
    convolution.InputSize = CudaFilters::GetSizeOf(inputRegion);
    convolution.OutputSize = CudaFilters::GetSizeOf(outputRegion);
    convolution.Start = CudaFilters::GetStartWithin(inputRegion, outputRegion);
    return CudaFilters::GetScratchBytes(convolution, sizeof(OutputPixelType));
  }
  else
  {
    return 0;
  }
}

template <typename TParent>
void
CudaSeparableImageFilter<TParent>::GenerateRegionOnDevice(CudaFilters::Execution & execution,
                                                          const RegionOnDevice &   region)
{
  if constexpr (Superclass::HasKernelsForTypes())
  {
    CudaFilters::SeparableConvolution convolution = m_Convolution;
    convolution.InputSize = region.InputSize;
    convolution.OutputSize = region.OutputSize;
    convolution.Start = region.Start;
    CudaFilters::Convolve(execution, convolution, region.Input, region.Outputs.front());
  }
}

template <typename TParent>
void
CudaSeparableImageFilter<TParent>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  os << indent << "ExactMode: " << (m_ExactMode ? "On" : "Off") << std::endl;
}
} // namespace itk

#endif
