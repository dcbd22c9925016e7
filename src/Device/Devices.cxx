// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Devices.h"
#include "CudaFilters/Check.cuh"
#include "Probe.h"
#include <memory>
#include <mutex>
#include <vector>

namespace itk
{
namespace CudaFilters
{
namespace
{
struct Registry
{
  struct Device
  {
    DeviceDescription Description;
    std::once_flag    Probed;
    std::string       WhyNotUsable;
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
    int pools = 0;
    description.HasMemoryPools =
      cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, device) == cudaSuccess && pools != 0;
    cudaGetLastError();
  }

  /** Querying the attributes of a kernel makes the driver load it. This fails on a GPU that this build does not
   * support, and on one that another process uses in exclusive mode. */
  static std::string
  Probe(int device, const DeviceDescription & description)
  {
    int         former = 0;
    cudaError_t error = cudaGetDevice(&former);
    if (error == cudaSuccess)
    {
      error = cudaSetDevice(device);
      if (error == cudaSuccess)
      {
        error = ProbeKernels();
      }
      cudaSetDevice(former);
    }
    if (error == cudaSuccess)
    {
      return {};
    }
    cudaGetLastError();
    return "device " + std::to_string(device) + " (" + description.Name + ", compute capability " +
           std::to_string(description.Major) + "." + std::to_string(description.Minor) +
           ") cannot be used: " + cudaGetErrorString(error);
  }
};

Registry &
GetRegistry()
{
  // Never destroyed: images with static lifetime still use it when the program exits.
  static Registry & registry = *new Registry;
  return registry;
}
} // namespace

int
GetNumberOfDevices()
{
  return static_cast<int>(GetRegistry().Devices.size());
}

const std::string &
WhyNoDevice()
{
  return GetRegistry().WhyNone;
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
  cudaPointerAttributes attributes{};
  if (GetNumberOfDevices() == 0 || cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess)
  {
    cudaGetLastError();
    return -1;
  }
  const bool isOnDevice = attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
  return isOnDevice ? attributes.device : -1;
}

DeviceScope::DeviceScope(int device)
  : m_Device(device)
{
  Check(cudaGetDevice(&m_Former), "Asking for the current device");
  if (m_Former != m_Device)
  {
    Check(cudaSetDevice(m_Device), "Choosing the device");
  }
}

DeviceScope::~DeviceScope()
{
  if (m_Former != m_Device)
  {
    cudaSetDevice(m_Former);
  }
}
} // namespace CudaFilters
} // namespace itk
