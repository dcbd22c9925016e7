// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaStagedUpload_h
#define itkCudaStagedUpload_h

#include "CudaFilters/detail/DevicePixels.h"
#include "Device/Stream.h"
#include "Device/ThreadTeam.h"
#include <array>
#include <cstddef>
#include <memory>

namespace itk
{
namespace CudaFilters
{
/** Uploads from pageable memory through three page-locked buffers: several threads fill one buffer while the others are
 * being copied to the device. The driver does the same with one thread, and reaches a quarter of the bandwidth of the
 * bus. */
class StagedUpload
{
public:
  explicit StagedUpload(int device, std::size_t chunkBytes = 8 * 1024 * 1024);

  /** Returns an object, or nullptr if there is no memory for its buffers: then the driver can still copy. */
  static std::unique_ptr<StagedUpload>
  TryToMake(int device);

  /** Whether an upload to a device is faster this way: the memory is pageable and large. Locks the pages of memory of
   * this library first. */
  static bool
  IsWorthwhile(const HostBox & box, int device);

  /** Uploads a slab of a box to its position in device memory that holds the box, where the slab must be contiguous. As
   * with the driver, the caller may reuse the host memory when the call returns. */
  void
  Enqueue(void * device, const HostBox & box, const Size3 & start, const Size3 & size, const Stream & stream);

private:
  /** A page-locked buffer, and the event that marks the end of its last copy. */
  struct Buffer
  {
    Buffer(std::size_t bytes, int device);
    ~Buffer();

    Event  Copied;
    void * Memory;
  };

  std::size_t                            m_ChunkBytes;
  std::array<std::unique_ptr<Buffer>, 3> m_Buffers;
  std::size_t                            m_Turn = 0;
  ThreadTeam                             m_Team;
};
} // namespace CudaFilters
} // namespace itk

#endif
