// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBenchmarkMachine_h
#define itkCudaBenchmarkMachine_h

#include "SourceHash.h"
#include "itkCudaInterface.h"
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>
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

/** Tells where the filters run, then runs a program; what it throws becomes a line and a status. */
template <typename TRun>
int
RunProgram(TRun run, int argc, char ** argv)
{
  try
  {
    const std::string whyNot = CudaInterface::GetDefault()->GetWhyNotOnDevice();
    std::cout << (whyNot.empty() ? "On " + CudaInterface::GetDeviceDescription(0) : "On the CPU alone: " + whyNot)
              << std::endl;
    return run(argc, argv);
  }
  catch (const std::exception & error)
  {
    std::cerr << error.what() << std::endl;
    return EXIT_FAILURE;
  }
}
} // namespace CudaBenchmark
} // namespace itk

#endif
