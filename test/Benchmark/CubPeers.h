// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBenchmarkCubPeers_h
#define itkCudaBenchmarkCubPeers_h

#include <cstdint>
#include <functional>
#include <vector>

namespace itk
{
namespace CudaBenchmark
{
// What CUB, of the CUDA Toolkit, makes of pixels that these functions copy to the device. The functions that they
// return compute, and return numbers to the host, as our filters do.

std::function<double()>
MakeCubMaximum(const std::vector<float> & pixels);
std::function<double()>
MakeCubSum(const std::vector<float> & pixels);
std::function<std::vector<std::int32_t>()>
MakeCubHistogram(const std::vector<unsigned char> & pixels, int bins);
std::function<std::vector<std::int32_t>()>
MakeCubHistogram(const std::vector<unsigned short> & pixels, int bins);
} // namespace CudaBenchmark
} // namespace itk

#endif
