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
  std::size_t SharedBytesPerBlock = 0; // at most, on request
  bool        HasMemoryPools = false;
  double      ClockKilohertz = 0.0;     // of the multiprocessors
  bool        StopsLongKernels = false; // the driver does, since the device has a display
};

/** Returns whether this process was forked from one that had already used CUDA. CUDA does not work in such a process:
 * this library makes no CUDA call there. */
bool
IsForkedAfterCuda();

/** Returns the number of devices that the driver reports, usable or not; 0 without a driver. Never throws. */
int
GetNumberOfDevices();

/** Returns why there cannot be a device, or an empty string. Does not start the driver, which takes time. */
const char *
WhyNoDriver();

/** Returns the reason why no device can be used in this process, or an empty string. */
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

/** Makes a device the current one of the calling thread, and restores the previous one at the end of the scope. Other
 * devices are not touched. Throws a DeviceError if that fails, or in a forked process. */
class DeviceScope
{
public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope &) = delete;
  DeviceScope &
  operator=(const DeviceScope &) = delete;
};
} // namespace CudaFilters
} // namespace itk

#endif
