// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "DropInState.h"
#include "Environment.h"
#include "../Device/Devices.h"
#include "../Device/ForkSafeInstance.h"
#include <memory>

namespace itk
{
namespace CudaFilters
{
namespace
{
// A process pays it once, for the context and the first memory of the device.
constexpr double nanosecondsOfStart = 0.3e9;
} // namespace

DropInState &
DropInState::Get()
{
  // Never destroyed: filters of static lifetime may still run at the end of a program.
  static std::atomic<DropInState *> instance{ nullptr };
  if (instance == nullptr)
  {
    std::unique_ptr<DropInState> made(new DropInState);
    if (Publish(instance, made.get()))
    {
      made.release();
    }
  }
  return *instance;
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
  auto       failure = std::make_unique<const std::string>(what);
  const bool isFirst = Publish(m_Failure, failure.get());
  if (isFirst)
  {
    failure.release();
  }
  return isFirst;
}

std::string
DropInState::GetFailure() const
{
  const std::string * const failure = m_Failure;
  return failure == nullptr ? std::string() : *failure;
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
