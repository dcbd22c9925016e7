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
 * images when it is told of one. An observer by which a composite filter sums up the progress of this one counts if
 * that is so for the composite filter. */
bool
HasObserverOfProgram(ProcessObject & filter);

/** Whether a filter without CUDA runs when the image is updated: its code, or code of the program that it calls, may
 * read and write any image. */
bool
RunsOtherFilter(DataObject & image);

/** Whether HasObserverOfProgram() of any filter from which the inputs of this one are computed. */
bool
HasObserverUpstream(ProcessObject & filter);

/** OutputRestorer of a single image, which may have any dimension. */
class ImageRestorer
{
public:
  virtual ~ImageRestorer();

  virtual void
  NoteFailedRun() = 0;
  virtual void
  Restore(ProcessObject & filter) const = 0;
};

/** Makes the outputs of a drop-in readable after a run that has failed, as they are after an exception in ITK's filter.
 * The constructor notes their buffered regions before the run. */
class OutputRestorer
{
public:
  explicit OutputRestorer(ProcessObject & filter);
  ~OutputRestorer();

  /** Notes the buffered regions that the failed run has left. */
  void
  NoteFailedRun();

  /** Allocates each image on the host with the first of these regions that is not empty, and for which there is memory:
   * that of the failed run, as ITK leaves it; that of before; the requested one. The pixels are the former ones, new
   * ones, or 0. */
  void
  Restore() const;

private:
  ProcessObject &                             m_Filter;
  std::vector<std::unique_ptr<ImageRestorer>> m_Images;
};
} // namespace CudaFilters
} // namespace itk

#endif
