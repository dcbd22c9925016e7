// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "HostResult.h"
#include "CudaFilters/Check.cuh"
#include "CudaFilters/DeviceError.h"
#include "ForkSafeInstance.h"
#include <mutex>
#include <utility>
#include <vector>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** Blocks of HostResult::MostBytes that no result uses. There are never more than results at a time, and they are not
 * freed. */
struct IdleBlocks
{
  std::mutex          Mutex;
  std::vector<void *> Blocks;
};
} // namespace

HostResult::HostResult(std::size_t bytes, Stream::Pointer stream)
  : m_Stream(std::move(stream))
{
  if (bytes > MostBytes)
  {
    throw DeviceError(DeviceError::Kind::Failure, "A result is too large for HostResult");
  }
  IdleBlocks &                      idle = GetForkSafeInstance<IdleBlocks>();
  const std::lock_guard<std::mutex> lock(idle.Mutex);
  if (idle.Blocks.empty())
  {
    Check(cudaMallocHost(&m_Pointer, MostBytes), "Allocating page-locked memory");
  }
  else
  {
    m_Pointer = idle.Blocks.back();
    idle.Blocks.pop_back();
  }
}

HostResult::~HostResult()
{
  if (!m_IsComplete)
  {
    try
    {
      m_Stream->Synchronize();
    }
    catch (const DeviceError &)
    {
      // The device has failed: it writes no more. If the error is permanent, the next checked call reports it.
    }
  }
  IdleBlocks &                      idle = GetForkSafeInstance<IdleBlocks>();
  const std::lock_guard<std::mutex> lock(idle.Mutex);
  idle.Blocks.push_back(m_Pointer);
}

const void *
HostResult::Wait()
{
  m_Stream->Synchronize();
  m_IsComplete = true;
  return m_Pointer;
}
} // namespace CudaFilters
} // namespace itk
