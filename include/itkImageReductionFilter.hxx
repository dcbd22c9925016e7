// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkImageReductionFilter_hxx
#define itkImageReductionFilter_hxx

#include "CudaFilters/detail/ReduceImageOnHost.h"
#include "itkImageReductionFilter.h"

namespace itk
{
template <typename TInputImage, typename TReducer>
auto
ImageReductionFilter<TInputImage, TReducer>::Reduce(const InputImageRegionType & region) -> ValueType
{
  return CudaFilters::ReduceImageOnHost(m_Reducer, *this->GetInput(), region, *this->GetMultiThreader());
}
} // namespace itk

#endif
