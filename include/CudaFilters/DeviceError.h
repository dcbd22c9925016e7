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
/** What the device layer throws. The layers above turn it into an itk::ExceptionObject, or, when it tells of memory
 * that does not suffice, look for a way that needs less. */
class CudaFilters_EXPORT DeviceError : public std::runtime_error
{
public:
  enum class Kind
  {
    Failure,
    OutOfMemory
  };

  DeviceError(Kind kind, const std::string & description);
  ~DeviceError() override;

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
