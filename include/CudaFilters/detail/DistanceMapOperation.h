// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_DistanceMapOperation_h
#define CudaFilters_detail_DistanceMapOperation_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/PixelType.h"
#include <array>

namespace itk
{
namespace CudaFilters
{
/** Parameters of the distance to the nearest object pixel. Objects are the pixels that differ from the background. */
struct DistanceMapParameters
{
  unsigned int Dimension = 2;
  double       Background = 0.0;
  /** Distances are measured to object pixels that have a background pixel among their neighbours, diagonal ones
   * included. Otherwise, to all object pixels. */
  bool IsToContour = true;
  /** The sign tells objects from background. */
  bool IsSigned = true;
  bool InsideIsPositive = false;
  bool IsSquared = false;

  std::array<double, 3> Spacing{ { 1.0, 1.0, 1.0 } };
};

/** The Euclidean distance of each pixel to the nearest object pixel. The output pixels are float or double. If
 * there is no object pixel to measure the distance to, the squared distance is the largest number of the pixel type. */
CudaFilters_EXPORT OperationPointer
MakeDistanceMapOperation(const DistanceMapParameters & parameters, const PixelTypes & types);
} // namespace CudaFilters
} // namespace itk

#endif
