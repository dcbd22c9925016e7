// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_DropInAccess_h
#define CudaFilters_detail_DropInAccess_h

#include "CudaFilters/detail/FilterCore.h"
#include <utility>

namespace itk
{
namespace CudaFilters
{
/** Makes filters drop-ins, for the factory and itkCudaFilterMacro; see FilterCore::SetReplacedFilter(). Classes without
 * a core are never drop-ins; GetNameOfClass() and Copy() accept them. */
class DropInAccess
{
public:
  template <typename TFilter>
  static void
  SetReplacedFilter(TFilter & filter, FilterCore::ReplacedFilterPointer replaced)
  {
    filter.m_Core.SetReplacedFilter(std::move(replaced));
  }

  /** The name of the ITK filter that a drop-in stands for, or that of its class. */
  template <typename TFilter>
  static const char *
  GetNameOfClass(const TFilter & filter, const char * name)
  {
    if constexpr (HasCore<TFilter>(nullptr))
    {
      if (const auto & replaced = filter.m_Core.GetReplacedFilter())
      {
        return replaced->GetName().c_str();
      }
    }
    return name;
  }

  /** Makes `to` a drop-in if `from` is one. */
  template <typename TFilter>
  static void
  Copy(const TFilter & from, TFilter & to)
  {
    if constexpr (HasCore<TFilter>(nullptr))
    {
      SetReplacedFilter(to, from.m_Core.GetReplacedFilter());
    }
  }

private:
  template <typename TFilter>
  static constexpr bool
  HasCore(decltype(std::declval<TFilter &>().m_Core) *)
  {
    return true;
  }
  template <typename TFilter>
  static constexpr bool
  HasCore(...)
  {
    return false;
  }
};
} // namespace CudaFilters
} // namespace itk

#endif
