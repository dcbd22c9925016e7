// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_DropIn_h
#define CudaFilters_detail_DropIn_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Region3.h"
#include "itkIntTypes.h"
#include <atomic>
#include <memory>
#include <string>
#include <utility>

namespace itk
{
namespace CudaFilters
{
/** What the objects know that an object factory has made in place of one ITK filter. All objects of the filter share
 * it, whatever their types are. */
class CudaFilters_EXPORT DropIn
{
public:
  /** Of MinimumPixels: the filter runs on a device only if an input is there already, since copies would take longer
   * than the filter takes on the CPU. */
  static constexpr SizeValueType OnlyIfOnDevice = ~SizeValueType{ 0 };

  /** nanosecondsPerPixel: how long the filter takes on the CPU, about, for an image of two dimensions. */
  DropIn(std::string nameOfFilter, SizeValueType minimumPixels, double nanosecondsPerPixel)
    : m_NameOfFilter(std::move(nameOfFilter))
    , m_MinimumPixels(minimumPixels)
    , m_NanosecondsPerPixel(nanosecondsPerPixel)
  {}

  /** The name of the ITK filter, which the object returns as its own. */
  const std::string &
  GetNameOfFilter() const
  {
    return m_NameOfFilter;
  }

  /** Set/Get how many pixels an image must have to be worth a copy to the device. Once it is set, it alone counts, not
   * the time to start a device. */
  void
  SetMinimumPixels(SizeValueType pixels)
  {
    m_MinimumPixels = pixels;
    m_CountsStart = false;
  }
  SizeValueType
  GetMinimumPixels() const
  {
    return m_MinimumPixels;
  }

  /** Empty if an image of this size is to be computed on the device, else the reason for the CPU. As long as the
   * process has not started a device, which takes time, that time must be worth it, too. */
  std::string
  GetReasonForCPU(const Size3 & size, bool isInputOnDevice) const;

  /** A run of the filter on the CPU has ended. */
  void
  NoteRunOnCPU(const Size3 & size) const;

  /** Why a factory creates no drop-ins in this process; empty if it does. */
  static const char *
  GetWhyDeclined();

private:
  /** How long the CPU takes, about. */
  double
  EstimateNanoseconds(const Size3 & size) const;

  const std::string          m_NameOfFilter;
  std::atomic<SizeValueType> m_MinimumPixels;
  std::atomic<bool>          m_CountsStart{ true };
  const double               m_NanosecondsPerPixel;
};
} // namespace CudaFilters
} // namespace itk

#endif
