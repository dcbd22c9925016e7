// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaInterface.h"
#include "CudaFilters/DeviceError.h"
#include "Device/Copy.h"
#include "Device/DeviceMemory.h"
#include "Device/Devices.h"
#include "Device/ForkSafeInstance.h"
#include "Device/HostMemory.h"
#include "Device/PhysicalMemory.h"
#include "Runner/Environment.h"
#include <algorithm>
#include <atomic>

namespace itk
{
CudaInterface::CudaInterface() { m_Settings.BlockSizes.resize(CudaNumberOfKernelFamilies, 0); }

CudaInterface *
CudaInterface::GetDefault()
{
  // Never destroyed: filters and images with static lifetime still use it when the program exits.
  static std::atomic<CudaInterface *> instance{ nullptr };
  if (instance == nullptr)
  {
    using BackendChoice = CudaFilters::Environment::BackendChoice;
    const Pointer       created = Self::New();
    const BackendChoice choice = CudaFilters::Environment::Get().Backend;
    if (choice == BackendChoice::Cuda || choice == BackendChoice::Cpu)
    {
      created->SetBackend(choice == BackendChoice::Cuda ? CudaBackendEnum::CUDA : CudaBackendEnum::CPU);
    }
    if (CudaFilters::Publish(instance, created.GetPointer()))
    {
      created->Register();
    }
  }
  return instance;
}

void
CudaInterface::SetDeviceNumber(int device)
{
  this->SetDeviceNumbers({ device });
}

void
CudaInterface::SetDeviceNumbers(const std::vector<int> & devices)
{
  if (devices.empty())
  {
    itkExceptionMacro("At least one device number is needed");
  }
  const int count = GetNumberOfDevices();
  for (const int device : devices)
  {
    // Without a device, the upper limit is unknown: a program written for two devices still runs here.
    if (device < 0 || (count > 0 && device >= count))
    {
      itkExceptionMacro("Device number " << device << " is not one of this machine's: allowed are 0 to "
                                         << std::max(count - 1, 0));
    }
    if (std::count(devices.begin(), devices.end(), device) > 1)
    {
      itkExceptionMacro("Device number " << device << " is given twice");
    }
  }
  if (m_DeviceNumbers != devices)
  {
    m_DeviceNumbers = devices;
    this->Modified();
  }
}

void
CudaInterface::SetBlockSize(CudaKernelFamilyEnum family, unsigned int size)
{
  if (size < 32 || size > 1024 || size % 32 != 0)
  {
    itkExceptionMacro("A block size of " << size << " is not possible for " << family
                                         << ": allowed are the multiples of 32 from 32 to 1024");
  }
  if (this->GetBlockSize(family) != size)
  {
    m_Settings.BlockSizes[static_cast<std::size_t>(family)] = size;
    this->Modified();
  }
}

void
CudaInterface::SetBlockSizeToAutomatic(CudaKernelFamilyEnum family)
{
  if (this->GetBlockSize(family) != 0)
  {
    m_Settings.BlockSizes[static_cast<std::size_t>(family)] = 0;
    this->Modified();
  }
}

unsigned int
CudaInterface::GetBlockSize(CudaKernelFamilyEnum family) const
{
  const auto index = static_cast<std::size_t>(family);
  if (index >= m_Settings.BlockSizes.size())
  {
    itkExceptionMacro("There is no kernel family " << index << ": allowed are 0 to "
                                                   << m_Settings.BlockSizes.size() - 1);
  }
  return m_Settings.BlockSizes[index];
}

void
CudaInterface::SetStream(void * stream)
{
  if (m_Settings.Stream != stream)
  {
    m_Settings.Stream = stream;
    this->Modified();
  }
}

void
CudaInterface::SetSharedMemoryCarveout(int percent)
{
  if (percent < -1 || percent > 100)
  {
    itkExceptionMacro("A shared memory carveout of "
                      << percent
                      << " is not possible: allowed are 0 to 100 percent, or -1 to leave "
                         "it to the driver");
  }
  if (m_Settings.SharedMemoryCarveout != percent)
  {
    m_Settings.SharedMemoryCarveout = percent;
    this->Modified();
  }
}

void
CudaInterface::SetKernelTimeLimit(double milliseconds)
{
  if (!(milliseconds >= 1.0))
  {
    itkExceptionMacro("A kernel time limit of " << milliseconds << " ms is not possible: allowed is 1 ms or more");
  }
  if (m_Settings.KernelMilliseconds != milliseconds)
  {
    m_Settings.KernelMilliseconds = milliseconds;
    this->Modified();
  }
}

void
CudaInterface::SetSynchronous(bool synchronous)
{
  if (m_Settings.Synchronous != synchronous)
  {
    m_Settings.Synchronous = synchronous;
    this->Modified();
  }
}

void
CudaInterface::SetTiming(bool timing)
{
  if (m_Settings.Timing != timing)
  {
    m_Settings.Timing = timing;
    this->Modified();
  }
}

std::string
CudaInterface::GetWhyNotOnDevice() const
{
  if (m_Backend == CudaBackendEnum::CPU)
  {
    return "the backend is set to CPU";
  }
  const std::string & why = CudaFilters::WhyNoDevice();
  if (!why.empty())
  {
    return why;
  }
  for (const int device : m_DeviceNumbers)
  {
    const std::string & whyNot = CudaFilters::WhyNotUsable(device);
    if (!whyNot.empty())
    {
      return whyNot;
    }
  }
  return {};
}

int
CudaInterface::GetNumberOfDevices()
{
  return CudaFilters::GetNumberOfDevices();
}

namespace
{
const CudaFilters::DeviceDescription &
FindDevice(int device)
{
  const int count = CudaFilters::GetNumberOfDevices();
  if (device < 0 || device >= count)
  {
    itkGenericExceptionMacro("There is no device number " << device << ": this machine has " << count << " devices");
  }
  return CudaFilters::GetDeviceDescription(device);
}
} // namespace

std::string
CudaInterface::GetDeviceName(int device)
{
  return FindDevice(device).Name;
}

std::string
CudaInterface::GetDeviceDescription(int device)
{
  const CudaFilters::DeviceDescription & description = FindDevice(device);
  return description.Name + ", compute capability " + std::to_string(description.Major) + "." +
         std::to_string(description.Minor) + ", " + std::to_string(description.NumberOfMultiprocessors) +
         " multiprocessors, " + std::to_string(description.TotalBytes >> 20) + " MiB";
}

SizeValueType
CudaInterface::GetDeviceBytesInUse()
{
  return CudaFilters::GetDeviceMemoryUse().InUse;
}

SizeValueType
CudaInterface::GetDeviceBytesHeld()
{
  return CudaFilters::GetDeviceMemoryUse().Reserved;
}

SizeValueType
CudaInterface::GetPageLockedBytesInUse()
{
  return CudaFilters::GetHostMemoryUse().InUse;
}

SizeValueType
CudaInterface::GetPageLockedBytesHeld()
{
  return CudaFilters::GetHostMemoryUse().Reserved;
}

void
CudaInterface::ReleaseCachedMemory()
{
  try
  {
    CudaFilters::EmptyDevicePools();
  }
  catch (const CudaFilters::DeviceError & error)
  {
    itkGenericExceptionMacro(<< error.what());
  }
  CudaFilters::EmptyHostPool();
}

namespace
{
void
CheckShare(double share)
{
  if (!(share >= 0.0 && share <= 1.0))
  {
    itkGenericExceptionMacro("A share of " << share << " of the memory is not possible: allowed are 0 to 1");
  }
}
} // namespace

void
CudaInterface::SetPageLockedShare(double share)
{
  CheckShare(share);
  CudaFilters::SetPageLockedLimit(
    static_cast<std::size_t>(share * static_cast<double>(CudaFilters::GetPhysicalBytes())));
}

double
CudaInterface::GetPageLockedShare()
{
  return static_cast<double>(CudaFilters::GetPageLockedLimit()) / static_cast<double>(CudaFilters::GetPhysicalBytes());
}

void
CudaInterface::SetDeviceCacheShare(double share)
{
  CheckShare(share);
  try
  {
    CudaFilters::SetDeviceCacheShare(share);
  }
  catch (const CudaFilters::DeviceError & error)
  {
    itkGenericExceptionMacro(<< error.what());
  }
}

double
CudaInterface::GetDeviceCacheShare()
{
  return CudaFilters::GetDeviceCacheShare();
}

CudaCopyCounters
CudaInterface::GetCopyCounters()
{
  return CudaFilters::GetCopyTotals();
}

void
CudaInterface::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  os << indent << "Backend: " << m_Backend << std::endl;
  os << indent << "DeviceNumbers:";
  for (const int device : m_DeviceNumbers)
  {
    os << ' ' << device;
  }
  os << std::endl;
  for (unsigned int i = 0; i < CudaNumberOfKernelFamilies; ++i)
  {
    const unsigned int size = m_Settings.BlockSizes[i];
    os << indent << "BlockSize of " << static_cast<CudaKernelFamilyEnum>(i) << ": "
       << (size == 0 ? "automatic" : std::to_string(size)) << std::endl;
  }
  os << indent << "Stream: " << m_Settings.Stream << std::endl;
  os << indent << "SharedMemoryCarveout: " << m_Settings.SharedMemoryCarveout << std::endl;
  os << indent << "MemoryBudget: " << (m_MemoryBudget == NoMemoryBudget ? "none" : std::to_string(m_MemoryBudget))
     << std::endl;
  os << indent << "SlabBytes: " << m_SlabBytes << std::endl;
  os << indent << "KernelTimeLimit: " << m_Settings.KernelMilliseconds << std::endl;
  os << indent << "Synchronous: " << (m_Settings.Synchronous ? "On" : "Off") << std::endl;
  os << indent << "Timing: " << (m_Settings.Timing ? "On" : "Off") << std::endl;
  os << indent << "Device bytes in use: " << GetDeviceBytesInUse() << ", held: " << GetDeviceBytesHeld() << std::endl;
  os << indent << "Page-locked bytes in use: " << GetPageLockedBytesInUse() << ", held: " << GetPageLockedBytesHeld()
     << std::endl;
}
} // namespace itk
