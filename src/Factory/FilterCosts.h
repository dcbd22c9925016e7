// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersFilterCosts_h
#define itkCudaFiltersFilterCosts_h

#include "itkIntTypes.h"
#include <string>

namespace itk
{
namespace CudaFilters
{
/** Whether, and from when on, a device is worth the copies. */
struct FilterCosts
{
  SizeValueType MinimumPixels;
  double        NanosecondsPerPixel; // on the CPU, for an image of two dimensions
  bool          IsEnabled = true;    // unless a program disables it, or enables it
};

/** As measured; see Documentation/DropIn.md. */
FilterCosts
GetFilterCosts(const std::string & nameOfFilter);
} // namespace CudaFilters
} // namespace itk

#endif
