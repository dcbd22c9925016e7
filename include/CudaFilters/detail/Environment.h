// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_Environment_h
#define CudaFilters_detail_Environment_h

#include "CudaFiltersExport.h"
#include <string>

namespace itk
{
namespace CudaFilters
{
/** What environment variables say of this module. They are read once. */
struct CudaFilters_EXPORT Environment
{
  enum class BackendWord
  {
    Auto,
    Cuda,
    Cpu,
    Off
  };

  BackendWord Backend = BackendWord::Auto; // ITK_CUDA_BACKEND
  bool        IsVerbose = false;           // ITK_CUDA_VERBOSE
  std::string MinimumPixels;               // ITK_CUDA_MINIMUM_PIXELS
  std::string Enabled;                     // ITK_CUDA_ENABLE
  std::string Disabled;                    // ITK_CUDA_DISABLE

  static const Environment &
  Get();
};

/** Writes one line to standard error. */
CudaFilters_EXPORT void
WriteLine(const std::string & text);
} // namespace CudaFilters
} // namespace itk

#endif
