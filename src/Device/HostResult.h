// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersHostResult_h
#define itkCudaFiltersHostResult_h

#include "Stream.h"
#include <cstddef>

namespace itk
{
namespace CudaFilters
{
/** Host memory for a small result, to which kernels write directly: its pages are locked, and the device can address
 * them. That is faster than a copy. */
class HostResult
{
public:
  static constexpr std::size_t MostBytes = 64 * 1024;

  /** stream: in which the result is computed. bytes: MostBytes at most. */
  HostResult(std::size_t bytes, Stream::Pointer stream);
  /** Waits for the stream, unless Wait() has done so. */
  ~HostResult();
  HostResult(const HostResult &) = delete;
  HostResult &
  operator=(const HostResult &) = delete;

  /** The address, for the host and for all devices. */
  void *
  GetPointer() const
  {
    return m_Pointer;
  }

  /** Waits for the stream, and returns the result. */
  const void *
  Wait();

private:
  Stream::Pointer m_Stream;
  void *          m_Pointer = nullptr;
  bool            m_IsComplete = false;
};
} // namespace CudaFilters
} // namespace itk

#endif
