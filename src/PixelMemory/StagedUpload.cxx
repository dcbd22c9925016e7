// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "StagedUpload.h"
#include "CudaFilters/DeviceError.h"
#include "Device/Copy.h"
#include "LockPages.h"
#include "itkMultiThreaderBase.h"
#include <algorithm>
#include <cstring>
#include <new>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** The pixels of a slab as one sequence of bytes, in index order. In the host buffer, its rows may be apart. */
class Rows
{
public:
  Rows(const HostBox & box, const Size3 & start, const Size3 & size)
    : m_Box(box)
    , m_Start(start)
    , m_RowsPerSlice(size[1])
    , m_RowBytes(size[0] * box.BytesPerPixel)
  {}

  /** Copies bytes of the sequence, from position first on. */
  void
  Copy(char * to, std::size_t first, std::size_t bytes) const
  {
    while (bytes > 0)
    {
      const std::size_t  row = first / m_RowBytes;
      const std::size_t  within = first % m_RowBytes;
      const std::size_t  now = std::min(bytes, m_RowBytes - within);
      const std::int64_t y = m_Start[1] + static_cast<std::int64_t>(row % m_RowsPerSlice);
      const std::int64_t z = m_Start[2] + static_cast<std::int64_t>(row / m_RowsPerSlice);
      const std::size_t  pixel = (z * m_Box.BufferSize[1] + y) * m_Box.BufferSize[0] + m_Start[0];
      std::memcpy(to, static_cast<const char *>(m_Box.Buffer) + pixel * m_Box.BytesPerPixel + within, now);
      to += now;
      first += now;
      bytes -= now;
    }
  }

private:
  const HostBox & m_Box;
  const Size3 &   m_Start;
  std::size_t     m_RowsPerSlice;
  std::size_t     m_RowBytes;
};
} // namespace

StagedUpload::Buffer::Buffer(std::size_t bytes, int device)
  : Memory(AllocateHostMemory(bytes))
{
  if (Memory == nullptr)
  {
    throw std::bad_alloc();
  }
  try
  {
    LockPages(Memory, device);
  }
  catch (const DeviceError &)
  {
    FreeHostMemory(Memory);
    throw;
  }
}

StagedUpload::Buffer::~Buffer()
{
  try
  {
    Copied.Wait();
  }
  catch (const DeviceError &)
  {
    // The device has failed: no copy is running.
  }
  FreeHostMemory(Memory);
}

StagedUpload::StagedUpload(int device, std::size_t chunkBytes)
  : m_ChunkBytes(chunkBytes)
  , m_Team(
      std::min<unsigned int>(MultiThreaderBase::GetGlobalDefaultNumberOfThreads(), 8)) // saturates memory bandwidth
{
  for (auto & buffer : m_Buffers)
  {
    buffer = std::make_unique<Buffer>(chunkBytes, device);
  }
}

std::unique_ptr<StagedUpload>
StagedUpload::TryToMake(int device)
{
  try
  {
    return std::make_unique<StagedUpload>(device);
  }
  catch (const std::bad_alloc &)
  {
    return nullptr;
  }
}

bool
StagedUpload::IsWorthwhile(const HostBox & box, int device)
{
  constexpr std::size_t minimum = 4 * 1024 * 1024;
  // The pages of small memory of this library are to be locked, too.
  return !LockPages(box.Buffer, device) && box.GetBytes() >= minimum;
}

void
StagedUpload::Enqueue(void *          device,
                      const HostBox & box,
                      const Size3 &   start,
                      const Size3 &   size,
                      const Stream &  stream)
{
  constexpr std::size_t atATime = 256 * 1024; // copied by one thread at a time

  const Rows        rows(box, start, size);
  const std::size_t bytes = GetNumberOfPixels(size) * box.BytesPerPixel;
  const std::size_t row = (start[2] - box.Start[2]) * box.Size[1] + (start[1] - box.Start[1]);
  auto * const to = static_cast<char *>(device) + (row * box.Size[0] + (start[0] - box.Start[0])) * box.BytesPerPixel;
  for (std::size_t done = 0; done < bytes; done += m_ChunkBytes)
  {
    Buffer &          buffer = *m_Buffers[m_Turn++ % m_Buffers.size()];
    auto * const      memory = static_cast<char *>(buffer.Memory);
    const std::size_t now = std::min(m_ChunkBytes, bytes - done);
    buffer.Copied.Wait();
    m_Team.ForEach(static_cast<std::size_t>(DivideUp(now, atATime)), [&](std::size_t i) {
      const std::size_t first = i * atATime;
      rows.Copy(memory + first, done + first, std::min(atATime, now - first));
    });
    const Size3 grid{ { static_cast<std::int64_t>(now), 1, 1 } };
    Upload(to + done, { memory, grid, { { 0, 0, 0 } }, grid, 1 }, { { 0, 0, 0 } }, grid, stream);
    buffer.Copied.Record(stream);
  }
}
} // namespace CudaFilters
} // namespace itk
