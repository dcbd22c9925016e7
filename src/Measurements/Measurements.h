// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersMeasurements_h
#define itkCudaFiltersMeasurements_h

#include "CudaFilters/Execution.h"
#include "CudaFilters/Region3.h"
#include "CudaFilters/detail/ObjectSums.h"
#include "CudaFilters/detail/PixelStorage.h"
#include "CudaFilters/detail/PixelType.h"
#include <cstddef>
#include <cstdint>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** A label image in device memory: a region of an image, in which positions are counted. */
struct LabelsOnDevice
{
  const void *  Pixels;
  PixelStorage  Type;
  Region3       Region;
  Index3        StartOfImage;
  std::uint64_t Background; // the label of pixels that belong to no object
};

/** Sums up all objects of a region, and waits for the result: in the order of their labels. intensities: pixels of the
 * same region, or nullptr. */
std::vector<LabelSums>
SumUpObjects(Execution & execution, const LabelsOnDevice & labels, const void * intensities, PixelType intensityType);

/** The device memory, in bytes, that SumUpObjects() needs for a region, unless there are very many labels: up to so
 * many, objects have their place in a table by their label. */
std::size_t
GetSumUpScratchBytes(const Size3 & size, PixelStorage type);

/** Enqueues the replacement of labels by others. Both lists have the same length, and the first one is in the order of
 * numbers without a sign. Label 0 stays. */
void
ReplaceLabels(Execution &                        execution,
              const LabelsOnDevice &             labels,
              const std::vector<std::uint64_t> & from,
              const std::vector<std::uint64_t> & to,
              void *                             output,
              PixelStorage                       outputType);
} // namespace CudaFilters
} // namespace itk

#endif
