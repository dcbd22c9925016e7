// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/SlabCopy.h"
#include "CudaFilters/DeviceError.h"
#include "Device/Copy.h"
#include "Device/Execution.h"
#include "LockPages.h"
#include "StagedUpload.h"
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
constexpr int UploadStream = 1;
constexpr int DownloadStream = 2;
} // namespace

SlabCopy::SlabCopy(const Execution & execution, const HostBox & box, int axis, int streamNumber)
  : m_Execution(execution)
  , m_Stream(Stream::OfThisThread(execution.GetDevice(), streamNumber))
  , m_Box(box)
  , m_Axis(axis)
  , m_End(box.Start[axis])
{}

SlabCopy::~SlabCopy() { this->WaitInAnyCase(); }

void
SlabCopy::WaitInAnyCase()
{
  try
  {
    this->Wait();
  }
  catch (const DeviceError &)
  {
    // The device has failed: no copy is running. The next use of the device reports the error.
  }
}

auto
SlabCopy::TakeSlab(std::int64_t end) -> Slab
{
  Slab slab{ m_Box.Start, m_Box.Size };
  slab.Start[m_Axis] = m_End;
  slab.Size[m_Axis] = end - m_End;
  m_End = end;
  return slab;
}

void
SlabCopy::Wait()
{
  if (!m_IsFinished)
  {
    m_IsFinished = true;
    m_Stream->Synchronize();
  }
}

SlabUpload::SlabUpload(const Execution & execution, DevicePixels & pixels, const HostBox & box, int axis)
  : SlabCopy(execution, box, axis, UploadStream)
  , m_Pixels(pixels)
  , m_Lease(pixels.Write(execution, box.GetBytes()))
{
  if (StagedUpload::IsWorthwhile(box, execution.GetDevice()))
  {
    m_Staging = StagedUpload::TryToMake(execution.GetDevice());
  }
  m_Stream->WaitFor(*execution.GetStream());
}

// Waits before m_Lease returns the device memory to its pool.
SlabUpload::~SlabUpload() { this->WaitInAnyCase(); }

void
SlabUpload::ProvideUntil(std::int64_t end)
{
  if (this->IsBeyond(end))
  {
    const Slab slab = this->TakeSlab(end);
    if (m_Staging)
    {
      m_Staging->Enqueue(m_Lease.GetPointer(), m_Box, slab.Start, slab.Size, *m_Stream);
    }
    else
    {
      Upload(m_Lease.GetPointer(), m_Box, slab.Start, slab.Size, *m_Stream);
    }
    m_Execution.GetStream()->WaitFor(*m_Stream);
  }
}

void
SlabUpload::Finish()
{
  this->ProvideUntil(this->GetEndOfBox());
  this->Wait();
  m_Pixels.NoteUpload(m_Box.GetBytes());
  m_Pixels.Accept(std::move(m_Lease));
}

SlabDownload::SlabDownload(const Execution & execution, const void * device, const HostBox & box, int axis)
  : SlabCopy(execution, box, axis, DownloadStream)
  , m_Device(device)
{}

void
SlabDownload::TakeUntil(std::int64_t end)
{
  if (this->IsBeyond(end))
  {
    if (!m_WasLockingTried)
    {
      // Here and not in the constructor: the device computes the slabs meanwhile.
      LockPages(m_Box.Buffer, m_Execution.GetDevice());
      m_WasLockingTried = true;
    }
    const Slab slab = this->TakeSlab(end);
    m_Stream->WaitFor(*m_Execution.GetStream());
    Download(m_Box, slab.Start, slab.Size, m_Device, *m_Stream);
  }
}

void
SlabDownload::Finish()
{
  this->TakeUntil(this->GetEndOfBox());
  this->Wait();
}
} // namespace CudaFilters
} // namespace itk
