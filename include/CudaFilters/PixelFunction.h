// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_PixelFunction_h
#define CudaFilters_PixelFunction_h

// What functions of pixels (functors) use: on the CPU, and in kernels. Documentation/PixelFunctions.md shows how to
// write one.

#include "CudaFilters/HostDevice.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/Region3.h"
#include <cstdint>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** Where a pixel is. A functor that takes one as its last argument is called with it. */
struct PixelPosition
{
  /** The index along x, y and z; z is 0 in 2-D. */
  std::int64_t Index[3];

  /** The number of pixels before this one in the largest possible region of the output. */
  std::int64_t Offset;
};

/** A pixel of several components, which lies in memory as itk::RGBPixel, itk::Vector and other kinds of
 * itk::FixedArray do. A functor gets such pixels as PixelArray, on the device as on the CPU, and may return one. */
template <typename TComponent, int VLength>
struct PixelArray
{
  static constexpr int Length = VLength; ///< the number of components

  TComponent Components[VLength]; ///< of the pixel

  /** A component. */
  CUDAFILTERS_HOST_DEVICE TComponent &
  operator[](int i)
  {
    return this->Components[i];
  }
  CUDAFILTERS_HOST_DEVICE const TComponent &
  operator[](int i) const
  {
    return this->Components[i];
  }
};

/** One input of a function: an image, or a constant in its place. */
template <typename TPixel>
struct PixelSource
{
  bool   IsConstant = false; ///< whether there is no image
  TPixel Constant{};         ///< in its place
};

/** Whether a functor takes the position behind its pixels. */
template <typename TFunctor, typename... TInputs>
constexpr bool TakesPosition = std::is_invocable<const TFunctor &, const TInputs &..., const PixelPosition &>::value;

/** Makes the operation that computes each output pixel by a functor from the input pixels at the same place. Defined in
 * CudaFilters/PixelFunction.cuh; a CUDA source instantiates it with CUDAFILTERS_INSTANTIATE_PIXEL_FUNCTION. */
template <typename TFunctor, typename TOutput, typename... TInputs>
struct PixelOperationMaker
{
  /** image: the largest possible region of the output, in which positions are counted. */
  static OperationPointer
  Make(const TFunctor & functor, const Region3 & image, const PixelSource<TInputs> &... sources);
};
} // namespace CudaFilters
} // namespace itk

#endif
