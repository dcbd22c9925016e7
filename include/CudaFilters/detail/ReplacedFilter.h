// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_ReplacedFilter_h
#define CudaFilters_detail_ReplacedFilter_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Region3.h"
#include "itkIntTypes.h"
#include <atomic>
#include <string>
#include <utility>

namespace itk
{
namespace CudaFilters
{
/** An ITK filter that CudaFiltersFactory replaces: its name, and when a device is worth the copies. The objects that
 * the factory creates in its place, the drop-ins, share one object of this class, whatever their types are. */
class CudaFilters_EXPORT ReplacedFilter
{
public:
  /** Of MinimumPixels: the filter runs on a device only if an input is there already, since copies would take longer
   * than the filter takes on the CPU. */
  static constexpr SizeValueType OnlyIfOnDevice = ~SizeValueType{ 0 };

  /** nanosecondsPerPixel: about how long the filter takes on the CPU, for an image of two dimensions. */
  ReplacedFilter(std::string name, SizeValueType minimumPixels, double nanosecondsPerPixel)
    : m_Name(std::move(name))
    , m_MinimumPixels(minimumPixels)
    , m_NanosecondsPerPixel(nanosecondsPerPixel)
  {}

  /** The name of ITK's class, which a drop-in returns as its own. */
  const std::string &
  GetName() const
  {
    return m_Name;
  }

  /** Set/Get how many pixels an image must have to be worth a copy to the device. Once this is set, the time to start a
   * device is no longer considered. */
  void
  SetMinimumPixels(SizeValueType pixels)
  {
    m_MinimumPixels = pixels;
    m_ConsidersStart = false;
  }
  SizeValueType
  GetMinimumPixels() const
  {
    return m_MinimumPixels;
  }

  /** Empty if a drop-in computes an image of this size on the device, else the reason for the CPU. Until the process
   * has started a device, the estimated times of all runs on the CPU that were worth the copies must also exceed the
   * time to start it. */
  std::string
  GetReasonForCPU(const Size3 & size, bool isInputOnDevice) const;

  /** Adds a run on the CPU to those that GetReasonForCPU() compares with the time to start a device, unless the image
   * is small. */
  void
  CountRunOnCPU(const Size3 & size) const;

private:
  /** About how long the CPU takes. */
  double
  EstimateNanoseconds(const Size3 & size) const;

  const std::string          m_Name;
  std::atomic<SizeValueType> m_MinimumPixels;
  std::atomic<bool>          m_ConsidersStart{ true };
  const double               m_NanosecondsPerPixel;
};
} // namespace CudaFilters
} // namespace itk

#endif
