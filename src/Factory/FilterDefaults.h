// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersFilterDefaults_h
#define itkCudaFiltersFilterDefaults_h

#include "itkIntTypes.h"
#include <string>

namespace itk
{
namespace CudaFilters
{
/** The defaults of one ITK filter's overrides: from when on a device is worth the copies. */
struct FilterDefaults
{
  SizeValueType MinimumPixels;
  double        NanosecondsPerPixel; // on the CPU, for an image of two dimensions
  bool          IsEnabled = true;    // false if results differ from ITK's
};

/** As measured; see Documentation/DropIn.md. */
FilterDefaults
GetFilterDefaults(const std::string & nameOfFilter);
} // namespace CudaFilters
} // namespace itk

#endif
