// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "PhysicalMemory.h"
#include <algorithm>
#include <atomic>
#include <fstream>
#include <limits>
#if defined(__unix__) || defined(__APPLE__)
#  include <unistd.h>
#endif

namespace itk
{
namespace CudaFilters
{
namespace
{
constexpr std::size_t noLimit = std::numeric_limits<std::size_t>::max();

/** The number in a file; noLimit if there is none. */
std::size_t
ReadLimit(const std::string & fileName)
{
  std::ifstream file(fileName);
  std::size_t   bytes = 0;
  return file >> bytes ? bytes : noLimit;
}

/** The lowest limit of a group and those that contain it. */
std::size_t
GetLimitOfGroups(const std::string & root, std::string group, const std::string & fileName)
{
  std::size_t limit = noLimit;
  for (;;)
  {
    limit = std::min(limit, ReadLimit(root + group + '/' + fileName));
    const std::size_t slash = group.find_last_of('/');
    if (slash == std::string::npos)
    {
      return limit;
    }
    group.erase(slash);
  }
}
} // namespace

std::size_t
GetControlGroupBytes(const std::string & fileOfGroups, const std::string & root)
{
  std::ifstream file(fileOfGroups);
  std::size_t   limit = noLimit;
  // A line is NUMBER:CONTROLLERS:GROUP. Version 2 has one group for all controllers.
  for (std::string line; std::getline(file, line);)
  {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos)
    {
      continue;
    }
    const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
    const std::string group = line.substr(second + 1);
    if (controllers == ",,")
    {
      limit = std::min(limit, GetLimitOfGroups(root, group, "memory.max"));
    }
    else if (controllers.find(",memory,") != std::string::npos)
    {
      limit = std::min(limit, GetLimitOfGroups(root + "/memory", group, "memory.limit_in_bytes"));
    }
  }
  return limit;
}

std::size_t
GetPhysicalBytes()
{
#if defined(__unix__) || defined(__APPLE__)
  // Not initialized under the lock of a static variable, in which a forked process would wait for ever.
  static std::atomic<std::size_t> known{ 0 };
  std::size_t                     bytes = known;
  if (bytes == 0)
  {
    bytes =
      std::min(static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)),
               GetControlGroupBytes("/proc/self/cgroup", "/sys/fs/cgroup"));
    known = bytes;
  }
  return bytes;
#else
  return noLimit;
#endif
}
} // namespace CudaFilters
} // namespace itk
