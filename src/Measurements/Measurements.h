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
  bool          HasBudget;  // whether there is a limit to device memory
};

/** Sums up all objects of a region, and waits for the result: in the order of their labels. intensities: pixels of the
 * same region, or nullptr. areSquared: whether their squares take their place. */
std::vector<LabelSums>
SumUpObjects(Execution &            execution,
             const LabelsOnDevice & labels,
             const void *           intensities,
             PixelType              intensityType,
             bool                   areSquared);

/** The number of pixels of the object with a label. */
struct LabelCount
{
  std::uint64_t Label;
  std::uint64_t Count;
};

/** Counts the pixels of all objects of a region, and waits for the result: in the order of their labels. */
std::vector<LabelCount>
CountObjects(Execution & execution, const LabelsOnDevice & labels);

/** The device memory, in bytes, that both functions need for a region, if labels are consecutive: the size of a table.
 * Great labels with gaps between them take more: a bit for each number up to the greatest one, which is at most half a
 * gigabyte. With a budget, there is a DeviceError in place of taking much more. */
std::size_t
GetSumUpScratchBytes(const Size3 & size, PixelStorage type);

/** Replaces labels by others. Both lists have the same length, and the first one is in ascending order of unsigned
 * integers. Label 0 stays. */
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
