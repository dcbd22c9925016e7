// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_Truncation_h
#define cudafilters_Truncation_h

#include "itkImageIOBase.h"
#include <string>

/** Whether a file ends before its pixels do. For the formats whose readers fill up what is missing and say nothing; the
 * others throw by themselves. */
bool
IsCutShort(const std::string & file, const itk::ImageIOBase & io);

#endif
