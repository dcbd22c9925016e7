// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Functors.h"
#include "CudaFilters/Binning.cuh"
#include "CudaFilters/Neighborhood.cuh"
#include "CudaFilters/PixelFunction.cuh"
#include "CudaFilters/Reduction.cuh"

// Each function, and the pixel types for which it is compiled: first the output, if there is one.
CUDAFILTERS_INSTANTIATE_PIXEL_FUNCTION(Brighten, float, unsigned char);
CUDAFILTERS_INSTANTIATE_NEIGHBORHOOD(LargestStep, float, float);
CUDAFILTERS_INSTANTIATE_REDUCTION(Sum, float);
CUDAFILTERS_INSTANTIATE_BINNING(GreyLevel, unsigned char);
