// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBenchmarkMachine_h
#define itkCudaBenchmarkMachine_h

#include "SourceHash.h"
#include "itkCudaInterface.h"
#include <ctime>
#include <fstream>
#include <map>
#include <string>

namespace itk
{
namespace CudaBenchmark
{
/** The facts of a run that every record names: GPU, driver, date and sources. */
inline std::map<std::string, std::string>
GetFactsOfRun()
{
  std::ifstream     file("/sys/module/nvidia/version");
  std::string       driver;
  const std::time_t now = std::time(nullptr);
  char              date[16];
  std::strftime(date, sizeof(date), "%Y-%m-%d", std::gmtime(&now));
  return { { "gpu",
             CudaInterface::GetDefault()->GetWhyNotOnDevice().empty() ? CudaInterface::GetDeviceName(0) : "none" },
           { "driver", file >> driver ? driver : "unknown" },
           { "date", date },
           { "source_hash", SourceHash } };
}
} // namespace CudaBenchmark
} // namespace itk

#endif
