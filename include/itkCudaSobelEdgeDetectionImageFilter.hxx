// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaSobelEdgeDetectionImageFilter_hxx
#define itkCudaSobelEdgeDetectionImageFilter_hxx

#include "itkCudaSobelEdgeDetectionImageFilter.h"
#include "CudaFilters/SobelEdges.h"

namespace itk
{
template <typename TInputImage, typename TOutputImage>
auto
CudaSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>::MakeOutput(DataObjectPointerArraySizeType)
  -> DataObjectPointer
{
  return Superclass::MakeOutput(0); // all outputs are of one type
}

template <typename TInputImage, typename TOutputImage>
std::string
CudaSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>::GetWhyNoKernel() const
{
  const std::string why = Superclass::GetWhyNoKernel();
  if (why.empty() && !HasRealOutput)
  {
    return "there are kernels for output pixels of float and double only";
  }
  if (why.empty() && ImageDimension == 3 && !CudaFilters::HasLegacyCoefficients(*this, 0))
  {
    return "there are kernels for the legacy weights of the 3-D operator only";
  }
  return why;
}

template <typename TInputImage, typename TOutputImage>
auto
CudaSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>::GetOutputsOnDevice() -> std::vector<OutputImageType *>
{
  std::vector<OutputImageType *> outputs;
  for (unsigned int i = 0; i < this->GetNumberOfIndexedOutputs(); ++i)
  {
    outputs.push_back(this->GetOutput(i));
  }
  return outputs;
}

template <typename TInputImage, typename TOutputImage>
void
CudaSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>::GenerateRegionOnDevice(CudaFilters::Execution & execution,
                                                                                     const RegionOnDevice &   region)
{
  if constexpr (Superclass::HasKernelsForTypes() && HasRealOutput)
  {
    CudaFilters::SobelOutputs<OutputPixelType> outputs;
    outputs.Magnitude = region.Outputs[0];
    outputs.Azimuth = region.Outputs.size() > 1 ? region.Outputs[1] : nullptr;
    outputs.Elevation = region.Outputs.size() > 2 ? region.Outputs[2] : nullptr;
    CudaFilters::ComputeSobelEdges(execution, region.Box, ImageDimension, m_ExactMode, region.Input, outputs);
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  os << indent << "ExactMode: " << (m_ExactMode ? "On" : "Off") << std::endl;
}
} // namespace itk

#endif
