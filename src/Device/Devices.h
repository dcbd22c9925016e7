// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersDevices_h
#define itkCudaFiltersDevices_h

#include <cstddef>
#include <string>

namespace itk
{
namespace CudaFilters
{
/** Properties of a device that do not change while the program runs. */
struct DeviceDescription
{
  std::string Name;
  int         Major = 0;
  int         Minor = 0;
  int         NumberOfMultiprocessors = 0;
  std::size_t TotalBytes = 0;
  bool        HasMemoryPools = false;
};

/** Returns the number of devices that the driver reports, usable or not; 0 without a driver. Never throws. */
int
GetNumberOfDevices();

/** Returns the reason why GetNumberOfDevices() is 0, or an empty string if there is a device. */
const std::string &
WhyNoDevice();

/** device: 0 to GetNumberOfDevices() - 1. */
const DeviceDescription &
GetDeviceDescription(int device);

/** Returns an empty string if kernels of this library run on the device, otherwise the reason why not. The first call
 * for a device loads a kernel there, which takes some time. */
const std::string &
WhyNotUsable(int device);

/** Returns the bytes that the driver can allocate now, without those that the pools of this library keep for reuse. */
std::size_t
GetFreeDeviceBytes(int device);

/** Waits for all work on a device, in all streams. */
void
SynchronizeDevice(int device);

/** Returns the device whose memory contains the pointer, or -1 if it does not point to device memory. */
int
GetDeviceOfMemory(const void * pointer);

/** Makes a device the current one of the calling thread, and restores the previous one at the end of the scope. */
class DeviceScope
{
public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope &) = delete;
  DeviceScope &
  operator=(const DeviceScope &) = delete;

private:
  int m_Former = 0;
  int m_Device = 0;
};
} // namespace CudaFilters
} // namespace itk

#endif
