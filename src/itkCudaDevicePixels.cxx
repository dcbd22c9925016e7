// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaDevicePixels.h"
#include "Device/Copy.h"
#include "Device/DeviceMemory.h"
#include "Device/Execution.h"
#include "Device/HostMemory.h"

namespace itk
{
namespace CudaFilters
{
std::uint64_t
GetNextTick()
{
  static std::atomic<std::uint64_t> tick{ 0 };
  return ++tick;
}

struct DevicePixels::Implementation
{
  DeviceBuffer Buffer;
};

DevicePixels::DevicePixels()
  : m_Implementation(std::make_unique<Implementation>())
{}

DevicePixels::~DevicePixels() = default;

int
DevicePixels::GetDevice() const
{
  return m_Implementation->Buffer.GetDevice();
}

std::size_t
DevicePixels::GetBytes() const
{
  return m_Implementation->Buffer.GetBytes();
}

void
DevicePixels::Release()
{
  m_Valid = false;
  m_Implementation->Buffer = DeviceBuffer();
}

const void *
DevicePixels::BeginRead(const Execution & execution) const
{
  m_Implementation->Buffer.BeginRead(*execution.GetStream());
  return m_Implementation->Buffer.GetPointer();
}

void
DevicePixels::EndRead(const Execution & execution)
{
  m_Implementation->Buffer.EndRead(execution.GetStream());
}

void *
DevicePixels::BeginWrite(const Execution & execution, std::size_t bytes)
{
  m_Valid = false;
  DeviceBuffer & buffer = m_Implementation->Buffer;
  if (buffer.GetDevice() != execution.GetDevice() || buffer.GetBytes() != bytes)
  {
    // The old memory first, so that the new may be the same.
    buffer = DeviceBuffer();
    buffer = execution.Allocate(bytes);
  }
  buffer.BeginWrite(*execution.GetStream());
  return buffer.GetPointer();
}

void
DevicePixels::EndWrite(const Execution & execution)
{
  m_Implementation->Buffer.EndWrite(execution.GetStream());
  m_Valid = true;
}

void
DevicePixels::Upload(const Execution & execution, const void * host, std::size_t bytes)
{
  void * const device = this->BeginWrite(execution, bytes);
  if (bytes > 0)
  {
    CudaFilters::Upload(device, host, bytes, *execution.GetStream());
    execution.GetStream()->Synchronize();
    ++m_Counters.Uploads;
    m_Counters.UploadedBytes += bytes;
  }
  this->EndWrite(execution);
  m_CopyTick = GetNextTick();
}

void
DevicePixels::Download(void * host, std::size_t bytes) const
{
  const DeviceBuffer & buffer = m_Implementation->Buffer;
  if (bytes > 0)
  {
    const DeviceScope     scope(buffer.GetDevice());
    const Stream::Pointer stream = Stream::OfThisThread(buffer.GetDevice());
    buffer.BeginRead(*stream);
    CudaFilters::Download(host, buffer.GetPointer(), bytes, *stream);
    stream->Synchronize();
    ++m_Counters.Downloads;
    m_Counters.DownloadedBytes += bytes;
  }
  m_CopyTick = GetNextTick();
}

void
DevicePixels::UploadBox(const Execution & execution,
                        const void *      host,
                        const Grid &      hostSize,
                        const Grid &      start,
                        const Grid &      size,
                        std::size_t       bytesPerPixel)
{
  const std::size_t bytes = GetNumberOfPixels(size) * bytesPerPixel;
  void * const      device = this->BeginWrite(execution, bytes);
  if (bytes > 0)
  {
    CudaFilters::Upload(
      device, { size, { { 0, 0, 0 } } }, host, { hostSize, start }, size, bytesPerPixel, *execution.GetStream());
    execution.GetStream()->Synchronize();
    ++m_Counters.Uploads;
    m_Counters.UploadedBytes += bytes;
  }
  this->EndWrite(execution);
}

void
DevicePixels::DownloadBox(const Execution & execution,
                          void *            host,
                          const Grid &      hostSize,
                          const Grid &      start,
                          const Grid &      size,
                          std::size_t       bytesPerPixel) const
{
  const std::size_t bytes = GetNumberOfPixels(size) * bytesPerPixel;
  if (bytes > 0)
  {
    const void * const device = this->BeginRead(execution);
    CudaFilters::Download(
      host, { hostSize, start }, device, { size, { { 0, 0, 0 } } }, size, bytesPerPixel, *execution.GetStream());
    execution.GetStream()->Synchronize();
    ++m_Counters.Downloads;
    m_Counters.DownloadedBytes += bytes;
  }
}

void *
AllocateHostPixels(std::size_t bytes)
{
  return AllocateHostMemory(bytes);
}

bool
FreeHostPixels(void * pointer)
{
  return FreeHostMemory(pointer);
}
} // namespace CudaFilters
} // namespace itk
