// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/LostPixels.h"
#include "CudaFilters/DeviceError.h"
#include "itkInputDataObjectIterator.h"
#include "itkProcessObject.h"
#include <set>

namespace itk
{
namespace CudaFilters
{
namespace
{
template <typename TDownload>
void
DownloadOrFail(TDownload download)
{
  try
  {
    download();
  }
  catch (const MemoryAllocationError &)
  {
    throw; // of the host
  }
  catch (const ExceptionObject & error)
  {
    throw DeviceError(DeviceError::Kind::Failure, error.GetDescription());
  }
}

/** Copies the pixels to the host. Returns false if they are lost. */
bool
TryToSave(const CudaPixelHolder & image)
{
  try
  {
    DownloadPixels(image);
    return true;
  }
  catch (const DeviceError &)
  {
    return false;
  }
}

using ImageSet = std::set<const DataObject *>;

void
Discard(DataObject * image, ImageSet & visited)
{
  const auto source = image == nullptr ? nullptr : image->GetSource();
  if (!source || !visited.insert(image).second)
  {
    return;
  }
  auto * const holder = dynamic_cast<CudaPixelHolder *>(image);
  if (holder != nullptr && !TryToSave(*holder))
  {
    holder->DiscardPixels();
  }
  // Even if this image is not lost, the pipeline may have to compute it again, from images that are.
  for (InputDataObjectIterator it(source.GetPointer()); !it.IsAtEnd(); ++it)
  {
    Discard(it.GetInput(), visited);
  }
}

/** Whether the requested pixels are there, or the pipeline can compute them. */
bool
CanBeHad(DataObject * image, ImageSet & visited)
{
  if (image == nullptr || !visited.insert(image).second ||
      (!image->GetDataReleased() && !image->RequestedRegionIsOutsideOfTheBufferedRegion()))
  {
    return true;
  }
  const auto source = image->GetSource();
  bool       canBeHad = source.IsNotNull();
  if (canBeHad)
  {
    for (InputDataObjectIterator it(source.GetPointer()); !it.IsAtEnd(); ++it)
    {
      canBeHad = canBeHad && CanBeHad(it.GetInput(), visited);
    }
  }
  return canBeHad;
}
} // namespace

void
DownloadPixels(const CudaPixelHolder & image)
{
  DownloadOrFail([&image] { image.MakeHostValid(); });
}

void
DownloadUntrackedPixels(const CudaPixelHolder & image)
{
  DownloadOrFail([&image] { image.MakeHostValidUnlessTracked(); });
}

void
DiscardLostPixels(DataObject & image)
{
  ImageSet visited;
  Discard(&image, visited);
}

void
PrepareToComputeAgain(DataObject & image, const char * whyLost)
{
  // Another filter may have requested less of the images before since they were computed.
  image.PropagateRequestedRegion();
  ImageSet visited;
  if (!CanBeHad(&image, visited))
  {
    itkGenericExceptionMacro("Pixels are lost, and cannot be computed again: " << whyLost);
  }
}
} // namespace CudaFilters
} // namespace itk
