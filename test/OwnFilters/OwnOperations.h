// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef OwnOperations_h
#define OwnOperations_h

#include "CudaFilters/Operation.h"
#include <cstdint>

/** A pixel of three components, as itk::Vector<float, 3> lies in memory. */
struct Triple
{
  float Values[3];
};

/** Copies the pixels of the first input, of type Triple, where the second, of type unsigned char, is not 0; elsewhere
 * the output is the outside value. */
itk::CudaFilters::OperationPointer
MakeMaskOperation(const Triple & outside);

/** Divides labels, of 64 bits: the outputs are the quotients, of 64 bits, and the remainders, unsigned char. */
itk::CudaFilters::OperationPointer
MakeDivisionOperation(std::uint64_t divisor);

/** Copies an image of short pixels to the middle of a larger one, and sets the other pixels to a constant. */
itk::CudaFilters::OperationPointer
MakePadOperation(short constant);

/** Makes an image without inputs: each pixel, unsigned short, is x + 3 y + 7 z of its index. */
itk::CudaFilters::OperationPointer
MakeRampOperation();

#endif
