// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_LocalBox_h
#define CudaFilters_LocalBox_h

#include "CudaFilters/Grid.h"

namespace itk
{
namespace CudaFilters
{
/** A dense box of input pixels, and a dense box of output pixels that are computed from those around the same place,
 * whose first pixel lies at Start in the input. What reaches over the edge of the input finds the pixel at the edge. */
struct LocalBox
{
  Grid InputSize{ { 0, 0, 0 } };
  Grid OutputSize{ { 0, 0, 0 } };
  Grid Start{ { 0, 0, 0 } };
};
} // namespace CudaFilters
} // namespace itk

#endif
