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
  enum class Kind
  {
    Failure,
    OutOfMemory,
    /** The device cannot process this image, or the result of the CPU filter depends on its processing order. */
    Unsuited,
    /** The input is invalid; the CPU filter reports this with its own exception. */
    BadInput
  };

  DeviceError(Kind kind, const std::string & description);
  ~DeviceError() override;

  Kind
  GetKind() const
  {
    return m_Kind;
  }

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
