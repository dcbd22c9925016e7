// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "VerboseLines.h"
#include "Environment.h"
#include <atomic>
#include <locale>
#include <sstream>

namespace itk
{
namespace CudaFilters
{
namespace
{
using Clock = std::chrono::steady_clock;

std::string
FormatTimeSince(Clock::time_point begin)
{
  std::ostringstream text;
  text.imbue(std::locale::classic()); // a program may have another one
  text.precision(3);
  text << std::fixed << std::chrono::duration<double, std::milli>(Clock::now() - begin).count() << " ms";
  return text.str();
}
} // namespace

std::string
GetWhyNotOnDeviceAndReportStart(const CudaInterface & settings)
{
  if (Environment::Get().IsVerbose && settings.GetBackend() != CudaBackendEnum::CPU)
  {
    static std::atomic<bool> isFirst{ true };
    if (isFirst.exchange(false))
    {
      const auto begin = Clock::now();
      if (settings.GetWhyNotOnDevice().empty())
      {
        const int device = settings.GetDeviceNumbers().front();
        WriteLine("device " + std::to_string(device) + ", " + CudaInterface::GetDeviceName(device) +
                  ", is started: " + FormatTimeSince(begin));
      }
    }
  }
  return settings.GetWhyNotOnDevice();
}

void
VerboseRun::End(const std::string & nameOfFilter, const Size3 & size, const std::string & executedOn) const
{
  if (Environment::Get().IsVerbose)
  {
    WriteLine(nameOfFilter + ' ' + std::to_string(size[0]) + 'x' + std::to_string(size[1]) +
              (size[2] > 1 ? 'x' + std::to_string(size[2]) : "") + ": " + executedOn + ", " + FormatTimeSince(m_Begin));
  }
}
} // namespace CudaFilters
} // namespace itk
