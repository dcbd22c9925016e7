// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaEnums.h"
#include <ostream>

namespace itk
{
std::ostream &
operator<<(std::ostream & out, CudaBackendEnum backend)
{
  switch (backend)
  {
    case CudaBackendEnum::Auto:
      return out << "Auto";
    case CudaBackendEnum::CUDA:
      return out << "CUDA";
    case CudaBackendEnum::CPU:
      return out << "CPU";
  }
  return out << "invalid CudaBackendEnum";
}

std::ostream &
operator<<(std::ostream & out, CudaDistanceStrategyEnum strategy)
{
  switch (strategy)
  {
    case CudaDistanceStrategyEnum::Exact:
      return out << "Exact";
    case CudaDistanceStrategyEnum::Wavefront:
      return out << "Wavefront";
    case CudaDistanceStrategyEnum::FullWavefront:
      return out << "FullWavefront";
  }
  return out << "invalid CudaDistanceStrategyEnum";
}

std::ostream &
operator<<(std::ostream & out, CudaKernelFamilyEnum family)
{
  switch (family)
  {
    case CudaKernelFamilyEnum::SeparableConvolution:
      return out << "SeparableConvolution";
    case CudaKernelFamilyEnum::Stencil:
      return out << "Stencil";
    case CudaKernelFamilyEnum::EdgeLinking:
      return out << "EdgeLinking";
  }
  return out << "invalid CudaKernelFamilyEnum";
}

std::ostream &
operator<<(std::ostream & out, CudaPixelSideEnum side)
{
  switch (side)
  {
    case CudaPixelSideEnum::None:
      return out << "None";
    case CudaPixelSideEnum::Host:
      return out << "Host";
    case CudaPixelSideEnum::Device:
      return out << "Device";
    case CudaPixelSideEnum::Both:
      return out << "Both";
  }
  return out << "invalid CudaPixelSideEnum";
}

std::ostream &
operator<<(std::ostream & out, CudaReconstructionStrategyEnum strategy)
{
  switch (strategy)
  {
    case CudaReconstructionStrategyEnum::Automatic:
      return out << "Automatic";
    case CudaReconstructionStrategyEnum::LineSweeps:
      return out << "LineSweeps";
    case CudaReconstructionStrategyEnum::TileSweeps:
      return out << "TileSweeps";
    case CudaReconstructionStrategyEnum::TileDiagonals:
      return out << "TileDiagonals";
  }
  return out << "invalid CudaReconstructionStrategyEnum";
}
} // namespace itk
