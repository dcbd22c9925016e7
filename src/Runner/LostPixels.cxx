// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "LostPixels.h"
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

bool
IsLost(const CudaPixelHolder & image)
{
  try
  {
    MakeHostValid(image);
    return false;
  }
  catch (const DeviceError &)
  {
    return true;
  }
}

bool
Discard(DataObject * image, std::set<const DataObject *> & visited)
{
  const auto source = image == nullptr ? nullptr : image->GetSource();
  if (!source || !visited.insert(image).second)
  {
    return false;
  }
  auto * const holder = dynamic_cast<CudaPixelHolder *>(image);
  const bool   isLost = holder != nullptr && IsLost(*holder);
  if (isLost)
  {
    holder->DiscardPixels();
  }
  // Even if this image is not lost, the pipeline may have to compute it again, from images that are.
  for (InputDataObjectIterator it(source.GetPointer()); !it.IsAtEnd(); ++it)
  {
    Discard(it.GetInput(), visited);
  }
  return isLost;
}
} // namespace

void
MakeHostValid(const CudaPixelHolder & image)
{
  DownloadOrFail([&image] { image.MakeHostValid(); });
}

void
MakeHostValidUnlessTracked(const CudaPixelHolder & image)
{
  DownloadOrFail([&image] { image.MakeHostValidUnlessTracked(); });
}

bool
DiscardLostPixels(DataObject * image)
{
  std::set<const DataObject *> visited;
  return Discard(image, visited);
}
} // namespace CudaFilters
} // namespace itk
