// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_SobelOperation_h
#define CudaFilters_detail_SobelOperation_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/PixelType.h"

namespace itk
{
namespace CudaFilters
{
struct SobelParameters
{
  unsigned int Dimension = 2;
  /** Compute as ITK's CPU filter does, bit by bit except for the angles. Otherwise in single precision, if the output
   * is float and the input is not double. */
  bool InDouble = false;
};

/** The gradient by Sobel's operators. Outputs: the magnitude and, if there are more outputs, the azimuth of the
 * gradient in the x-y plane and, in 3-D, its elevation above that plane. The output pixels are float or double. */
CudaFilters_EXPORT OperationPointer
MakeSobelOperation(const SobelParameters & parameters, const PixelTypes & types);
} // namespace CudaFilters
} // namespace itk

#endif
