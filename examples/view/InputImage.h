// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_view_InputImage_h
#define cudafilters_view_InputImage_h

#include "itkImage.h"
#include <string>

template <unsigned int VDimension>
using InputImage = itk::Image<float, VDimension>;

/** The dimension of a file's image, or of a folder with slices in DICOM: 2 or 3. Throws a UserError if it is not an
 * image that the filters take. */
unsigned int
FindDimension(const std::string & input);

/** Reads it. Instantiated for 2 and 3 dimensions. */
template <unsigned int VDimension>
typename InputImage<VDimension>::Pointer
ReadInput(const std::string & input);

#endif
