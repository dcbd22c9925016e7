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

/** How far the masks reach. */
Size3
GetRadius(const SeparableConvolutionParameters & parameters);

/** The device memory that Convolve() allocates. */
std::size_t
GetScratchBytes(const BoxConvolution & convolution, std::size_t bytesPerOutputPixel);

/** Enqueues the convolution. Instantiated for the pairs of CUDAFILTERS_FOR_EACH_PIXEL_PAIR. */
template <typename TInput, typename TOutput>
void
Convolve(Execution & execution, const BoxConvolution & convolution, const TInput * input, TOutput * output);
} // namespace CudaFilters
} // namespace itk

#endif
