// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_LocalBox_h
#define CudaFilters_LocalBox_h

#include "CudaFilters/Region3.h"

namespace itk
{
namespace CudaFilters
{
/** A dense box of input pixels and a dense box of output pixels, for a driver whose kernel computes each output pixel
 * from the input pixels around it. Start is the position of the first output pixel in the input. A neighbour outside
 * the input is replaced by the nearest pixel of the input. */
struct LocalBox
{
  Size3  InputSize{ { 0, 0, 0 } };  ///< of the input
  Size3  OutputSize{ { 0, 0, 0 } }; ///< of the output
  Index3 Start{ { 0, 0, 0 } };      ///< of the output in the input
};

inline LocalBox
MakeLocalBox(const Region3 & input, const Region3 & output)
{
  return { input.Size, output.Size, GetStartWithin(input, output) };
}
} // namespace CudaFilters
} // namespace itk

#endif
