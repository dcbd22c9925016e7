// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_FlatMorphologyOperation_h
#define CudaFilters_detail_FlatMorphologyOperation_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/PixelType.h"
#include "CudaFilters/detail/ScalarType.h"
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** The offsets of a structuring element in one column: from First to Last along y, at some x and z. */
struct StructureColumn
{
  int X;
  int Z;
  int First;
  int Last;
};

/** A flat structuring element: all pixels of a box or, if there are columns, those of the columns. */
struct FlatStructure
{
  Size3                        Radius{ { 0, 0, 0 } };
  std::vector<StructureColumn> Columns;
  /** Whether extremes are finite numbers, also those of infinite pixels: ITK's basic algorithm. */
  bool IsFinite = false;
};

/** An erosion, or a dilation: the least, or the greatest, pixel of a structuring element. */
struct FlatStep
{
  bool IsErosion;
  /** Whether a step after this one sees its result in the image only. Otherwise it also sees what the step computes
   * from the pixels of the image at places outside it, as in an image that has been padded. */
  bool StaysInImage;

  static FlatStep
  Erosion(bool staysInImage = true)
  {
    return { true, staysInImage };
  }
  static FlatStep
  Dilation(bool staysInImage = true)
  {
    return { false, staysInImage };
  }
};

/** The operation that applies steps with one structuring element. image: the pixels that exist. */
CudaFilters_EXPORT OperationPointer
MakeFlatMorphologyOperation(const FlatStructure &         structure,
                            const std::vector<FlatStep> & steps,
                            const Region3 &               image,
                            PixelType                     input,
                            ScalarType                    output);
} // namespace CudaFilters
} // namespace itk

#endif
