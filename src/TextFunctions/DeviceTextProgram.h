// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersDeviceTextProgram_h
#define itkCudaFiltersDeviceTextProgram_h

#include "CudaFilters/Execution.h"
#include "CudaFilters/detail/TextArguments.h"
#include <cstdint>
#include <string>

namespace itk
{
namespace CudaFilters
{
/** How a program is started. */
struct TextLaunch
{
  /** If that is more than a device takes, there are fewer, which do more. */
  std::int64_t Blocks[3];
  unsigned int SharedBytes;
  /** How many rows or leaves there are, for the emulated device. */
  std::int64_t Items;
};

constexpr unsigned int TextThreads = 256; // of a block

/** Compiles a program by NVRTC for the device of an execution, or finds it in memory or on disk, and enqueues its
 * computation. Throws an itk::ExceptionObject with the messages of the compiler, or a DeviceError if NVRTC or the
 * driver cannot do it. listing: of the texts, for the messages. */
void
RunTextProgram(const Execution &     execution,
               const std::string &   program,
               const std::string &   listing,
               const TextArguments & arguments,
               const TextLaunch &    launch);
} // namespace CudaFilters
} // namespace itk

#endif
