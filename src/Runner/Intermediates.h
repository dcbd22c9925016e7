// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersIntermediates_h
#define itkCudaFiltersIntermediates_h

#include "itkCudaPixelHolder.h"
#include "itkDataObject.h"
#include <functional>
#include <vector>

namespace itk
{
namespace CudaFilters
{
class DeviceError;

/** The images that drop-ins have computed for drop-ins during an update, and left on the device. Their program, which
 * has pointers to ITK's classes only, may read them after the update by methods that are not virtual: the update of the
 * last filter on the device copies them to the host. Those whose pixels are released after use cost nothing.
 *
 * An object of this class collects the images of one update of a filter, and of the updates of its inputs. */
class Intermediates
{
public:
  Intermediates();
  ~Intermediates();
  Intermediates(const Intermediates &) = delete;
  Intermediates &
  operator=(const Intermediates &) = delete;

  /** Those of the innermost update of this thread; null outside of updates. */
  static Intermediates *
  GetInnermost();

  /** Whether no other update has caused this one. */
  bool
  IsOutermost() const
  {
    return m_Outer == nullptr;
  }

  /** Does nothing if the image cannot be on a device. */
  void
  Add(DataObject * image);

  /** Leaves the images to the update that has caused this one, if there is one. */
  void
  PassOn();

  /** Copies the images to the host. Those that are lost with a device are computed again on the CPU, unless
   * fallBackOrThrow throws. */
  void
  Download(const std::function<void(const DeviceError &)> & fallBackOrThrow);

private:
  struct Entry
  {
    DataObject::Pointer Image;
    CudaPixelHolder *   Holder; // the same object
  };

  static void
  DownloadOrDiscard(const Entry & entry);

  Intermediates * const m_Outer; // of the update that has caused this one, in the same thread
  std::vector<Entry>    m_Entries;
};
} // namespace CudaFilters
} // namespace itk

#endif
