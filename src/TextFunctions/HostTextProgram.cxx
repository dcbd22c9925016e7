// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "TextCache.h"
#include "../Device/ForkSafeInstance.h"
#include "CudaFilters/detail/TextFunction.h"
#include "itkMacro.h"
#include "itksys/DynamicLoader.hxx"
#include "itksys/Process.h"
#include "itksys/SystemTools.hxx"
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace itk
{
namespace CudaFilters
{
namespace
{
using itksys::DynamicLoader;
using itksys::SystemTools;

/** The C++ compiler of the machine. Empty if there is none. */
std::string
FindCompiler()
{
  std::string chosen;
  if (SystemTools::GetEnv("CUDAFILTERS_CXX", chosen) && !chosen.empty())
  {
    return SystemTools::FindProgram(chosen);
  }
  // CXX may be a command with options, which is of no use here.
  if (SystemTools::GetEnv("CXX", chosen) && !SystemTools::FindProgram(chosen).empty())
  {
    return SystemTools::FindProgram(chosen);
  }
  for (const char * const name : { "c++", "g++", "clang++" })
  {
    const std::string found = SystemTools::FindProgram(name);
    if (!found.empty())
    {
      return found;
    }
  }
  return "";
}

/** A folder of its own, which is removed with all files. */
class TemporaryFolder
{
public:
  TemporaryFolder()
  {
    std::string parent;
    SystemTools::GetEnv("TMPDIR", parent);
    if (parent.empty())
    {
      SystemTools::GetEnv("TEMP", parent);
    }
    if (parent.empty())
    {
      parent = "/tmp";
    }
    std::random_device random;
    m_Path = parent + "/cudafilters-" + std::to_string(random()) + "-" + std::to_string(random());
    // Made by nobody else before, and closed to others.
    if (SystemTools::FileExists(m_Path) || !SystemTools::MakeDirectory(m_Path) ||
        !SystemTools::SetPermissions(m_Path, 0700))
    {
      itkGenericExceptionMacro("A folder for the program of the function cannot be made in " << parent << ".");
    }
  }
  ~TemporaryFolder() { SystemTools::RemoveADirectory(m_Path); }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &
  operator=(const TemporaryFolder &) = delete;

  const std::string &
  GetPath() const
  {
    return m_Path;
  }

private:
  std::string m_Path;
};

std::vector<std::string>
MakeCommand(const std::string & compiler)
{
  // Products and sums are not fused, as on the device.
  return { compiler, "-std=c++17", "-O2", "-w", "-Werror=return-type", "-fPIC", "-shared", "-ffp-contract=off" };
}

std::string
ReadFile(const std::string & path)
{
  std::ifstream      file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

/** Runs a program, and returns whether it succeeded. messages: the file for what it writes. */
bool
RunCommand(const std::vector<std::string> & command, const std::string & messages)
{
  constexpr double mostSeconds = 120.0;

  std::vector<const char *> words;
  for (const std::string & word : command)
  {
    words.push_back(word.c_str());
  }
  words.push_back(nullptr);
  itksysProcess * const process = itksysProcess_New();
  itksysProcess_SetCommand(process, words.data());
  itksysProcess_SetOption(process, itksysProcess_Option_HideWindow, 1);
  itksysProcess_SetOption(process, itksysProcess_Option_MergeOutput, 1);
  itksysProcess_SetPipeFile(process, itksysProcess_Pipe_STDOUT, messages.c_str());
  itksysProcess_SetTimeout(process, mostSeconds);
  itksysProcess_Execute(process);
  itksysProcess_WaitForExit(process, nullptr);
  const bool hasSucceeded =
    itksysProcess_GetState(process) == itksysProcess_State_Exited && itksysProcess_GetExitValue(process) == 0;
  itksysProcess_Delete(process);
  return hasSucceeded;
}

/** Programs that stay loaded. */
struct LoadedPrograms
{
  std::mutex                             Mutex;
  std::map<std::string, HostTextProgram> Programs;
};

/** Compiles a program to a library, whose bytes it returns. */
std::string
CompileLibrary(const std::string & compiler, const std::string & program, const std::string & listing)
{
  const TemporaryFolder folder;
  const std::string     source = folder.GetPath() + "/function.cxx";
  const std::string     library = folder.GetPath() + "/function.so";
  std::ofstream(source) << program;
  std::vector<std::string> command = MakeCommand(compiler);
#if !defined(_WIN32)
  // Libraries that were loaded into this program by force are not meant for the compiler.
  command.insert(command.begin(), { "/usr/bin/env", "-u", "LD_PRELOAD" });
#endif
  command.insert(command.end(), { source, "-o", library });
  const std::string messages = folder.GetPath() + "/messages.txt";
  if (!RunCommand(command, messages))
  {
    itkGenericExceptionMacro("The text of the function does not compile with " << compiler << ":\n"
                                                                               << ReadFile(messages) << "\n"
                                                                               << listing);
  }
  return ReadFile(library);
}

/** Loads a library from its bytes. It stays loaded until the program ends. */
HostTextProgram
LoadLibraryFromBytes(const std::string & name, const std::string & bytes)
{
  // A loaded file may be removed, but not while it is loaded elsewhere on some systems: each process has its own.
  const TemporaryFolder folder;
  const std::string     path = folder.GetPath() + "/" + name;
  std::ofstream(path, std::ios::binary) << bytes;
  const auto library = DynamicLoader::OpenLibrary(path);
  const auto function = library == nullptr ? nullptr : DynamicLoader::GetSymbolAddress(library, "CudaFiltersText");
  if (function == nullptr)
  {
    return nullptr;
  }
  return reinterpret_cast<HostTextProgram>(function);
}
} // namespace

HostTextProgram
GetHostTextProgram(const std::string & program, const std::string & listing)
{
  LoadedPrograms &                  loaded = GetForkSafeInstance<LoadedPrograms>();
  const std::lock_guard<std::mutex> lock(loaded.Mutex);
  const auto                        found = loaded.Programs.find(program);
  if (found != loaded.Programs.end())
  {
    return found->second;
  }
  const std::string compiler = FindCompiler();
  if (compiler.empty())
  {
    itkGenericExceptionMacro("On the CPU, the text of a function needs a C++ compiler, and there is none (c++, g++ or "
                             "clang++). The environment variable CUDAFILTERS_CXX may name one.");
  }
  std::string description = std::to_string(SystemTools::ModifiedTime(compiler)) + "\n";
  for (const std::string & word : MakeCommand(compiler))
  {
    description += word + "\n";
  }
  const std::string name = GetCachedName(description + program, ".so");
  std::string       bytes;
  HostTextProgram   function = ReadCached(name, bytes) ? LoadLibraryFromBytes(name, bytes) : nullptr;
  if (function == nullptr) // there is no such file, or not a good one
  {
    bytes = CompileLibrary(compiler, program, listing);
    WriteCached(name, bytes);
    function = LoadLibraryFromBytes(name, bytes);
  }
  if (function == nullptr)
  {
    itkGenericExceptionMacro("The compiled text of the function cannot be loaded: " << DynamicLoader::LastError());
  }
  loaded.Programs.emplace(program, function);
  return function;
}
} // namespace CudaFilters
} // namespace itk
