// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "OwnFunctors.h"
#include "CudaFilters/Binning.cuh"
#include "CudaFilters/Neighborhood.cuh"
#include "CudaFilters/PixelFunction.cuh"
#include "CudaFilters/Reduction.cuh"

CUDAFILTERS_INSTANTIATE_PIXEL_FUNCTION(Brighten, float, unsigned char);
CUDAFILTERS_INSTANTIATE_PIXEL_FUNCTION(Checker, int, unsigned char);
CUDAFILTERS_INSTANTIATE_PIXEL_FUNCTION(Luminance, float, Rgb);
CUDAFILTERS_INSTANTIATE_PIXEL_FUNCTION(SwapColors, Rgb, Rgb);
CUDAFILTERS_INSTANTIATE_PIXEL_FUNCTION(Blend, float, float, unsigned char);
CUDAFILTERS_INSTANTIATE_PIXEL_FUNCTION(MiddleOfThree, short, short, short, short);
CUDAFILTERS_INSTANTIATE_REDUCTION(FloatSum, float);
CUDAFILTERS_INSTANTIATE_REDUCTION(CenterReducer, short);
CUDAFILTERS_INSTANTIATE_BINNING(GreyLevel, unsigned char);
CUDAFILTERS_INSTANTIATE_BINNING(StrongestColor, Rgb);
CUDAFILTERS_INSTANTIATE_BINNING(ManyBins, short);
CUDAFILTERS_INSTANTIATE_BINNING(Projection, short);
CUDAFILTERS_INSTANTIATE_NEIGHBORHOOD(Gradient, float, float);
CUDAFILTERS_INSTANTIATE_NEIGHBORHOOD(FixedGradient, float, float);
CUDAFILTERS_INSTANTIATE_NEIGHBORHOOD(Corners, short, short);
CUDAFILTERS_INSTANTIATE_NEIGHBORHOOD(LargestInBox, short, short);
