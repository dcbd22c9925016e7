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
/** What is known of one device from the start; nothing here changes while the program runs. */
struct DeviceDescription
{
  std::string Name;
  int         Major = 0;
  int         Minor = 0;
  int         NumberOfMultiprocessors = 0;
  std::size_t TotalBytes = 0;
  bool        HasMemoryPools = false;
};

/** The devices that the driver shows, usable or not; none if there is no driver. Never throws. */
int
GetNumberOfDevices();

/** Why GetNumberOfDevices() is zero: what was looked for and what was found. Empty if there is a device. */
const std::string &
WhyNoDevice();

/** device: 0 to GetNumberOfDevices() - 1. */
const DeviceDescription &
GetDeviceDescription(int device);

/** Empty if kernels of this library run on the device, else why not. The first call for a device loads the library's
 * kernels there, which takes a moment. */
const std::string &
WhyNotUsable(int device);

/** Bytes that the driver could give out now, not counting what the pools of this library keep ready. */
std::size_t
GetFreeDeviceBytes(int device);

/** Waits for all work on a device, in all streams. */
void
SynchronizeDevice(int device);

/** The device in whose memory a pointer is; -1 if it is none's. */
int
GetDeviceOfMemory(const void * pointer);

/** Makes a device the calling thread's current one, and puts the former one back. */
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
