// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_Neighborhood_h
#define CudaFilters_Neighborhood_h

// Functions of a pixel and its neighbours. Documentation/PixelFunctions.md shows how to write one.
//
// A functor gets a neighbourhood, of a type that differs between the CPU, the inside of an image on a device, and its
// border: operator() is a template. neighbours(x, y) or neighbours(x, y, z) is the pixel at that offset, which must not
// exceed the radius. Outside the image, it is the nearest pixel of the image, as by ZeroFluxNeumannBoundaryCondition.
// neighbours.GetIndex(axis) is the index of the pixel that is computed.
//
// A functor that reads neighbours at offsets up to 1, all of which are constants after loops are unrolled, may declare
// it: static constexpr int FixedRadius = 1; then a thread keeps the neighbours in registers, which is faster.

#include "CudaFilters/HostDevice.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/Region3.h"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** Makes the operation that computes each output pixel by a functor from the input pixels around it. Defined in
 * CudaFilters/Neighborhood.cuh; a CUDA source instantiates it with CUDAFILTERS_INSTANTIATE_NEIGHBORHOOD. */
template <typename TFunctor, typename TOutput, typename TInput>
struct NeighborhoodOperationMaker
{
  /** With a functor and a radius in pixels for each axis. */
  static OperationPointer
  Make(const TFunctor & functor, const Size3 & radius);
};
} // namespace CudaFilters
} // namespace itk

#endif
