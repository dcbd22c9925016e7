// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_TextParameters_h
#define CudaFilters_detail_TextParameters_h

#include "CudaFiltersExport.h"
#include "CudaFilters/detail/TextFunction.h"
#include "itkIndent.h"
#include <ostream>
#include <string>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** The parameters of a filter with a text. Methods that change them return whether anything has changed. */
class CudaFilters_EXPORT TextParameters
{
public:
  bool
  SetReal(const std::string & name, double value);
  bool
  SetInteger(const std::string & name, long long value);
  bool
  Clear();

  const std::vector<TextParameter> &
  Get() const
  {
    return m_Parameters;
  }

  void
  Print(std::ostream & os, Indent indent) const;

private:
  /** The parameter with a name, which is added if there is none. */
  TextParameter &
  Find(const std::string & name, bool & isNew);

  std::vector<TextParameter> m_Parameters;
};
} // namespace CudaFilters
} // namespace itk

#endif
