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
/** Parameters of distance maps. Objects are the pixels that differ from the background. */
struct DistanceMapParameters
{
  unsigned int          Dimension = 2;
  bool                  IsSquared = false;
  std::array<double, 3> Spacing{ { 1.0, 1.0, 1.0 } };

  /** For signed distances only. */
  double Background = 0.0;
  bool   InsideIsPositive = false;

  /** For nearest objects only: the label of each object is 1. */
  bool IsBinary = false;
};

/** Parameters of the morphology of objects, which are the pixels of the foreground value, with a ball. */
struct BallParameters
{
  DistanceMapParameters Distances;                    // of which dimension and spacing are used
  double                LargestSquaredDistance = 1.0; // in the ball
  double                Foreground = 1.0;
  bool                  IsErosion = false;
  double                NewValue = 1.0; // of pixels that become object, or cease to be object
};

/** The signed Euclidean distance of each pixel to the contour of the objects: to object pixels that have a background
 * pixel among their neighbours, diagonal ones included. The output pixels are float or double. If there is no contour,
 * the squared distance is the largest number of the pixel type. */
CudaFilters_EXPORT OperationPointer
MakeDistanceMapOperation(const DistanceMapParameters & parameters, const PixelTypes & types);

/** The nearest object pixel of each pixel. Objects differ from 0. Outputs: the distance, the label, and the offset of
 * the object pixel, as an itk::Offset. labels: the pixel type of the second output. Of object pixels at the same
 * distance, the first one of the image is taken. If the image has no object pixel, a run throws
 * DeviceError::Kind::BadInput. */
CudaFilters_EXPORT OperationPointer
MakeNearestObjectOperation(const DistanceMapParameters & parameters, const PixelTypes & types, PixelType labels);

/** Grows or shrinks objects by a ball. Pixels that do not change keep their values. */
CudaFilters_EXPORT OperationPointer
MakeBallOperation(const BallParameters & parameters, const PixelTypes & types);
} // namespace CudaFilters
} // namespace itk

#endif
