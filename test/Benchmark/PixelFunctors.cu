// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "PixelFunctors.h"
#include "CudaFilters/Reduction.cuh"

CUDAFILTERS_INSTANTIATE_REDUCTION(itk::CudaBenchmark::MaximumReducer, float);
CUDAFILTERS_INSTANTIATE_REDUCTION(itk::CudaBenchmark::SumReducer, float);
