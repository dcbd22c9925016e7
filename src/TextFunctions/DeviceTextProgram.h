// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersDeviceTextProgram_h
#define itkCudaFiltersDeviceTextProgram_h

#include "CudaFilters/Execution.h"
#include "CudaFilters/detail/TextArguments.h"
#include <string>

namespace itk
{
namespace CudaFilters
{
/** Compiles a program by NVRTC for the device of an execution, or finds it in memory or on disk, and enqueues its
 * computation. Throws an itk::ExceptionObject with the messages of the compiler, or a DeviceError if NVRTC or the
 * driver cannot do it. text: that of the user, for the messages. */
void
RunTextProgram(const Execution &     execution,
               const std::string &   program,
               const std::string &   text,
               const TextArguments & arguments);
} // namespace CudaFilters
} // namespace itk

#endif
