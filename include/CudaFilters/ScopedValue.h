// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_ScopedValue_h
#define CudaFilters_ScopedValue_h

namespace itk
{
namespace CudaFilters
{
/** Gives a variable another value for the time of a scope. */
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
