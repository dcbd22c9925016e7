// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_TextArguments_h
#define CudaFilters_detail_TextArguments_h

// Also part of the programs that are made from texts at run time: without any other header.

namespace itk
{
namespace CudaFilters
{
/** What a program that was made from a text works on. Pixels are counted from the first one of the output region, or
 * of the region that is reduced. */
struct TextArguments
{
  enum
  {
    MostInputs = 3,
    MostParameters = 32
  };

  /** The first pixel of the output region, in each image. Reductions: the values of leaves. Bins: their sums. */
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

  // Reductions.

  /** Values that are reduced in the place of pixels, or nullptr. */
  const double * Values;
  double         Identity;
  /** The number of pixels or values. */
  long long Count;
  /** The leaf whose value is the first one of the output, and how many there are. */
  long long FirstLeaf;
  long long NumberOfLeaves;

  // Bins.

  long long NumberOfBins;
  /** Whether blocks of threads have bins in shared memory. */
  int HasSharedBins;
  /** Becomes a bin that does not exist. */
  long long * BadBin;
};
} // namespace CudaFilters
} // namespace itk

#endif
