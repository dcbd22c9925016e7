// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Devices.h"
#include "CudaFilters/Check.cuh"
#include "DeviceMemory.h"
#include "Probe.h"
#include "CudaFilters/DeviceError.h"
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>
#if defined(__unix__) || defined(__APPLE__)
#  include <pthread.h>
#endif
#if defined(__linux__)
#  include <dlfcn.h>
#endif

namespace itk
{
namespace CudaFilters
{
namespace
{
/** What this process has done with CUDA. */
enum class CudaUse
{
  None,
  Starting, // a thread makes the registry, or is about to
  NoDevice,
  Used
};

std::atomic<CudaUse> cudaUse{ CudaUse::None };
std::atomic<bool>    isForkedAfterCuda{ false };

const std::string whyNoneInForkedProcess =
  "this process was forked from one that had used CUDA, which does not work in it; start processes by other means, as "
  "Python's multiprocessing does with 'spawn'";

#if defined(__unix__) || defined(__APPLE__)
void
NoteFork()
{
  const CudaUse use = cudaUse;
  isForkedAfterCuda = use == CudaUse::Starting || use == CudaUse::Used;
}

[[maybe_unused]] const int forksAreNoted = pthread_atfork(nullptr, nullptr, &NoteFork);
#endif

/** Functions of the driver in place of some of the runtime's, which create a context on the current device, or, as
 * cudaSetDevice(), on the device that they restore, although the program may never use it. */
class Driver
{
public:
  using Context = void *;

  Driver()
  {
    this->Find("cuDevicePrimaryCtxRetain", m_Retain);
    this->Find("cuCtxPushCurrent", m_Push);
    this->Find("cuCtxPopCurrent", m_Pop);
    this->Find("cuPointerGetAttribute", m_GetPointerAttribute);
  }

  /** Returns the device's primary context, which the CUDA runtime uses, too. */
  Context
  Retain(int device) const
  {
    Context context = nullptr;
    Check(static_cast<cudaError_t>(m_Retain(&context, device)), "Creating the context of a device");
    return context;
  }

  void
  Push(Context context) const
  {
    Check(static_cast<cudaError_t>(m_Push(context)), "Choosing the device");
  }

  void
  Pop() const
  {
    Context context = nullptr;
    m_Pop(&context);
  }

  /** Returns the device whose memory contains the address, or -1. */
  int
  GetDeviceOfMemory(const void * pointer) const
  {
    constexpr int      memoryType = 2; // CU_POINTER_ATTRIBUTE_...
    constexpr int      isManaged = 8;
    constexpr int      deviceOrdinal = 9;
    constexpr unsigned inDevice = 2; // CU_MEMORYTYPE_DEVICE
    const auto         address = static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(pointer));
    unsigned int       type = 0;
    unsigned int       managed = 0;
    int                device = -1;
    if (m_GetPointerAttribute(&type, memoryType, address) != 0)
    {
      return -1;
    }
    m_GetPointerAttribute(&managed, isManaged, address);
    const bool isOnDevice = type == inDevice || (managed & 1u) != 0u;
    return isOnDevice && m_GetPointerAttribute(&device, deviceOrdinal, address) == 0 ? device : -1;
  }

private:
  template <typename TFunction>
  static void
  Find(const char * name, TFunction *& function)
  {
    void * address = nullptr;
#if defined(CUDART_VERSION) && CUDART_VERSION < 12050
    const cudaError_t error = cudaGetDriverEntryPoint(name, &address, cudaEnableDefault);
#else
    cudaDriverEntryPointQueryResult found{};
    constexpr unsigned int          version = 11000; // of the functions' signatures
    const cudaError_t error = cudaGetDriverEntryPointByVersion(name, &address, version, cudaEnableDefault, &found);
#endif
    Check(error, "Looking for a function of the driver");
    if (address == nullptr)
    {
      throw DeviceError(DeviceError::Kind::Failure, std::string("the CUDA driver has no function ") + name);
    }
    function = reinterpret_cast<TFunction *>(address);
  }

  // Errors of the driver have the numbers of the runtime's errors.
  int (*m_Retain)(Context *, int) = nullptr;
  int (*m_Push)(Context) = nullptr;
  int (*m_Pop)(Context *) = nullptr;
  int (*m_GetPointerAttribute)(void *, int, unsigned long long) = nullptr;
};

const Driver &
GetDriver()
{
  static const Driver & driver = *new Driver;
  return driver;
}

struct Registry
{
  struct Device
  {
    DeviceDescription Description;
    std::once_flag    Probed;
    std::string       WhyNotUsable;
    std::once_flag    Retained;
    Driver::Context   Context = nullptr;
  };

  std::vector<std::unique_ptr<Device>> Devices;
  std::string                          WhyNone;

  Registry()
  {
    int               count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count > 0)
    {
      for (int device = 0; device < count; ++device)
      {
        this->Devices.push_back(std::make_unique<Device>());
        Describe(device, this->Devices.back()->Description);
      }
      return;
    }
    int driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess)
    {
      driver = 0;
    }
    cudaGetLastError();
    this->WhyNone = "looked for a CUDA device, found none: ";
    this->WhyNone += error == cudaSuccess ? "the driver shows no device" : cudaGetErrorString(error);
    this->WhyNone += driver == 0 ? " (no CUDA driver is loaded)"
                                 : " (the driver supports CUDA " + std::to_string(driver / 1000) + "." +
                                     std::to_string(driver % 1000 / 10) + ")";
  }

