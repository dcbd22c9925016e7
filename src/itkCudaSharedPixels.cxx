// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaSharedPixels.h"
#include "CudaFilters/DeviceError.h"
#include "Device/DeviceMemory.h"
#include "Device/Devices.h"
#include <utility>

namespace itk
{
namespace
{
CUstream_st *
ToHandle(std::uintptr_t stream)
{
  return reinterpret_cast<CUstream_st *>(stream);
}
} // namespace

CudaSharedPixels::CudaSharedPixels() = default;

CudaSharedPixels::~CudaSharedPixels() = default;

void
CudaSharedPixels::Borrow(std::uintptr_t        pointer,
                         SizeValueType         bytes,
                         std::uintptr_t        stream,
                         std::shared_ptr<void> owner)
{
  using namespace CudaFilters;

  try
  {
    void * const memory = reinterpret_cast<void *>(pointer);
    const int    device = GetDeviceOfMemory(memory);
    if (device < 0)
    {
      itkExceptionMacro(<< "Memory at " << memory << " is not in a CUDA device of this machine");
    }
    const DeviceScope scope(device);
    // The buffer stores a stream of this library, which the owner of the memory cannot destroy.
    const Stream::Pointer own = Stream::OfThisThread(device);
    m_Buffer =
      std::make_shared<DeviceBuffer>(memory,
                                     bytes,
                                     stream == 0 ? own : Stream::GetLasting(Stream::Borrow(ToHandle(stream), device)),
                                     std::move(owner));
  }
  catch (const DeviceError & error)
  {
    itkExceptionMacro(<< error.what());
  }
}

std::uintptr_t
CudaSharedPixels::GetPointer() const
{
  return m_Buffer ? reinterpret_cast<std::uintptr_t>(m_Buffer->GetPointer()) : 0;
}

SizeValueType
CudaSharedPixels::GetNumberOfBytes() const
{
  return m_Buffer ? m_Buffer->GetBytes() : 0;
}

int
CudaSharedPixels::GetDeviceNumber() const
{
  return m_Buffer ? m_Buffer->GetDevice() : -1;
}

void
CudaSharedPixels::MakeVisibleTo(std::uintptr_t stream) const
{
  using namespace CudaFilters;

  if (!m_Buffer)
  {
    return;
  }
  try
  {
    const DeviceScope scope(m_Buffer->GetDevice());
    m_Buffer->BeginWrite(*Stream::Borrow(ToHandle(stream), m_Buffer->GetDevice()));
  }
  catch (const DeviceError & error)
  {
    itkExceptionMacro(<< error.what());
  }
}

void
CudaSharedPixels::WaitForDevice() const
{
  if (m_Buffer)
  {
    try
    {
      CudaFilters::SynchronizeDevice(m_Buffer->GetDevice());
    }
    catch (const CudaFilters::DeviceError & error)
    {
      itkExceptionMacro(<< error.what());
    }
  }
}

std::uintptr_t
CudaSharedPixels::GetStream(int device)
{
  try
  {
    return reinterpret_cast<std::uintptr_t>(CudaFilters::Stream::OfThisThread(device)->GetHandle());
  }
  catch (const CudaFilters::DeviceError & error)
  {
    itkGenericExceptionMacro(<< error.what());
  }
}
} // namespace itk
