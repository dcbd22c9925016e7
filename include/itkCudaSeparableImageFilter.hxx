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
  return this->GetInputRegionAround(outputRegion, radius);
}

template <typename TParent>
SizeValueType
CudaSeparableImageFilter<TParent>::GetScratchBytesFor(const RegionType & outputRegion) const
{
  if constexpr (Superclass::HasKernelsForTypes())
  {
    CudaFilters::SeparableConvolution convolution = m_Convolution;
    convolution.Box = CudaFilters::MakeLocalBox(this->GetInputRegionFor(outputRegion), outputRegion);
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
    convolution.Box = region.Box;
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
