// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef MeanOperation_h
#define MeanOperation_h

#include "CudaFilters/Operation.h"

/** The mean of the pixels in a box around each pixel. Defined in MeanOperation.cu for int and float. */
template <typename TPixel>
itk::CudaFilters::OperationPointer
MakeMeanOperation(const itk::CudaFilters::Size3 & radius);

#endif
