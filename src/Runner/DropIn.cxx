// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/DropIn.h"
#include "CudaFilters/detail/Environment.h"
#include "DropInState.h"
#include "../Device/Devices.h"
#include <mutex>

namespace itk
{
namespace CudaFilters
{
namespace
{
// A process pays it once, for the context, the loading of kernels and the first memory of the device.
constexpr double nanosecondsOfStart = 0.3e9;

std::atomic<bool>   hasRunOnDevice{ false };
std::atomic<bool>   hasFailed{ false };
std::atomic<bool>   isWithoutDevice{ false };
std::atomic<double> nanosecondsOnCPU{ 0.0 };

/** What the failed device said. Never destroyed: filters of static lifetime may still run at the end of a program. */
struct FailureText
{
  std::mutex  Mutex;
  std::string Text;

  static FailureText &
  Get()
  {
    static FailureText & instance = *new FailureText;
    return instance;
  }
};
} // namespace

double
DropIn::EstimateNanoseconds(const Size3 & size) const
{
  // A pixel of a volume has more neighbours. Gaussian, Sobel and distances were 3 to 3.6 times as long.
  return static_cast<double>(GetNumberOfPixels(size)) * m_NanosecondsPerPixel * (size[2] > 1 ? 3.0 : 1.0);
}

std::string
DropIn::GetReasonForCPU(const Size3 & size, bool isInputOnDevice) const
{
  if (hasFailed)
  {
    FailureText &                     failure = FailureText::Get();
    const std::lock_guard<std::mutex> lock(failure.Mutex);
    return "a device has failed before: " + failure.Text;
  }
  if (isInputOnDevice)
  {
    return {};
  }
  const auto          pixels = static_cast<SizeValueType>(GetNumberOfPixels(size));
  const SizeValueType minimum = m_MinimumPixels;
  if (minimum == OnlyIfOnDevice)
  {
    return "the image is not on the device, and to copy it there would take longer";
  }
  if (pixels < minimum)
  {
    return "the image is small: " + std::to_string(pixels) + " pixels, the device is used from " +
           std::to_string(minimum);
  }
  if (!hasRunOnDevice && m_CountsStart && nanosecondsOnCPU + this->EstimateNanoseconds(size) < nanosecondsOfStart)
  {
    return "to start the device would take longer";
  }
  return {};
}

void
DropIn::NoteRunOnCPU(const Size3 & size) const
{
  // Small images are no reason to start a device.
  if (hasRunOnDevice || static_cast<SizeValueType>(GetNumberOfPixels(size)) < m_MinimumPixels)
  {
    return;
  }
  const double nanoseconds = this->EstimateNanoseconds(size);
  double       before = nanosecondsOnCPU;
  while (!nanosecondsOnCPU.compare_exchange_weak(before, before + nanoseconds))
  {}
}

void
DropInState::NoteRunOnDevice()
{
  hasRunOnDevice = true;
}

bool
DropInState::NoteFailure(const std::string & what)
{
  FailureText &                     failure = FailureText::Get();
  const std::lock_guard<std::mutex> lock(failure.Mutex);
  if (hasFailed)
  {
    return false;
  }
  failure.Text = what;
  hasFailed = true;
  return true;
}

bool
DropInState::HasRunOnDevice()
{
  return hasRunOnDevice;
}

void
DropInState::NoteNoDevice()
{
  isWithoutDevice = true;
}

const char *
DropIn::GetWhyDeclined()
{
  using BackendWord = Environment::BackendWord;

  switch (Environment::Get().Backend)
  {
    case BackendWord::Off:
      return "ITK_CUDA_BACKEND is off";
    case BackendWord::Auto: {
      static const bool mayHaveDevice = MayHaveDevice();
      return !mayHaveDevice ? "there is no CUDA driver" : isWithoutDevice ? "there is no usable CUDA device" : "";
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
  return itk::CudaFilters::DropIn::GetWhyDeclined();
}
