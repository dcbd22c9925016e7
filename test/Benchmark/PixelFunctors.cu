// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "PixelFunctors.h"
#include "CudaFilters/Binning.cuh"
#include "CudaFilters/Neighborhood.cuh"
#include "CudaFilters/PixelFunction.cuh"
#include "CudaFilters/Reduction.cuh"

CUDAFILTERS_INSTANTIATE_REDUCTION(itk::CudaBenchmark::MaximumReducer, float);
CUDAFILTERS_INSTANTIATE_REDUCTION(itk::CudaBenchmark::SumReducer, float);
CUDAFILTERS_INSTANTIATE_BINNING(itk::CudaBenchmark::GreyLevel, unsigned char);
CUDAFILTERS_INSTANTIATE_BINNING(itk::CudaBenchmark::GreyLevel, unsigned short);
CUDAFILTERS_INSTANTIATE_NEIGHBORHOOD(itk::CudaBenchmark::SobelFunctor, float, float);
CUDAFILTERS_INSTANTIATE_PIXEL_FUNCTION(itk::CudaBenchmark::Binarize, unsigned char, unsigned char);
CUDAFILTERS_INSTANTIATE_NEIGHBORHOOD(itk::CudaBenchmark::SobelOfBytes, unsigned char, unsigned char);
CUDAFILTERS_INSTANTIATE_REDUCTION(itk::CudaBenchmark::MaximumOfBytes, unsigned char);
