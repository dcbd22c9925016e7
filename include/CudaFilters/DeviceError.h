// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_DeviceError_h
#define CudaFilters_DeviceError_h

#include "CudaFiltersExport.h"
#include <stdexcept>
#include <string>

namespace itk
{
namespace CudaFilters
{
/** Exception of the device layer and the algorithms. The layers above convert it to an itk::ExceptionObject or,
 * depending on its kind, use less memory or the CPU filter instead. */
class CudaFilters_EXPORT DeviceError : public std::runtime_error
{
public:
  /** What has happened. */
  enum class Kind
  {
    Failure,     ///< CUDA reports an error.
    OutOfMemory, ///< There is not enough memory on the device.
    /** The device cannot process this image, or the result of the CPU filter depends on its processing order. */
    Unsuited,
    /** The input is invalid; the CPU filter reports this with its own exception. */
    BadInput,
    /** The buffer of an image lacks pixels that are needed; the CPU filter may read beyond it. */
    MissingPixels
  };

  /** The description is for a person. */
  DeviceError(Kind kind, const std::string & description);
  ~DeviceError() override;

  /** What has happened. */
  Kind
  GetKind() const
  {
    return m_Kind;
  }

  /** Whether less memory would help. */
  bool
  IsOutOfMemory() const
  {
    return m_Kind == Kind::OutOfMemory;
  }

private:
  Kind m_Kind;
};
} // namespace CudaFilters
} // namespace itk

#endif
