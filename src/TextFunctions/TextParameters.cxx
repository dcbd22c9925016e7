// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/TextParameters.h"
#include <algorithm>
#include <cstring>

namespace itk
{
namespace CudaFilters
{
TextParameter &
TextParameters::Find(const std::string & name, bool & isNew)
{
  const auto found = std::find_if(
    m_Parameters.begin(), m_Parameters.end(), [&](const auto & parameter) { return parameter.Name == name; });
  isNew = found == m_Parameters.end();
  if (!isNew)
  {
    return *found;
  }
  m_Parameters.emplace_back();
  m_Parameters.back().Name = name;
  return m_Parameters.back();
}

bool
TextParameters::SetReal(const std::string & name, double value)
{
  bool            isNew = false;
  TextParameter & parameter = this->Find(name, isNew);
  // By their bits: zeros have signs, and NaN is not equal to itself.
  if (!isNew && !parameter.IsInteger && std::memcmp(&parameter.Real, &value, sizeof(value)) == 0)
  {
    return false;
  }
  parameter.IsInteger = false;
  parameter.Real = value;
  return true;
}

bool
TextParameters::SetInteger(const std::string & name, long long value)
{
  bool            isNew = false;
  TextParameter & parameter = this->Find(name, isNew);
  if (!isNew && parameter.IsInteger && parameter.Integer == value)
  {
    return false;
  }
  parameter.IsInteger = true;
  parameter.Integer = value;
  return true;
}

bool
TextParameters::Clear()
{
  const bool hadSome = !m_Parameters.empty();
  m_Parameters.clear();
  return hadSome;
}

void
TextParameters::Print(std::ostream & os, Indent indent) const
{
  for (const TextParameter & parameter : m_Parameters)
  {
    os << indent << "Parameter " << parameter.Name << ": ";
    parameter.IsInteger ? os << parameter.Integer : os << parameter.Real;
    os << std::endl;
  }
}
} // namespace CudaFilters
} // namespace itk
