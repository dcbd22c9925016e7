// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/LostPixels.h"
#include "CudaFilters/DeviceError.h"
#include "itkInputDataObjectIterator.h"
#include "itkOutputDataObjectIterator.h"
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

void
Discard(ProcessObject * source, std::set<const ProcessObject *> & visited)
{
  if (source == nullptr || !visited.insert(source).second)
  {
    return;
  }
  for (OutputDataObjectIterator it(source); !it.IsAtEnd(); ++it)
  {
    auto * const holder = dynamic_cast<CudaPixelHolder *>(it.GetOutput());
    if (holder != nullptr && !TryToSave(*holder))
    {
      holder->DiscardPixels();
    }
  }
  // Even if no output is lost, the pipeline may have to compute them again, from images that are.
  for (InputDataObjectIterator it(source); !it.IsAtEnd(); ++it)
  {
    if (it.GetInput() != nullptr)
    {
      Discard(it.GetInput()->GetSource().GetPointer(), visited);
    }
  }
}

using ImageSet = std::set<const DataObject *>;

/** Whether the requested pixels are there, or the pipeline can compute them. */
bool
CanBeComputed(DataObject * image, ImageSet & visited)
{
  if (image == nullptr || !visited.insert(image).second ||
      (!image->GetDataReleased() && !image->RequestedRegionIsOutsideOfTheBufferedRegion()))
  {
    return true;
  }
  const auto source = image->GetSource();
  bool       canBeComputed = source.IsNotNull();
  if (canBeComputed)
  {
    for (InputDataObjectIterator it(source.GetPointer()); !it.IsAtEnd(); ++it)
    {
      canBeComputed = canBeComputed && CanBeComputed(it.GetInput(), visited);
    }
  }
  return canBeComputed;
}
} // namespace

void
DownloadPixels(const CudaPixelHolder & image)
{
  DownloadOrFail([&image] { image.MakeHostValid(); });
}

void
DownloadPixelsUnlessTracked(const CudaPixelHolder & image)
{
  DownloadOrFail([&image] { image.MakeHostValidUnlessTracked(); });
}

void
DownloadOrComputeAgain(DataObject &                                     image,
                       const std::function<void()> &                    download,
                       const std::function<void(const DeviceError &)> & fallBackOrThrow,
                       const std::function<void()> &                    computeAgain)
{
  try
  {
    download();
  }
  catch (const DeviceError & error)
  {
    DiscardLostPixels(image);
    fallBackOrThrow(error);
    PrepareToComputeAgain(image, error.what());
    computeAgain();
  }
}

void
DiscardLostPixels(DataObject & image)
{
  std::set<const ProcessObject *> visited;
  Discard(image.GetSource().GetPointer(), visited);
}

void
PrepareToComputeAgain(DataObject & image, const char * whyLost)
{
  // Another filter may have requested less of the images before since they were computed.
  image.PropagateRequestedRegion();
  ImageSet visited;
  if (!CanBeComputed(&image, visited))
  {
    itkGenericExceptionMacro("Pixels are lost, and cannot be computed again: " << whyLost);
  }
}
} // namespace CudaFilters
} // namespace itk
