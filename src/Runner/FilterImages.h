// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersFilterImages_h
#define itkCudaFiltersFilterImages_h

#include "CudaFilters/Region3.h"
#include "itkCudaPixelHolder.h"
#include "itkProcessObject.h"
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

/** Whether a program observes the events of a run, and may read images of the filter when it is told of one. ITK's own
 * observers, by which composite filters sum up the progress of others, do not. */
bool
HasObserverOfProgram(const ProcessObject & filter);
} // namespace CudaFilters
} // namespace itk

#endif
