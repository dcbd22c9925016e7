// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersEnvironment_h
#define itkCudaFiltersEnvironment_h

#include "CudaFiltersExport.h"
#include <string>

namespace itk
{
namespace CudaFilters
{
/** The values of the variables ITK_CUDA_*, which are read once. */
struct CudaFilters_EXPORT Environment
{
  enum class BackendChoice
  {
    Auto,
    Cuda,
    Cpu,
    Off
  };

  BackendChoice Backend = BackendChoice::Auto; // ITK_CUDA_BACKEND
  bool          IsVerbose = false;             // ITK_CUDA_VERBOSE
  std::string   MinimumPixels;                 // ITK_CUDA_MINIMUM_PIXELS
  std::string   Enabled;                       // ITK_CUDA_ENABLE
  std::string   Disabled;                      // ITK_CUDA_DISABLE

  static const Environment &
  Get();
};

/** Writes one line to standard error. */
CudaFilters_EXPORT void
WriteLine(const std::string & text);
} // namespace CudaFilters
} // namespace itk

#endif
