// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersStencil_cuh
#define itkCudaFiltersStencil_cuh

#include "../Device/Launch.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/StencilKernel.cuh"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** Stores one member of the results of adjacent pixels. */
template <int VWidth, typename TOutput, typename TResult, typename TMember>
__device__ __forceinline__ void
StorePack(TOutput * output, const TResult (&results)[VWidth], TMember TResult::*member)
{
  PixelPack<TOutput, VWidth> pack;
#pragma unroll
  for (int j = 0; j < VWidth; ++j)
  {
    pack.Values[j] = static_cast<TOutput>(results[j].*member);
  }
  *reinterpret_cast<PixelPack<TOutput, VWidth> *>(output) = pack;
}

/** An operation that reads the 3 x 3 (x 3) input pixels around each output pixel. */
class StencilOperation : public LocalOperation
{
public:
  explicit StencilOperation(unsigned int dimension)
    : m_Radius(GetUnitRadius(dimension))
  {}

  Region3
  GetInputRegion(unsigned int, const Region3 & outputRegion) const override
  {
    return Pad(outputRegion, m_Radius);
  }

private:
  Size3 m_Radius;
};

/** Enqueues StencilKernel, with the user's block size. With VMayBeWide, a thread computes four pixels if sizes and
 * address allow it; the output is memory of this library, which is aligned. */
template <int VDimension, bool VMayBeWide, typename TOperation, typename TInput>
void
RunStencil(const Execution &  execution,
           const char *       name,
           const LocalBox &   box,
           const TOperation & operation,
           const TInput *     input)
{
  RunStencilKernel<VDimension, VMayBeWide>(execution, name, box, operation, input, true, [&](auto kernel) {
    return ChooseBlockSize(execution, CudaKernelFamilyEnum::Stencil, kernel, 128);
  });
}
} // namespace CudaFilters
} // namespace itk

#endif
