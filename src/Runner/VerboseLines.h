// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersVerboseLines_h
#define itkCudaFiltersVerboseLines_h

#include "CudaFilters/Region3.h"
#include "itkCudaInterface.h"
#include <chrono>
#include <string>

namespace itk
{
namespace CudaFilters
{
// The lines that ITK_CUDA_VERBOSE asks for. Without it, nothing is written.

/** Returns why no device can be used with the settings, or an empty string, as CudaInterface does. The first call may
 * start the device: writes how long that takes, so that it is not taken for the time of the filter that needs it. */
std::string
GetWhyNotOnDeviceAndReportStart(const CudaInterface & settings);

/** The run of a filter. Writes a line when it has ended. */
class VerboseRun
{
public:
  void
  End(const std::string & nameOfFilter, const Size3 & size, const std::string & executedOn) const;

private:
  const std::chrono::steady_clock::time_point m_Begin = std::chrono::steady_clock::now();
};
} // namespace CudaFilters
} // namespace itk

#endif
