// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "TextCache.h"
#include "itksys/MD5.h"
#include "itksys/SystemTools.hxx"
#include <array>
#include <atomic>
#include <fstream>
#include <sstream>
#if !defined(_WIN32)
#  include <sys/stat.h>
#  include <unistd.h>
#else
#  include <process.h>
#endif

namespace itk
{
namespace CudaFilters
{
namespace
{
using itksys::SystemTools;

int
GetProcess()
{
#if defined(_WIN32)
  return _getpid();
#else
  return static_cast<int>(getpid());
#endif
}

std::string
FindCacheFolder()
{
  std::string folder;
  if (SystemTools::GetEnv("CUDAFILTERS_CACHE", folder) && !folder.empty())
  {
    return folder;
  }
  for (const char * const name : { "XDG_CACHE_HOME", "LOCALAPPDATA" })
  {
    if (SystemTools::GetEnv(name, folder) && !folder.empty())
    {
      return folder + "/itkcudafilters/functions";
    }
  }
  return SystemTools::GetEnv("HOME", folder) && !folder.empty() ? folder + "/.cache/itkcudafilters/functions" : "";
}
} // namespace

std::string
GetCachedName(const std::string & description, const std::string & extension)
{
  constexpr std::size_t    digits = 32;
  std::array<char, digits> sum;
  itksysMD5 * const        md5 = itksysMD5_New();
  itksysMD5_Initialize(md5);
  itksysMD5_Append(
    md5, reinterpret_cast<const unsigned char *>(description.data()), static_cast<int>(description.size()));
  itksysMD5_FinalizeHex(md5, sum.data());
  itksysMD5_Delete(md5);
  return std::string(sum.begin(), sum.end()) + extension;
}

std::string
GetCacheFolder()
{
  constexpr mode_t  onlyForTheUser = 0700;
  const std::string folder = FindCacheFolder();
  if (folder.empty() || !SystemTools::MakeDirectory(folder, &onlyForTheUser))
  {
    return "";
  }
#if !defined(_WIN32)
  // What is executed from here, nobody else may write.
  struct stat status;
  if (stat(folder.c_str(), &status) != 0 || status.st_uid != geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
  {
    return "";
  }
#endif
  return folder;
}

bool
ReadCached(const std::string & name, std::string & content)
{
  const std::string folder = GetCacheFolder();
  std::ifstream     file(folder + "/" + name, std::ios::binary);
  if (folder.empty() || !file)
  {
    return false;
  }
  std::ostringstream all;
  all << file.rdbuf();
  content = all.str();
  return !content.empty();
}

void
WriteCached(const std::string & name, const std::string & content)
{
  static std::atomic<int> count{ 0 };

  const std::string folder = GetCacheFolder();
  if (folder.empty())
  {
    return;
  }
  const std::string path = folder + "/" + name;
  const std::string part = path + "." + std::to_string(GetProcess()) + "-" + std::to_string(count++);
  {
    std::ofstream file(part, std::ios::binary);
    file << content;
    file.close();
    if (!file)
    {
      SystemTools::RemoveFile(part);
      return;
    }
  }
  if (std::rename(part.c_str(), path.c_str()) != 0)
  {
    SystemTools::RemoveFile(part);
  }
}

std::string
NumberLines(const std::string & text)
{
  std::istringstream lines(text);
  std::string        line;
  std::ostringstream numbered;
  for (int i = 1; std::getline(lines, line); ++i)
  {
    numbered << (i == 1 ? "" : "\n") << i << ": " << line;
  }
  return numbered.str();
}
} // namespace CudaFilters
} // namespace itk
