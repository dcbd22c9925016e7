// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_DeviceOptions_h
#define cudafilters_DeviceOptions_h

#include "Command.h"
#include "itkCudaInterface.h"
#include <cstdint>
#include <string>

/** How the device is to be used. */
struct DeviceOptions
{
  std::string   Backend = "auto";
  int           Device = 0;
  unsigned int  BlockSize = 0;
  std::uint64_t MemoryBudget = itk::CudaInterface::NoMemoryBudget;

  void
  AddTo(CLI::App & app);

  /** Makes these the settings of the process. timing: whether stages are timed, and the time to start CUDA is printed.
   */
  void
  Apply(bool timing) const;
};

#endif
