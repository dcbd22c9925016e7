// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_MeasurementOperation_h
#define CudaFilters_detail_MeasurementOperation_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/ObjectSums.h"
#include "CudaFilters/detail/PixelStorage.h"
#include "CudaFilters/detail/PixelType.h"
#include <cstdint>
#include <functional>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** The parameters of measurements. */
struct MeasurementParameters
{
  PixelStorage Labels = PixelStorage::Other;
  /** Of the second input, if there is one. */
  PixelType Intensities = PixelType::Other;
  /** The value of pixels that belong to no object, converted. */
  std::uint64_t Background = 0;
  /** Whether the pixels of all values are objects: there is no background. */
  bool HasNoBackground = false;
  /** Whether squares of intensities are summed up, too. */
  bool SumsSquares = false;
};

/** The operation that measures all objects: one or two inputs, and a region in the place of an output. sums: receives
 * the objects, in the order of their labels as numbers without a sign. */
CudaFilters_EXPORT OperationPointer
MakeMeasurementOperation(const MeasurementParameters & parameters, std::vector<LabelSums> & sums);

/** The size of the object with a label, in pixels, and the label that it gets. Labels are converted to numbers without
 * a sign. */
struct RelabelledObject
{
  std::uint64_t Label;
  std::uint64_t Size;
  std::uint64_t NewLabel;
};

/** The indices of objects in the order of their sizes, the largest first; objects of equal size stay in the order of
 * the list. */
CudaFilters_EXPORT std::vector<std::size_t>
                   GetOrderBySize(const std::vector<RelabelledObject> & objects);

/** The parameters of new labels. */
struct RelabelParameters
{
  PixelStorage Input = PixelStorage::Other;
  PixelStorage Output = PixelStorage::Other;
  /** Called with the objects in the order of their labels; sets their new labels. The background, 0, is none. */
  std::function<void(std::vector<RelabelledObject> &)> ChooseLabels;
};

/** The operation that gives objects new labels by their sizes: one input, one output. */
CudaFilters_EXPORT OperationPointer
MakeRelabelOperation(const RelabelParameters & parameters);
} // namespace CudaFilters
} // namespace itk

#endif
