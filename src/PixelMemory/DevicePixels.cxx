// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/DevicePixels.h"
#include "CudaFilters/DeviceError.h"
#include "itkCudaSharedPixels.h"
#include "Device/Copy.h"
#include "Device/DeviceMemory.h"
#include "Device/Execution.h"
#include "LockPages.h"
#include "StagedUpload.h"
#include <utility>

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

DeviceLease::~DeviceLease() { this->End(); }

DeviceLease::DeviceLease(DeviceLease && other) noexcept
  : m_Buffer(std::move(other.m_Buffer))
  , m_Execution(other.m_Execution)
  , m_IsForWriting(other.m_IsForWriting)
{}

DeviceLease &
DeviceLease::operator=(DeviceLease && other) noexcept
{
  if (this != &other)
  {
    this->End();
    m_Buffer = std::move(other.m_Buffer);
    m_Execution = other.m_Execution;
    m_IsForWriting = other.m_IsForWriting;
  }
  return *this;
}

void *
DeviceLease::GetPointer() const
{
  return m_Buffer->GetPointer();
}

void
DeviceLease::End()
{
  if (m_Buffer)
  {
    try
    {
      m_IsForWriting ? m_Buffer->EndWrite(m_Execution->GetStream()) : m_Buffer->EndRead(m_Execution->GetStream());
      if (m_Buffer->IsShared())
      {
        // An external library may write or free the memory in an unknown stream once this function has returned.
        m_Execution->GetStream()->Synchronize();
      }
    }
    catch (const DeviceError &)
    {
      // Its owner has destroyed a borrowed stream, or the device has failed: the next use of the device reports it.
    }
    m_Buffer.reset();
  }
}

int
DevicePixels::GetDevice() const
{
  return m_Buffer ? m_Buffer->GetDevice() : -1;
}

std::size_t
DevicePixels::GetBytes() const
{
  return m_Buffer ? m_Buffer->GetBytes() : 0;
}

void
DevicePixels::Release()
{
  m_IsValid = false;
  m_Buffer.reset();
}

DeviceLease
DevicePixels::Read(const Execution & execution) const
{
  DeviceLease lease;
  m_Buffer->BeginRead(*execution.GetStream());
  lease.m_Buffer = m_Buffer;
  lease.m_Execution = &execution;
  return lease;
}

DeviceLease
DevicePixels::Write(const Execution & execution, std::size_t bytes)
{
  // The previous memory is used again if it has the right size and no other owner.
  std::shared_ptr<DeviceBuffer> buffer = std::move(m_Buffer);
  this->Release();
  if (!buffer || buffer.use_count() > 1 || buffer->IsShared() || buffer->GetDevice() != execution.GetDevice() ||
      buffer->GetBytes() != bytes)
  {
    buffer.reset();
    buffer = execution.Allocate(bytes);
  }
  buffer->BeginWrite(*execution.GetStream());
  DeviceLease lease;
  lease.m_Buffer = std::move(buffer);
  lease.m_Execution = &execution;
  lease.m_IsForWriting = true;
  return lease;
}

void
DevicePixels::Accept(DeviceLease && written)
{
  const std::shared_ptr<DeviceBuffer> buffer = written.m_Buffer;
  written.End();
  m_Buffer = buffer;
  m_IsValid = true;
}

void
DevicePixels::Share(CudaSharedPixels & pixels) const
{
  m_Buffer->SetShared();
  pixels.m_Buffer = m_Buffer;
}

void
DevicePixels::Adopt(const CudaSharedPixels & pixels)
{
  m_Buffer = pixels.m_Buffer;
  m_IsValid = m_Buffer != nullptr;
}

void
DevicePixels::Adopt(const DevicePixels & other)
{
  m_Buffer = other.m_Buffer;
  m_IsValid = m_Buffer != nullptr;
  m_CopyTick = other.m_CopyTick;
  m_Counters += other.m_Counters;
}

void
DevicePixels::TakeMemory(DevicePixels & other)
{
  m_Buffer = std::move(other.m_Buffer);
  m_IsValid = false;
  other.Release();
}

void
DevicePixels::Download(void * host, std::size_t bytes) const
{
  if (bytes > 0)
  {
    const DeviceScope     scope(m_Buffer->GetDevice());
    const Stream::Pointer stream = Stream::OfThisThread(m_Buffer->GetDevice());
    const HostBox         box = HostBox::OfBuffer(host, bytes);
    m_Buffer->BeginRead(*stream);
    LockPages(host, m_Buffer->GetDevice());
    CudaFilters::Download(box, box.Start, box.Size, m_Buffer->GetPointer(), *stream);
    stream->Synchronize();
  }
  this->NoteDownload(bytes);
}

DeviceLease
DevicePixels::UploadBox(const Execution & execution, const HostBox & box, StagedUpload * staging)
{
  DeviceLease lease = this->Write(execution, box.GetBytes());
  if (staging != nullptr)
  {
    staging->Enqueue(lease.GetPointer(), box, box.Start, box.Size, *execution.GetStream());
  }
  else
  {
    LockPages(box.Buffer, execution.GetDevice());
    CudaFilters::Upload(lease.GetPointer(), box, box.Start, box.Size, *execution.GetStream());
  }
  this->NoteUpload(box.GetBytes());
  this->Accept(std::move(lease));
  return this->Read(execution);
}

void
DevicePixels::DownloadBox(const Execution & execution, const HostBox & box) const
{
  const DeviceLease lease = this->Read(execution);
  LockPages(box.Buffer, execution.GetDevice());
  CudaFilters::Download(box, box.Start, box.Size, lease.GetPointer(), *execution.GetStream());
  this->NoteDownload(box.GetBytes());
}

void
DevicePixels::DownloadBox(const Execution & execution, const HostBox & box, DeviceLease && written)
{
  this->Accept(std::move(written));
  this->DownloadBox(execution, box);
}

void
DevicePixels::NoteEquality() const
{
  m_CopyTick = GetNextTick();
}

void
DevicePixels::NoteUpload(std::size_t bytes) const
{
  if (bytes > 0)
  {
    CountUpload(bytes);
    ++m_Counters.Uploads;
    m_Counters.UploadedBytes += bytes;
  }
  m_CopyTick = GetNextTick();
}

void
DevicePixels::NoteDownload(std::size_t bytes) const
{
  if (bytes > 0)
  {
    CountDownload(bytes);
    ++m_Counters.Downloads;
    m_Counters.DownloadedBytes += bytes;
  }
  m_CopyTick = GetNextTick();
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

bool
HandOverHostPixels(void * pointer)
{
  return HandOverHostMemory(pointer);
}
} // namespace CudaFilters
} // namespace itk
