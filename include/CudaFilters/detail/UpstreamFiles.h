// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_UpstreamFiles_h
#define CudaFilters_detail_UpstreamFiles_h

#include "CudaFiltersExport.h"
#include "itkDataObject.h"
#include <string>

namespace itk
{
namespace CudaFilters
{
/** Throws an itk::ExceptionObject if a MetaImage file has fewer pixels than its header says. Files of other formats,
 * and compressed ones, are not looked at. */
CudaFilters_EXPORT void
CheckMetaImageIsComplete(const std::string & file);

/** Checks the files of all readers in the pipeline of an image. When ITK reads a part of a MetaImage that ends early,
 * it prints a message and leaves the pixels undefined. */
CudaFilters_EXPORT void
CheckFilesOf(const DataObject * image);
} // namespace CudaFilters
} // namespace itk

#endif
