// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/ReconstructionStrategy.h"
#include <ostream>

namespace itk
{
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
