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
/** What the device layer and the algorithms throw. The layers above turn it into an itk::ExceptionObject, or, when it
 * tells of memory that does not suffice, look for a way that needs less. */
class CudaFilters_EXPORT DeviceError : public std::runtime_error
{
public:
  enum class Kind
  {
    Failure,
    OutOfMemory,
    /** Such images are for the CPU, whose result depends on the way it takes. */
    Unsuited,
    /** The CPU filter is to refuse it, in its own words. */
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
