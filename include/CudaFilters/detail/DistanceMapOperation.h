// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_DistanceMapOperation_h
#define CudaFilters_detail_DistanceMapOperation_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/PixelType.h"
#include "itkCudaEnums.h"
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

  CudaDistanceStrategyEnum Strategy = CudaDistanceStrategyEnum::Exact;

  /** For nearest objects only. */
  bool IsBinary = false; // the label of each object is 1
  bool IsSigned = false; // distances have a sign
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

/** Parameters of Hausdorff distances between the objects of two images, which are the pixels that differ from 0. */
struct HausdorffParameters
{
  unsigned int          Dimension = 2;
  std::array<double, 3> Spacing1{ { 1.0, 1.0, 1.0 } }; // of the first image
  std::array<double, 3> Spacing2{ { 1.0, 1.0, 1.0 } };
  bool                  IsSymmetric = false; // distances from the second to the first image are computed, too
};

/** The distances of the object pixels of one image to the objects of the other one. */
struct DirectedDistances
{
  double Largest = 0.0;
  double Average = 0.0;
};
struct HausdorffDistances
{
  DirectedDistances From1To2;
  DirectedDistances From2To1; // if IsSymmetric
};

/** The signed Euclidean distance of each pixel to the contour of the objects: to object pixels that have a background
 * pixel among their neighbours, diagonal ones included. The output pixels are float or double. If there is no contour,
 * the squared distance is the largest number of the pixel type. */
CudaFilters_EXPORT OperationPointer
MakeDistanceMapOperation(const DistanceMapParameters & parameters, const PixelTypes & types);

/** The nearest object pixel of each pixel. Objects differ from 0. Outputs: the distance, the label, and the offset of
 * the object pixel, as an itk::Offset. labels: the pixel type of the second output. Of object pixels at the same
 * distance, the first one of the image is taken. Signed distances are of type float or double; inside objects, they are
 * measured to the nearest pixel that is background, or has background beside it (not at the corner of a cube). If the
 * image has no object pixel, or, for signed distances, no background, a run throws DeviceError::Kind::BadInput. */
CudaFilters_EXPORT OperationPointer
MakeNearestObjectOperation(const DistanceMapParameters & parameters, const PixelTypes & types, PixelType labels);

/** Hausdorff distances between the objects of two images, which are its inputs. type1, type2: their pixel types. It has
 * a region in the place of outputs (ImageList::AddRegion()). If an image has no object pixel from which distances are
 * measured, a run throws DeviceError::Kind::BadInput. result must exist until the run has ended. */
CudaFilters_EXPORT OperationPointer
MakeHausdorffOperation(const HausdorffParameters & parameters,
                       PixelType                   type1,
                       PixelType                   type2,
                       HausdorffDistances &        result);

/** Grows or shrinks objects by a ball. Pixels that do not change keep their values. */
CudaFilters_EXPORT OperationPointer
MakeBallOperation(const BallParameters & parameters, const PixelTypes & types);
} // namespace CudaFilters
} // namespace itk

#endif
