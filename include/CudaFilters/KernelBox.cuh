// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_KernelBox_cuh
#define CudaFilters_KernelBox_cuh

// For CUDA sources only: the sizes of a local operation, as its kernel takes them.

#include "CudaFilters/Check.cuh"
#include "CudaFilters/LocalBox.h"
#include <algorithm>
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** A LocalBox as an argument of a kernel, in which std::array cannot be indexed. */
struct KernelBox
{
  std::int64_t InputSize[3];
  std::int64_t OutputSize[3];
  std::int64_t Start[3];

  explicit KernelBox(const LocalBox & box)
  {
    std::copy(box.InputSize.begin(), box.InputSize.end(), this->InputSize);
    std::copy(box.OutputSize.begin(), box.OutputSize.end(), this->OutputSize);
    std::copy(box.Start.begin(), box.Start.end(), this->Start);
  }

  /** Converts an output position along an axis to the input position. Positions outside the input are replaced by the
   * nearest one inside, as by ZeroFluxNeumannBoundaryCondition. */
  __device__ std::int64_t
             ToInput(int axis, std::int64_t position) const
  {
    const std::int64_t place = position + this->Start[axis];
    return place < 0 ? 0 : (place < this->InputSize[axis] ? place : this->InputSize[axis] - 1);
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
