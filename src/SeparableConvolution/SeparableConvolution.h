// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersSeparableConvolution_h
#define itkCudaFiltersSeparableConvolution_h

#include "CudaFilters/Execution.h"
#include "CudaFilters/LocalBox.h"
#include "CudaFilters/detail/SeparableConvolutionOperation.h"
#include <cstddef>

namespace itk
{
namespace CudaFilters
{
/** The convolution of one box of pixels. */
struct BoxConvolution : SeparableConvolutionParameters
{
  LocalBox Box;

  BoxConvolution(const SeparableConvolutionParameters & parameters, const LocalBox & box)
    : SeparableConvolutionParameters(parameters)
    , Box(box)
  {}
};

/** The radius of the masks along each axis. */
Size3
GetRadius(const SeparableConvolutionParameters & parameters);

/** The device memory that Convolve() allocates. */
std::size_t
GetConvolutionScratchBytes(const BoxConvolution & convolution, std::size_t bytesPerOutputPixel);

/** Enqueues the convolution. TReal: the type to compute in; TBetween: the type of the values between two passes.
 * Instantiated for what Canny's smoothing needs: double for TReal, float or double for TOutput, and TOutput or double
 * for TBetween. */
template <typename TReal, typename TBetween, typename TInput, typename TOutput>
void
Convolve(Execution & execution, const BoxConvolution & convolution, const TInput * input, TOutput * output);
} // namespace CudaFilters
} // namespace itk

#endif
