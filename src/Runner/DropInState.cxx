// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "DropInState.h"
#include "../Device/Devices.h"
#include "../Device/Environment.h"

namespace itk
{
namespace CudaFilters
{
namespace
{
// A process pays it once, for the context, the loading of kernels and the first memory of the device.
constexpr double nanosecondsOfStart = 0.3e9;
} // namespace

DropInState &
DropInState::Get()
{
  // Never destroyed: filters of static lifetime may still run at the end of a program.
  static DropInState & instance = *new DropInState;
  return instance;
}

void
DropInState::NoteRunOnDevice()
{
  m_HasRunOnDevice = true;
}

bool
DropInState::HasRunOnDevice() const
{
  return m_HasRunOnDevice;
}

void
DropInState::CountOnCPU(double nanoseconds)
{
  double before = m_NanosecondsOnCPU;
  while (!m_NanosecondsOnCPU.compare_exchange_weak(before, before + nanoseconds))
  {}
}

bool
DropInState::IsStartWorthwhile(double nanoseconds) const
{
  return m_HasRunOnDevice || m_NanosecondsOnCPU + nanoseconds >= nanosecondsOfStart;
}

bool
DropInState::NoteFailure(const std::string & what)
{
  const std::lock_guard<std::mutex> lock(m_FailureMutex);
  if (m_HasFailed)
  {
    return false;
  }
  m_Failure = what;
  m_HasFailed = true;
  return true;
}

std::string
DropInState::GetFailure() const
{
  return m_HasFailed ? m_Failure : std::string();
}

void
DropInState::NoteNoDevice()
{
  m_IsWithoutDevice = true;
}

const char *
DropInState::GetWhyDeclined() const
{
  using BackendChoice = Environment::BackendChoice;

  switch (Environment::Get().Backend)
  {
    case BackendChoice::Off:
      return "ITK_CUDA_BACKEND is off";
    case BackendChoice::Auto: {
      // Not initialized under the lock of a static variable, in which a forked process would wait for ever.
      static std::atomic<const char *> known{ nullptr };
      if (known == nullptr)
      {
        known = WhyNoDriver();
      }
      const char * const whyNoDriver = known;
      return whyNoDriver[0] == '\0' && m_IsWithoutDevice ? "there is no usable CUDA device" : whyNoDriver;
    }
    default:
      return "";
  }
}
} // namespace CudaFilters
} // namespace itk

extern "C"
{
  // For the plug-in, before it loads the factory.
  CudaFilters_EXPORT const char *
  itkCudaFiltersWhyDeclined();
}

const char *
itkCudaFiltersWhyDeclined()
{
  return itk::CudaFilters::DropInState::Get().GetWhyDeclined();
}
