// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_ScopedValue_h
#define CudaFilters_detail_ScopedValue_h

namespace itk
{
namespace CudaFilters
{
/** Sets a variable to another value for the duration of a scope, and restores the previous value afterwards. */
template <typename T>
class ScopedValue
{
public:
  ScopedValue(T & variable, const T & value)
    : m_Variable(variable)
    , m_Former(variable)
  {
    variable = value;
  }
  ~ScopedValue() { m_Variable = m_Former; }
  ScopedValue(const ScopedValue &) = delete;
  ScopedValue &
  operator=(const ScopedValue &) = delete;

private:
  T & m_Variable;
  T   m_Former;
};
} // namespace CudaFilters
} // namespace itk

#endif
