// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersLostPixels_h
#define itkCudaFiltersLostPixels_h

#include "itkCudaPixelHolder.h"
#include "itkDataObject.h"

namespace itk
{
namespace CudaFilters
{
/** As the methods of the image. Throw a DeviceError if the device that holds the pixels has failed. */
/**@{*/
void
MakeHostValid(const CudaPixelHolder & image);
void
MakeHostValidUnlessTracked(const CudaPixelHolder & image);
/**@}*/

/** Discards the pixels of an image, and of all images that it is computed from, if they are lost with a device and can
 * be computed once more: an update will do so. Returns whether it has discarded those of the image itself. */
bool
DiscardLostPixels(DataObject * image);
} // namespace CudaFilters
} // namespace itk

#endif
