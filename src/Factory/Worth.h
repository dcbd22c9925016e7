// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersWorth_h
#define itkCudaFiltersWorth_h

#include "itkIntTypes.h"
#include <string>

namespace itk
{
namespace CudaFilters
{
/** Whether, and from when on, a device is worth the copies. */
struct Worth
{
  SizeValueType MinimumPixels;
  double        NanosecondsPerPixel; // on the CPU, for an image of two dimensions
  bool          IsEnabled = true;    // unless a program disables it, or enables it
};

/** As measured; see Documentation/DropIn.md. */
Worth
GetWorth(const std::string & nameOfFilter);
} // namespace CudaFilters
} // namespace itk

#endif
