// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_LostPixels_h
#define CudaFilters_detail_LostPixels_h

#include "CudaFiltersExport.h"
#include "itkCudaPixelHolder.h"
#include "itkDataObject.h"
#include <functional>

namespace itk
{
namespace CudaFilters
{
class DeviceError;

/** As MakeHostValid() and MakeHostValidUnlessTracked() of the image, but with a DeviceError if the device that holds
 * the pixels has failed, where the image throws an itk::ExceptionObject: after a DeviceError, the pixels may be
 * computed again. */
/**@{*/
CudaFilters_EXPORT void
DownloadPixels(const CudaPixelHolder & image);
CudaFilters_EXPORT void
DownloadPixelsUnlessTracked(const CudaPixelHolder & image);
/**@}*/

/** Calls download(). If that throws a DeviceError, discards the pixels that are lost, calls fallBackOrThrow(error), and
 * then computeAgain(), which updates the image. Throws an itk::ExceptionObject if the pipeline cannot compute the image
 * again. */
CudaFilters_EXPORT void
DownloadOrComputeAgain(DataObject &                                     image,
                       const std::function<void()> &                    download,
                       const std::function<void(const DeviceError &)> & fallBackOrThrow,
                       const std::function<void()> &                    computeAgain);

/** Discards the pixels of an image, of all that are computed with it, and of all that it is computed from, if they are
 * lost with a device: an update will compute them again, if the pipeline can. */
CudaFilters_EXPORT void
DiscardLostPixels(DataObject & image);

/** Prepares the update of an image whose pixels were discarded. Throws an itk::ExceptionObject with the given text if
 * the pipeline cannot compute them again: pixels that no filter computes, and that ITK has released after their use. */
CudaFilters_EXPORT void
PrepareToComputeAgain(DataObject & image, const char * whyLost);
} // namespace CudaFilters
} // namespace itk

#endif
