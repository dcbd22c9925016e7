// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTextProgram.h"
#include "TextCache.h"
#include "../Device/Execution.h"
#include "CudaFilters/DeviceError.h"
#include "CudaFilters/detail/TextFunction.h"
#include "itkMacro.h"
#include "itksys/DynamicLoader.hxx"
#include "itksys/SystemTools.hxx"
#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#if defined(CUDAFILTERS_EMULATED_DEVICE)

namespace itk
{
namespace CudaFilters
{
void
RunTextProgram(const Execution &     execution,
               const std::string &   program,
               const std::string &   listing,
               const TextArguments & arguments,
               const TextLaunch &    launch)
{
  // The memory of the emulated device is that of the CPU.
  Wait(execution);
  int           isBeyond = 0;
  TextArguments copy = arguments;
  copy.BeyondRadius = &isBeyond;
  GetHostTextProgram(program, listing)(&copy, 0, launch.Items);
  if (isBeyond != 0)
  {
    ThrowBeyondRadius();
  }
}
} // namespace CudaFilters
} // namespace itk

#else

namespace itk
{
namespace CudaFilters
{
namespace
{
using itksys::DynamicLoader;
using itksys::SystemTools;

/** The functions of a library that is loaded at run time. */
class LoadedLibrary
{
public:
  explicit LoadedLibrary(const std::vector<std::string> & names)
  {
    for (auto name = names.begin(); name != names.end() && m_Library == nullptr; ++name)
    {
      m_Library = DynamicLoader::OpenLibrary(*name);
    }
  }

  bool
  IsLoaded() const
  {
    return m_Library != nullptr;
  }

  template <typename TFunction>
  void
  Find(TFunction & function, const char * name) const
  {
    function = reinterpret_cast<TFunction>(DynamicLoader::GetSymbolAddress(m_Library, name));
    if (function == nullptr)
    {
      throw DeviceError(DeviceError::Kind::Unsuited, std::string(name) + "() is not in the library that was loaded");
    }
  }

private:
  DynamicLoader::LibraryHandle m_Library = nullptr;
};

/** What this file uses of NVRTC. Its results are 0 for success. */
struct Nvrtc
{
  int (*Version)(int *, int *) = nullptr;
  int (*CreateProgram)(void **, const char *, const char *, int, const char * const *, const char * const *) = nullptr;
  int (*CompileProgram)(void *, int, const char * const *) = nullptr;
  int (*DestroyProgram)(void **) = nullptr;
  int (*GetProgramLogSize)(void *, std::size_t *) = nullptr;
  int (*GetProgramLog)(void *, char *) = nullptr;
  int (*GetCubinSize)(void *, std::size_t *) = nullptr;
  int (*GetCubin)(void *, char *) = nullptr;

  static std::vector<std::string>
  GetNames()
  {
    std::vector<std::string> names;
    std::string              chosen;
    if (SystemTools::GetEnv("CUDAFILTERS_NVRTC", chosen) && !chosen.empty())
    {
      return { chosen };
    }
    std::vector<std::string> folders{ "" };
    for (const char * const name : { "CUDA_HOME", "CUDA_PATH" })
    {
      std::string folder;
      if (SystemTools::GetEnv(name, folder) && !folder.empty())
      {
        folders.push_back(folder + "/lib64/");
        folders.push_back(folder + "/lib/");
      }
    }
    folders.emplace_back("/usr/local/cuda/lib64/");
    for (const std::string & folder : folders)
    {
      for (const char * const name : { "libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2" })
      {
        names.push_back(folder + name);
      }
    }
    names.insert(names.end(), { "nvrtc64_130_0.dll", "nvrtc64_120_0.dll", "nvrtc64_112_0.dll" });
    return names;
  }

  Nvrtc()
  {
    const LoadedLibrary library(GetNames());
    if (!library.IsLoaded())
    {
      throw DeviceError(DeviceError::Kind::Unsuited,
                        "NVRTC, which compiles the text of a function, was not found; the environment variable "
                        "CUDAFILTERS_NVRTC may name the library");
    }
    library.Find(this->Version, "nvrtcVersion");
    library.Find(this->CreateProgram, "nvrtcCreateProgram");
    library.Find(this->CompileProgram, "nvrtcCompileProgram");
    library.Find(this->DestroyProgram, "nvrtcDestroyProgram");
    library.Find(this->GetProgramLogSize, "nvrtcGetProgramLogSize");
    library.Find(this->GetProgramLog, "nvrtcGetProgramLog");
    library.Find(this->GetCubinSize, "nvrtcGetCUBINSize");
    library.Find(this->GetCubin, "nvrtcGetCUBIN");
  }

  static const Nvrtc &
  GetInstance()
  {
    static const Nvrtc instance; // tried again after an exception
    return instance;
  }
};

/** What this file uses of the driver. Its results are 0 for success. */
struct Driver
{
  int (*ModuleLoadData)(void **, const void *) = nullptr;
  int (*ModuleGetFunction)(void **, void *, const char *) = nullptr;
  int (*LaunchKernel)(void *,
                      unsigned int,
                      unsigned int,
                      unsigned int,
                      unsigned int,
                      unsigned int,
                      unsigned int,
                      unsigned int,
                      void *,
                      void **,
                      void **) = nullptr;

