// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_LostPixels_h
#define CudaFilters_detail_LostPixels_h

#include "CudaFiltersExport.h"
#include "itkCudaPixelHolder.h"
#include "itkDataObject.h"

namespace itk
{
namespace CudaFilters
{
/** As MakeHostValid() and MakeHostValidUnlessTracked() of the image, but with a DeviceError if the device that holds
 * the pixels has failed, where the image throws an itk::ExceptionObject: after a DeviceError, the pixels may be
 * computed again. */
/**@{*/
CudaFilters_EXPORT void
DownloadPixels(const CudaPixelHolder & image);
CudaFilters_EXPORT void
DownloadUntrackedPixels(const CudaPixelHolder & image);
/**@}*/

/** Discards the pixels of an image, and of all images that it is computed from, if they are lost with a device: an
 * update will compute them again, if the pipeline can. */
CudaFilters_EXPORT void
DiscardLostPixels(DataObject & image);

/** Prepares the update of an image whose pixels were discarded. Throws an itk::ExceptionObject with the given text if
 * the pipeline cannot compute them again: pixels that no filter computes, and that ITK has released after their use. */
CudaFilters_EXPORT void
PrepareToComputeAgain(DataObject & image, const char * whyLost);
} // namespace CudaFilters
} // namespace itk

#endif
