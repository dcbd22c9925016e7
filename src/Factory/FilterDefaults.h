// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersFilterDefaults_h
#define itkCudaFiltersFilterDefaults_h

#include "CudaFilters/detail/ReplacedFilter.h"
#include "itkIntTypes.h"
#include <string>

namespace itk
{
namespace CudaFilters
{
/** The defaults of one ITK filter's overrides. The initial values are those of a filter that computes a pixel in about
 * the time of its copy, or less. */
struct FilterDefaults
{
  SizeValueType MinimumPixels = ReplacedFilter::OnlyIfOnDevice;
  double        NanosecondsPerPixel = 0.0; // on the CPU, for an image of two dimensions
  bool          IsEnabled = true;          // false if results differ from ITK's
};

/** As measured; see Documentation/DropIn.md. */
FilterDefaults
GetFilterDefaults(const std::string & nameOfFilter);
} // namespace CudaFilters
} // namespace itk

#endif
