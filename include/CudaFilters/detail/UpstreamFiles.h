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
 * and those with compressed pixels or text, are not looked at. */
CudaFilters_EXPORT void
CheckMetaImageIsComplete(const std::string & file);

/** Checks the files of all ImageFileReader objects upstream of an image. When ITK reads a part of a MetaImage that ends
 * early, it prints a message and leaves the pixels undefined. */
CudaFilters_EXPORT void
CheckFilesUpstreamOf(const DataObject * image);

/** When the pipeline of an image was last changed: its process objects, and the data objects that none of them made.
 * Unlike DataObject::GetPipelineMTime(), this is not changed by requests for other regions. 0 for nullptr. */
CudaFilters_EXPORT ModifiedTimeType
GetMTimeUpstreamOf(const DataObject * image);
} // namespace CudaFilters
} // namespace itk

#endif
