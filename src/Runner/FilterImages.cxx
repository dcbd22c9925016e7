// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "FilterImages.h"
#include "CudaFilters/ImageList.h"
#include "itkCommand.h"
#include "itkImageBase.h"
#include "itkOutputDataObjectIterator.h"
#include "itkProgressAccumulator.h"

namespace itk
{
namespace CudaFilters
{
namespace
{
/** The requested region of the first image among the objects, or an empty one. */
Region3
GetRequestedRegion3(const std::vector<DataObject::Pointer> & objects)
{
  for (const DataObject::Pointer & object : objects)
  {
    if (const auto * const volume = dynamic_cast<const ImageBase<3> *>(object.GetPointer()))
    {
      return GetRegion3(volume->GetRequestedRegion());
    }
    if (const auto * const plane = dynamic_cast<const ImageBase<2> *>(object.GetPointer()))
    {
      return GetRegion3(plane->GetRequestedRegion());
    }
  }
  return {};
}

template <unsigned int VDimension>
void
AllocateOnHost(ImageBase<VDimension> * image)
{
  if (image != nullptr)
  {
    if (auto * const holder = dynamic_cast<CudaPixelHolder *>(image))
    {
      holder->DiscardDevice(); // the pixels of the run before
    }
    image->SetBufferedRegion(image->GetRequestedRegion());
    image->Allocate();
  }
}
} // namespace

std::vector<CudaPixelHolder *>
FindHolders(const std::vector<DataObject::Pointer> & objects)
{
  std::vector<CudaPixelHolder *> holders;
  for (const DataObject::Pointer & object : objects)
  {
    if (auto * const holder = dynamic_cast<CudaPixelHolder *>(object.GetPointer()))
    {
      holders.push_back(holder);
    }
  }
  return holders;
}

bool
IsUpToDate(DataObject * data)
{
  return data == nullptr || (data->GetUpdateMTime() >= data->GetPipelineMTime() && !data->GetDataReleased() &&
                             !data->RequestedRegionIsOutsideOfTheBufferedRegion());
}

Region3
GetRegionOfWork(ProcessObject & filter)
{
  const Region3 output = GetRequestedRegion3(filter.GetOutputs());
  return output.GetNumberOfPixels() > 0 ? output : GetRequestedRegion3(filter.GetInputs());
}

void
AllocateOnHost(ProcessObject & filter)
{
  for (OutputDataObjectIterator it(&filter); !it.IsAtEnd(); ++it)
  {
    AllocateOnHost(dynamic_cast<ImageBase<2> *>(it.GetOutput()));
    AllocateOnHost(dynamic_cast<ImageBase<3> *>(it.GetOutput()));
  }
}

bool
HasObserverOfProgram(const ProcessObject & filter)
{
  if (!filter.HasObserver(StartEvent()) && !filter.HasObserver(ProgressEvent()) && !filter.HasObserver(EndEvent()))
  {
    return false;
  }
  bool                    isOfItk = false;
  constexpr unsigned long mostTags = 1000; // tags count all observers that were ever added; each is looked for
  for (unsigned long tag = 0; tag < mostTags; ++tag)
  {
    const Command * const command = const_cast<ProcessObject &>(filter).GetCommand(tag);
    if (command != nullptr && dynamic_cast<const MemberCommand<ProgressAccumulator> *>(command) == nullptr)
    {
      return true;
    }
    isOfItk = isOfItk || command != nullptr;
  }
  return !isOfItk; // then there is one with a tag beyond these
}
} // namespace CudaFilters
} // namespace itk