  static void
  Describe(int device, DeviceDescription & description)
  {
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, device) == cudaSuccess)
    {
      description.Name = properties.name;
      description.Major = properties.major;
      description.Minor = properties.minor;
      description.NumberOfMultiprocessors = properties.multiProcessorCount;
      description.TotalBytes = properties.totalGlobalMem;
    }
    const auto getAttribute = [device](auto attribute) {
      int value = 0;
      return cudaDeviceGetAttribute(&value, attribute, device) == cudaSuccess ? value : 0;
    };
    description.HasMemoryPools = getAttribute(cudaDevAttrMemoryPoolsSupported) != 0;
    description.SharedBytesPerBlock = getAttribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    const int clock = getAttribute(cudaDevAttrClockRate);
    description.ClockKilohertz = clock > 0 ? clock : 1000000; // if the driver does not report the clock
    description.StopsLongKernels = getAttribute(cudaDevAttrKernelExecTimeout) != 0;
    cudaGetLastError();
  }

  /** The first memory takes the driver far longer than any other: it is part of the start, not of the first filter. */
  static void
  AllocateFirstMemory(int device)
  {
    try
    {
      const DeviceBuffer buffer(1, Stream::OfThisThread(device));
    }
    catch (const DeviceError & error)
    {
      if (!error.IsOutOfMemory())
      {
        throw;
      }
    }
  }

  /** Querying the attributes of a kernel makes the driver load it. This fails on a GPU that this build does not
   * support, and on one that another process uses in exclusive mode. */
  static std::string
  Probe(int device, const DeviceDescription & description)
  {
    std::string error;
    try
    {
      const DeviceScope scope(device);
      const cudaError_t result = ProbeKernels();
      if (result == cudaSuccess)
      {
        AllocateFirstMemory(device);
        return {};
      }
      cudaGetLastError();
      error = cudaGetErrorString(result);
    }
    catch (const DeviceError & failure)
    {
      error = failure.what();
    }
    return "device " + std::to_string(device) + " (" + description.Name + ", compute capability " +
           std::to_string(description.Major) + "." + std::to_string(description.Minor) + ") cannot be used: " + error;
  }
};

Registry &
GetRegistry()
{
  // Before the lock of the static variable, in which a forked process would wait for ever.
  CudaUse none = CudaUse::None;
  cudaUse.compare_exchange_strong(none, CudaUse::Starting);
  // Never destroyed: images with static lifetime still use it when the program exits.
  static Registry & registry = *new Registry;
  // After the lock, for the same reason.
  CudaUse starting = CudaUse::Starting;
  cudaUse.compare_exchange_strong(starting, registry.Devices.empty() ? CudaUse::NoDevice : CudaUse::Used);
  return registry;
}
} // namespace

bool
IsForkedAfterCuda()
{
  return isForkedAfterCuda;
}

int
GetNumberOfDevices()
{
  // In a process that was forked while another thread made the registry, there is none.
  return cudaUse == CudaUse::Starting && isForkedAfterCuda ? 0 : static_cast<int>(GetRegistry().Devices.size());
}

const char *
WhyNoDriver()
{
#if defined(CUDAFILTERS_NO_TOOLKIT)
  return "this module was built without CUDA";
#else
#  if defined(__linux__) && !defined(CUDAFILTERS_EMULATED_DEVICE)
  // Not by a function of CUDA's, which would start the driver. The library stays open, since CUDA opens it, too.
  const bool isThere = dlopen("libcuda.so.1", RTLD_LAZY) != nullptr;
#  else
  int        version = 0;
  const bool isThere = cudaDriverGetVersion(&version) == cudaSuccess && version > 0;
#  endif
  return isThere ? "" : "there is no CUDA driver";
#endif
}

const std::string &
WhyNoDevice()
{
  return isForkedAfterCuda ? whyNoneInForkedProcess : GetRegistry().WhyNone;
}

const DeviceDescription &
GetDeviceDescription(int device)
{
  return GetRegistry().Devices.at(device)->Description;
}

const std::string &
WhyNotUsable(int device)
{
  Registry::Device & entry = *GetRegistry().Devices.at(device);
  std::call_once(entry.Probed, [&entry, device] { entry.WhyNotUsable = Registry::Probe(device, entry.Description); });
  return entry.WhyNotUsable;
}

std::size_t
GetFreeDeviceBytes(int device)
{
  const DeviceScope scope(device);
  std::size_t       free = 0;
  std::size_t       total = 0;
  Check(cudaMemGetInfo(&free, &total), "Asking for the free device memory");
  return free;
}

void
SynchronizeDevice(int device)
{
  const DeviceScope scope(device);
  Check(cudaDeviceSynchronize(), "Waiting for the device");
}

int
GetDeviceOfMemory(const void * pointer)
{
  return isForkedAfterCuda || GetNumberOfDevices() == 0 ? -1 : GetDriver().GetDeviceOfMemory(pointer);
}

DeviceScope::DeviceScope(int device)
{
  if (isForkedAfterCuda)
  {
    throw DeviceError(DeviceError::Kind::Failure, WhyNoDevice());
  }
  Registry::Device & entry = *GetRegistry().Devices.at(device);
  std::call_once(entry.Retained, [&entry, device] { entry.Context = GetDriver().Retain(device); });
  GetDriver().Push(entry.Context);
}

DeviceScope::~DeviceScope() { GetDriver().Pop(); }
} // namespace CudaFilters
} // namespace itk
