// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersFilterImages_h
#define itkCudaFiltersFilterImages_h

#include "CudaFilters/Region3.h"
#include "itkCudaPixelHolder.h"
#include "itkProcessObject.h"
#include <functional>
#include <vector>

namespace itk
{
namespace CudaFilters
{
// What the core of a filter asks of the filter and its images.

/** The images that may have pixels on the device, of the inputs or outputs of a filter. */
std::vector<CudaPixelHolder *>
FindHolders(const std::vector<DataObject::Pointer> & objects);

/** Whether an update would compute nothing. */
bool
IsUpToDate(DataObject * data);

/** The region that the filter computes, or reads if it computes no image. */
Region3
GetRegionOfWork(ProcessObject & filter);

/** Gives the outputs host memory, as ITK's filters do before they compute. */
void
AllocateOnHost(ProcessObject & filter);

/** Whether a program observes the events of a run, or the modification of an image of the filter, and may read the
 * images when it is told of one. ITK's own observers, by which composite filters sum up the progress of others, do not.
 */
bool
HasObserverOfProgram(ProcessObject & filter);

/** Whether HasObserverOfProgram() of any filter from which the inputs of this one are computed. */
bool
HasObserverUpstream(ProcessObject & filter);

/** The buffered regions of a filter's images before a run. */
class OutputRegions
{
public:
  explicit OutputRegions(ProcessObject & filter);

  /** After a run that has failed, gives the images these regions again; those that were empty, the requested ones.
   * Their pixels are on the host then: the former ones, new ones, or 0. An image for which there is no memory stays
   * empty. */
  void
  Restore() const;

private:
  std::vector<std::function<void()>> m_Functions; // each restores one image
};
} // namespace CudaFilters
} // namespace itk

#endif
