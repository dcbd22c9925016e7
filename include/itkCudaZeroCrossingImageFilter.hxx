// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaZeroCrossingImageFilter_hxx
#define itkCudaZeroCrossingImageFilter_hxx

#include "itkCudaZeroCrossingImageFilter.h"
#include "CudaFilters/ZeroCrossings.h"

namespace itk
{
template <typename TInputImage, typename TOutputImage>
void
CudaZeroCrossingImageFilter<TInputImage, TOutputImage>::GenerateRegionOnDevice(CudaFilters::Execution & execution,
                                                                               const RegionOnDevice &   region)
{
  if constexpr (Superclass::HasKernelsForTypes())
  {
    CudaFilters::FindZeroCrossings(execution,
                                   region.Box,
                                   ImageDimension,
                                   this->GetForegroundValue(),
                                   this->GetBackgroundValue(),
                                   region.Input,
                                   region.Outputs.front());
  }
}
} // namespace itk

#endif
