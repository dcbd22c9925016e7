// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "StagedCopy.h"
#include "CudaFilters/DeviceError.h"
#include "Device/Copy.h"
#include "Device/HostMemory.h"
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
constexpr std::size_t atATime = 256 * 1024; // copied by one thread at a time

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

  /** Calls copy(pointer into the box, position from first on, number of bytes) for bytes of the sequence, from position
   * first on. */
  template <typename TCopy>
  void
  ForEach(std::size_t first, std::size_t bytes, TCopy copy) const
  {
    for (std::size_t done = 0; done < bytes;)
    {
      const std::size_t  row = (first + done) / m_RowBytes;
      const std::size_t  within = (first + done) % m_RowBytes;
      const std::size_t  now = std::min(bytes - done, m_RowBytes - within);
      const std::int64_t y = m_Start[1] + static_cast<std::int64_t>(row % m_RowsPerSlice);
      const std::int64_t z = m_Start[2] + static_cast<std::int64_t>(row / m_RowsPerSlice);
      const std::size_t  pixel = (z * m_Box.BufferSize[1] + y) * m_Box.BufferSize[0] + m_Start[0];
      copy(static_cast<char *>(const_cast<void *>(m_Box.Buffer)) + pixel * m_Box.BytesPerPixel + within, done, now);
      done += now;
    }
  }

private:
  const HostBox & m_Box;
  Size3           m_Start;
  std::size_t     m_RowsPerSlice;
  std::size_t     m_RowBytes;
};
} // namespace

StagedCopy::Buffer::Buffer(std::size_t bytes, int device)
  : Memory(AllocateHostMemory(bytes))
{
  if (Memory == nullptr)
  {
    throw std::bad_alloc();
  }
  MakePageLocked(Memory, device);
}

StagedCopy::Buffer::~Buffer()
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

StagedCopy::StagedCopy(int device, std::size_t chunkBytes)
  : m_ChunkBytes(chunkBytes)
  , m_Team(
      std::min<unsigned int>(MultiThreaderBase::GetGlobalDefaultNumberOfThreads(), 8)) // saturates memory bandwidth
{
  for (auto & buffer : m_Buffers)
  {
    buffer = std::make_unique<Buffer>(chunkBytes, device);
  }
}

bool
StagedCopy::IsWorthwhileForUpload(const HostBox & box, int device)
{
  constexpr std::size_t minimum = 4 * 1024 * 1024;
  // The pages of small memory of this library are to be locked, too.
  return !MakePageLocked(box.Buffer, device) && box.GetBytes() >= minimum;
}

bool
StagedCopy::IsWorthwhileForDownload(const HostBox & box, int device)
{
  return IsFirstCopyTo(box.Buffer) || IsWorthwhileForUpload(box, device);
}

void
StagedCopy::EnqueueUpload(void *          device,
                          const HostBox & box,
                          const Size3 &   start,
                          const Size3 &   size,
                          const Stream &  stream)
{
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
      rows.ForEach(done + first,
                   std::min(atATime, now - first),
                   [to = memory + first](const char * pixels, std::size_t position, std::size_t count) {
                     std::memcpy(to + position, pixels, count);
                   });
    });
    const HostBox staged = HostBox::OfBuffer(memory, now);
    CudaFilters::Upload(to + done, staged, staged.Start, staged.Size, stream);
    buffer.Copied.Record(stream);
  }
}

void
StagedCopy::Download(const HostBox & box, const void * device, const Stream & stream)
{
  const Rows        rows(box, box.Start, box.Size);
  const std::size_t bytes = box.GetBytes();
  const std::size_t chunks = (bytes + m_ChunkBytes - 1) / m_ChunkBytes;
  const auto        getBuffer = [this](std::size_t chunk) -> Buffer & { return *m_Buffers[chunk % m_Buffers.size()]; };
  const auto        getSize = [&](std::size_t chunk) { return std::min(m_ChunkBytes, bytes - chunk * m_ChunkBytes); };
  const auto        enqueue = [&](std::size_t chunk) {
    Buffer &      buffer = getBuffer(chunk);
    const HostBox staged = HostBox::OfBuffer(buffer.Memory, getSize(chunk));
    CudaFilters::Download(
      staged, staged.Start, staged.Size, static_cast<const char *>(device) + chunk * m_ChunkBytes, stream);
    buffer.Copied.Record(stream);
  };
  // The threads empty one buffer while the device fills the others.
  const std::size_t ahead = m_Buffers.size() - 1;
  for (std::size_t chunk = 0; chunk < std::min(ahead, chunks); ++chunk)
  {
    enqueue(chunk);
  }
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
  {
    if (chunk + ahead < chunks)
    {
      enqueue(chunk + ahead);
    }
    const Buffer &     buffer = getBuffer(chunk);
    const char * const memory = static_cast<const char *>(buffer.Memory);
    const std::size_t  now = getSize(chunk);
    buffer.Copied.Wait();
    m_Team.ForEach(static_cast<std::size_t>(DivideUp(now, atATime)), [&](std::size_t i) {
      const std::size_t first = i * atATime;
      rows.ForEach(chunk * m_ChunkBytes + first,
                   std::min(atATime, now - first),
                   [from = memory + first](char * pixels, std::size_t position, std::size_t count) {
                     std::memcpy(pixels, from + position, count);
                   });
    });
  }
}
} // namespace CudaFilters
} // namespace itk
