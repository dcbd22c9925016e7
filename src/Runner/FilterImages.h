// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersFilterImages_h
#define itkCudaFiltersFilterImages_h

#include "CudaFilters/Region3.h"
#include "itkCudaPixelHolder.h"
#include "itkProcessObject.h"
#include <memory>
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

/** Whether a program observes the events of the filter, or the modification of an image of the filter, and may read the
 * images when it is told of one. ITK's own observers, by which composite filters sum up the progress of others, do not.
 */
bool
HasObserverOfProgram(ProcessObject & filter);

/** Whether HasObserverOfProgram() of any filter from which the inputs of this one are computed. */
bool
HasObserverUpstream(ProcessObject & filter);

/** The buffered regions of an output of any dimension: see OutputRegions. */
class OutputRegion
{
public:
  virtual ~OutputRegion();

  virtual void
  NotePresent() = 0;
  virtual void
  Restore(ProcessObject & filter) const = 0;
};

/** The buffered regions of a filter's outputs before a run, and when it has failed. */
class OutputRegions
{
public:
  explicit OutputRegions(ProcessObject & filter);
  ~OutputRegions();

  /** Notes the regions of the run that has failed. */
  void
  NotePresent();

  /** Gives the images the regions of the run that has failed, as they are in ITK then; those that were empty, or for
   * which there is no memory, those of before; or else the requested ones. Their pixels are on the host then: the
   * former ones, new ones, or 0. */
  void
  Restore() const;

private:
  ProcessObject &                            m_Filter;
  std::vector<std::unique_ptr<OutputRegion>> m_Regions;
};
} // namespace CudaFilters
} // namespace itk

#endif
