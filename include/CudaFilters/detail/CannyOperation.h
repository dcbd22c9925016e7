// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_CannyOperation_h
#define CudaFilters_detail_CannyOperation_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/DevicePixels.h"
#include "CudaFilters/detail/PixelType.h"
#include "CudaFilters/detail/SeparableConvolutionOperation.h"
#include <memory>

namespace itk
{
namespace CudaFilters
{
/** What one run leaves for the next one that differs from it in the thresholds alone. */
struct CannyStages
{
  /** The gradient magnitude before hysteresis, over Region. Valid if the last run stored it. */
  DevicePixels Suppressed;
  Region3      Region;
  bool         AreExact = false;
};

struct CannyParameters
{
  unsigned int                   Dimension = 2;
  SeparableConvolutionParameters Smoothing;
  double                         UpperThreshold = 0.0;
  double                         LowerThreshold = 0.0;
  /** Compute the derivatives as ITK's CPU filter does, bit by bit. Otherwise in single precision, if neither input nor
   * output is double. */
  bool IsExact = false;
  /** Host memory over the region of the output for the gradient magnitude before hysteresis, of double pixels if input
   * or output are, else float; nullptr: not wanted. */
  void * NonMaximumSuppression = nullptr;
  /** A run begins with what is valid here, and otherwise stores its own here; nullptr: it does neither. The caller
   * replaces this object when the input or the smoothing change. */
  std::shared_ptr<CannyStages> Stages;
};

/** Canny's edge detector. The output has pixels 1 on edges, 0 elsewhere. */
CudaFilters_EXPORT OperationPointer
MakeCannyOperation(const CannyParameters & parameters, const PixelTypes & types);
} // namespace CudaFilters
} // namespace itk

#endif
