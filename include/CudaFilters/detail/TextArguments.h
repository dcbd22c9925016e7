// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_TextArguments_h
#define CudaFilters_detail_TextArguments_h

// Also part of the programs that are made from texts at run time: without any other header.

namespace itk
{
namespace CudaFilters
{
/** What a program that was made from a text works on. Pixels are counted from the first one of the output region. */
struct TextArguments
{
  enum
  {
    MostInputs = 3,
    MostParameters = 32
  };

  /** The first pixel of the output region, in each image. */
  void *       Output;
  const void * Inputs[MostInputs];
  /** How far rows and slices are apart, in pixels. */
  long long OutputStrides[2];
  long long InputStrides[MostInputs][2];
  long long Size[3];
  /** The index in the image of the first pixel. */
  long long FirstIndex[3];
  /** The first and the last pixel of the first input, for functions of neighbours. */
  long long First[3];
  long long Last[3];
  int       Radius[3];
  /** Set to 1 by functions that read a neighbour beyond the radius, on the CPU. */
  int *     BeyondRadius;
  double    Reals[MostParameters];
  long long Integers[MostParameters];
};
} // namespace CudaFilters
} // namespace itk

#endif
