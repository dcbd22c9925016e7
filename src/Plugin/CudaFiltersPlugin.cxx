// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// The plug-in: ITK loads it from a folder that ITK_AUTOLOAD_PATH names, and asks it for an object factory. It is not
// linked to ITK, since programs with any ITK load it. If the caller is the shared ITK that this module was built for,
// it loads the library with the factory; otherwise it declines.

#include "Caller.h"
#include "DecliningFactory.h"
#include "itkVersion.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>

namespace CudaFiltersPlugin
{
namespace
{
// As in the core, which is not loaded where another ITK is the caller.
void
WriteLine(const std::string & text)
{
  std::fputs(("itk-cuda: " + text + "\n").c_str(), stderr);
}

bool
IsVariable(const char * name, const char * value)
{
  const char * const actual = std::getenv(name);
  return actual != nullptr && std::strcmp(actual, value) == 0;
}

/** Returns a factory without overrides. The line says why; empty: nothing is said. */
void *
Decline(const Caller & caller, const std::string & line)
{
  if (!line.empty())
  {
    WriteLine(line);
  }
  // ITK warns of factories of another version than its own.
  const char * const found = caller.FindVersion();
  const char * const version = found == nullptr ? ITK_SOURCE_VERSION : found;
  if (caller.HasOldStringAbi())
  {
    return new DecliningFactory<OldStringAbi>(version);
  }
  return new DecliningFactory<Cxx11Abi>(version);
}

/** Opens a library of this module: the one that the process has already, or the one in the folder above this plug-in's.
 */
void *
Open(const char * name)
{
  void * handle = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr)
  {
    Dl_info     info{};
    std::string path = dladdr(reinterpret_cast<void *>(&Open), &info) != 0 ? info.dli_fname : "";
    path.erase(path.find_last_of('/') + 1);
    handle = dlopen((path + "../" + name).c_str(), RTLD_LAZY);
  }
  return handle;
}

void *
Load(const Caller & caller)
{
  if (IsVariable("ITK_CUDA_BACKEND", "off"))
  {
    return Decline(caller, "");
  }

  constexpr const char * nameOfVersion =
    "_ZN3itk7Version19GetITKSourceVersionEv"; // itk::Version::GetITKSourceVersion()
  const std::string requirement = " the plug-in is for programs that use " ITK_SOURCE_VERSION " as a shared library";
  void * const      getVersion = caller.Find(nameOfVersion);
  if (getVersion == nullptr)
  {
    const char * const found = caller.FindVersion();
    const std::string  version = found == nullptr ? "of an unknown version" : found;
    return Decline(caller, "declined: this program contains an ITK of its own (" + version + ");" + requirement);
  }
  const std::string version = reinterpret_cast<const char * (*)()>(getVersion)();
  if (version != ITK_SOURCE_VERSION)
  {
    return Decline(caller, "declined: this program uses " + version + ";" + requirement);
  }

  // The core first: it is small, and knows whether there may be a device.
  void * const core = Open(CUDAFILTERS_CORE);
  if (core == nullptr)
  {
    return Decline(caller, std::string("declined: ") + dlerror());
  }
  if (dlsym(core, nameOfVersion) != getVersion)
  {
    return Decline(caller,
                   "declined: this program's library of ITK is not the one that this module loads;" + requirement);
  }
  const auto whyNot = reinterpret_cast<const char * (*)()>(dlsym(core, "itkCudaFiltersWhyDeclined"));
  if (whyNot == nullptr)
  {
    return Decline(caller, std::string("declined: ") + dlerror());
  }
  const std::string reason = whyNot();
  if (!reason.empty())
  {
    const char * const verbose = std::getenv("ITK_CUDA_VERBOSE");
    const bool         isVerbose = verbose != nullptr && *verbose != '\0' && std::strcmp(verbose, "0") != 0;
    return Decline(caller, isVerbose ? "declined: " + reason : "");
  }

  void * const library = Open(CUDAFILTERS_FACTORY);
  void * const getFactory = library == nullptr ? nullptr : dlsym(library, "itkCudaFiltersGetFactory");
  if (getFactory == nullptr)
  {
    return Decline(caller, std::string("declined: ") + dlerror());
  }
  return reinterpret_cast<void * (*)()>(getFactory)();
}
} // namespace
} // namespace CudaFiltersPlugin

extern "C"
{
  // What ITK looks for. It must not return null.
  __attribute__((visibility("default"), noinline)) void *
  itkLoad();
}

void *
itkLoad()
{
  return CudaFiltersPlugin::Load(CudaFiltersPlugin::Caller(__builtin_return_address(0)));
}
