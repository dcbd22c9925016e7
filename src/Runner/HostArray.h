// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersHostArray_h
#define itkCudaFiltersHostArray_h

#include "CudaFilters/DeviceError.h"
#include "CudaFilters/detail/DevicePixels.h"
#include "CudaFilters/detail/HostBox.h"
#include <cstddef>
#include <memory>

namespace itk
{
namespace CudaFilters
{
/** Host memory that is copied to and from devices: page-locked, if possible. */
template <typename TValue>
class HostArray
{
public:
  explicit HostArray(std::size_t number)
    : m_Memory(AllocateHostPixels(number * sizeof(TValue)), FreeHostPixels)
    , m_Number(number)
  {
    if (!m_Memory)
    {
      throw DeviceError(DeviceError::Kind::OutOfMemory,
                        "the host memory does not suffice for what tiles know between two passes");
    }
  }

  TValue *
  GetPointer() const
  {
    return static_cast<TValue *>(m_Memory.get());
  }

  HostBox
  GetBox() const
  {
    return HostBox::OfBuffer(m_Memory.get(), m_Number * sizeof(TValue));
  }

private:
  std::unique_ptr<void, bool (*)(void *)> m_Memory;
  std::size_t                             m_Number;
};
} // namespace CudaFilters
} // namespace itk

#endif
