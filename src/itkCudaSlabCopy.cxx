// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/SlabCopy.h"
#include "CudaFilters/DeviceError.h"
#include "Device/Copy.h"
#include "Device/Execution.h"
#include "Device/HostMemory.h"
#include "itkCudaStagedUpload.h"
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
Stream::Pointer
GetUploadStream(const Execution & execution)
{
  return Stream::OfThisThread(execution.GetDevice(), 1);
}

Stream::Pointer
GetDownloadStream(const Execution & execution)
{
  return Stream::OfThisThread(execution.GetDevice(), 2);
}

/** For destructors: the memory must be left alone whatever has happened. */
void
WaitInAnyCase(const Stream & stream)
{
  try
  {
    stream.Synchronize();
  }
  catch (const DeviceError &)
  {
    // The device has failed, and copies nothing any more. Its next use says so.
  }
}
} // namespace

SlabCopy::SlabCopy(const Execution & execution, const HostBox & box, int axis)
  : m_Execution(execution)
  , m_Box(box)
  , m_Axis(axis)
  , m_End(box.Start[axis])
{}

auto
SlabCopy::TakeSlab(std::int64_t end) -> Slab
{
  Slab slab{ m_Box.Start, m_Box.Size };
  slab.Start[m_Axis] = m_End;
  slab.Size[m_Axis] = end - m_End;
  m_End = end;
  return slab;
}

SlabUpload::SlabUpload(const Execution &                      execution,
                       DevicePixels &                         pixels,
                       const HostBox &                        box,
                       int                                    axis,
                       std::unique_lock<std::recursive_mutex> lock)
  : SlabCopy(execution, box, axis)
  , m_Lock(std::move(lock))
  , m_Pixels(pixels)
  , m_Lease(pixels.Write(execution, box.GetBytes()))
{
  constexpr std::size_t worthStaging = 1024 * 1024;
  if (box.GetBytes() >= worthStaging && !IsPageLocked(box.Buffer))
  {
    m_Staging = std::make_unique<StagedUpload>(execution.GetDevice());
  }
  GetUploadStream(execution)->WaitFor(*execution.GetStream());
}

SlabUpload::~SlabUpload()
{
  if (!m_IsFinished)
  {
    WaitInAnyCase(*GetUploadStream(m_Execution));
  }
}

void
SlabUpload::ProvideUntil(std::int64_t end)
{
  if (end > m_End)
  {
    const Stream::Pointer stream = GetUploadStream(m_Execution);
    const Slab            slab = this->TakeSlab(end);
    if (m_Staging)
    {
      m_Staging->Enqueue(m_Lease.GetPointer(), m_Box, slab.Start, slab.Size, *stream);
    }
    else
    {
      Upload(m_Lease.GetPointer(), m_Box, slab.Start, slab.Size, *stream);
    }
    m_Execution.GetStream()->WaitFor(*stream);
  }
}

void
SlabUpload::Finish()
{
  this->ProvideUntil(m_Box.Start[m_Axis] + m_Box.Size[m_Axis]);
  GetUploadStream(m_Execution)->Synchronize();
  m_Pixels.NoteUpload(m_Box.GetBytes());
  m_Pixels.Accept(std::move(m_Lease));
  m_IsFinished = true;
}

SlabDownload::SlabDownload(const Execution & execution, const void * device, const HostBox & box, int axis)
  : SlabCopy(execution, box, axis)
  , m_Device(device)
{}

SlabDownload::~SlabDownload()
{
  if (!m_IsFinished)
  {
    WaitInAnyCase(*GetDownloadStream(m_Execution));
  }
}

void
SlabDownload::TakeUntil(std::int64_t end)
{
  if (end > m_End)
  {
    const Stream::Pointer stream = GetDownloadStream(m_Execution);
    const Slab            slab = this->TakeSlab(end);
    stream->WaitFor(*m_Execution.GetStream());
    Download(m_Box, slab.Start, slab.Size, m_Device, *stream);
  }
}

void
SlabDownload::Finish()
{
  this->TakeUntil(m_Box.Start[m_Axis] + m_Box.Size[m_Axis]);
  GetDownloadStream(m_Execution)->Synchronize();
  m_IsFinished = true;
}
} // namespace CudaFilters
} // namespace itk
