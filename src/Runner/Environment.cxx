// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Environment.h"
#include "../Device/ForkSafeInstance.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace itk
{
namespace CudaFilters
{
namespace
{
std::string
GetVariable(const char * name)
{
  const char * const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/** Reads all variables. Sets the warning if a value is invalid. */
std::unique_ptr<const Environment>
ReadEnvironment(std::string & warning)
{
  using BackendChoice = Environment::BackendChoice;

  auto              environment = std::make_unique<Environment>();
  const std::string backend = GetVariable("ITK_CUDA_BACKEND");
  if (backend == "cuda")
  {
    environment->Backend = BackendChoice::Cuda;
  }
  else if (backend == "cpu")
  {
    environment->Backend = BackendChoice::Cpu;
  }
  else if (backend == "off")
  {
    environment->Backend = BackendChoice::Off;
  }
  else if (!backend.empty() && backend != "auto")
  {
    warning = "ITK_CUDA_BACKEND=" + backend + " is not auto, cuda, cpu or off; auto is taken";
  }
  const std::string verbose = GetVariable("ITK_CUDA_VERBOSE");
  environment->IsVerbose = !verbose.empty() && verbose != "0";
  environment->MinimumPixels = GetVariable("ITK_CUDA_MINIMUM_PIXELS");
  environment->Enabled = GetVariable("ITK_CUDA_ENABLE");
  environment->Disabled = GetVariable("ITK_CUDA_DISABLE");
  return environment;
}
} // namespace

const Environment &
Environment::Get()
{
  static std::atomic<const Environment *> instance{ nullptr };
  if (instance == nullptr)
  {
    std::string warning;
    auto        environment = ReadEnvironment(warning);
    if (Publish(instance, environment.get()))
    {
      environment.release();
      if (!warning.empty())
      {
        WriteLine(warning);
      }
    }
  }
  return *instance;
}

void
WriteLine(const std::string & text)
{
  // In one call, so that lines of several threads do not mix.
  std::fputs(("itk-cuda: " + text + "\n").c_str(), stderr);
}
} // namespace CudaFilters
} // namespace itk