  Driver()
  {
    const LoadedLibrary library({ "libcuda.so.1", "nvcuda.dll" });
    if (!library.IsLoaded())
    {
      throw DeviceError(DeviceError::Kind::Unsuited, "the driver's library was not found");
    }
    library.Find(this->ModuleLoadData, "cuModuleLoadData");
    library.Find(this->ModuleGetFunction, "cuModuleGetFunction");
    library.Find(this->LaunchKernel, "cuLaunchKernel");
  }

  static const Driver &
  GetInstance()
  {
    static const Driver instance;
    return instance;
  }
};

void
CheckDriver(int result, const char * what)
{
  using Kind = DeviceError::Kind;
  // No image for the device, or one that it cannot take.
  constexpr int unsuited[] = { 200, 209, 218, 222, 500 };
  constexpr int outOfMemory = 2;
  if (result != 0)
  {
    const bool isUnsuited = std::find(std::begin(unsuited), std::end(unsuited), result) != std::end(unsuited);
    throw DeviceError(result == outOfMemory ? Kind::OutOfMemory : (isUnsuited ? Kind::Unsuited : Kind::Failure),
                      std::string(what) + " failed with the driver's error " + std::to_string(result));
  }
}

/** The program for a kind of device. */
std::string
CompileForDevice(const Nvrtc &       nvrtc,
                 const std::string & program,
                 const std::string & listing,
                 const std::string & architecture)
{
  const std::string               option = "--gpu-architecture=" + architecture;
  const std::vector<const char *> options{ option.c_str(), "--std=c++17", "--fmad=false" };
  void *                          handle = nullptr;
  if (nvrtc.CreateProgram(&handle, program.c_str(), "function.cu", 0, nullptr, nullptr) != 0)
  {
    throw DeviceError(DeviceError::Kind::Unsuited, "NVRTC takes no program");
  }
  const int   status = nvrtc.CompileProgram(handle, static_cast<int>(options.size()), options.data());
  std::size_t length = 0;
  nvrtc.GetProgramLogSize(handle, &length);
  std::string log(length, '\0');
  nvrtc.GetProgramLog(handle, &log[0]);
  std::string cubin;
  if (status == 0)
  {
    nvrtc.GetCubinSize(handle, &length);
    cubin.resize(length);
    nvrtc.GetCubin(handle, &cubin[0]);
  }
  nvrtc.DestroyProgram(&handle);
  constexpr int wrongProgram = 6; // NVRTC_ERROR_COMPILATION
  if (status != 0 && status != wrongProgram)
  {
    throw DeviceError(DeviceError::Kind::Unsuited,
                      "NVRTC does not compile for " + architecture + " (its error " + std::to_string(status) + ")");
  }
  if (status != 0)
  {
    itkGenericExceptionMacro("The text of the function does not compile with NVRTC:\n"
                             << log.c_str() << "\n"
                             << listing);
  }
  return cubin;
}

/** The kernel of a program on the device of an execution. Kernels stay loaded. */
void *
GetKernel(const Execution & execution, const std::string & program, const std::string & listing)
{
  static std::mutex                                    mutex;
  static std::map<std::pair<int, std::string>, void *> kernels;

  const std::lock_guard<std::mutex> lock(mutex);
  void *&                           kernel = kernels[{ execution.GetDevice(), program }];
  if (kernel == nullptr)
  {
    const Nvrtc & nvrtc = Nvrtc::GetInstance();
    int           major = 0;
    int           minor = 0;
    nvrtc.Version(&major, &minor);
    const DeviceDescription & device = GetDeviceDescription(execution.GetDevice());
    const std::string         architecture = "sm_" + std::to_string(device.Major) + std::to_string(device.Minor);
    const std::string         description =
      "nvrtc " + std::to_string(major) + "." + std::to_string(minor) + " " + architecture + "\n";
    const std::string name = GetCachedName(description + program, ".cubin");
    std::string       cubin;
    void *            module = nullptr;
    const Driver &    driver = Driver::GetInstance();
    if (!ReadCached(name, cubin) || driver.ModuleLoadData(&module, cubin.data()) != 0)
    {
      cubin = CompileForDevice(nvrtc, program, listing, architecture);
      CheckDriver(driver.ModuleLoadData(&module, cubin.data()), "Loading the compiled text of the function");
      WriteCached(name, cubin);
    }
    CheckDriver(driver.ModuleGetFunction(&kernel, module, "CudaFiltersText"), "Finding the kernel");
  }
  return kernel;
}
} // namespace

void
RunTextProgram(const Execution &     execution,
               const std::string &   program,
               const std::string &   listing,
               const TextArguments & arguments,
               const TextLaunch &    launch)
{
  void * const kernel = GetKernel(execution, program, listing);
  if (launch.Items == 0)
  {
    return;
  }
  constexpr std::int64_t most[3] = { 2147483647, 65535, 65535 };
  const auto getBlocks = [&](int axis) { return static_cast<unsigned int>(std::min(launch.Blocks[axis], most[axis])); };
  TextArguments copy = arguments;
  void *        parameters[] = { &copy };
  CheckDriver(Driver::GetInstance().LaunchKernel(kernel,
                                                 getBlocks(0),
                                                 getBlocks(1),
                                                 getBlocks(2),
                                                 TextThreads,
                                                 1,
                                                 1,
                                                 launch.SharedBytes,
                                                 GetStreamHandle(execution),
                                                 parameters,
                                                 nullptr),
              "Starting the compiled text of the function");
  AfterWork(execution, "CudaFiltersText");
}
} // namespace CudaFilters
} // namespace itk

#endif
