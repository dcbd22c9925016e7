// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "FilterImages.h"
#include "CudaFilters/ImageList.h"
#include "itkCommand.h"
#include "itkImageBase.h"
#include "itkInputDataObjectIterator.h"
#include "itkOutputDataObjectIterator.h"
#include "itkProgressAccumulator.h"
#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>

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
AllocateOnHost(ImageBase<VDimension> & image, const ImageRegion<VDimension> & region)
{
  if (auto * const holder = dynamic_cast<CudaPixelHolder *>(&image))
  {
    holder->DiscardDevice(); // the pixels of the run before
  }
  image.SetBufferedRegion(region);
  try
  {
    image.Allocate(true); // new memory is set to 0, other memory stays as it is
  }
  catch (...)
  {
    image.SetBufferedRegion(ImageRegion<VDimension>());
    throw;
  }
}

/** Calls the function for the outputs that are images of two or three dimensions. */
template <typename TFunction>
void
ForEachOutputImage(ProcessObject & filter, TFunction function)
{
  for (OutputDataObjectIterator it(&filter); !it.IsAtEnd(); ++it)
  {
    if (auto * const plane = dynamic_cast<ImageBase<2> *>(it.GetOutput()))
    {
      function(*plane);
    }
    else if (auto * const volume = dynamic_cast<ImageBase<3> *>(it.GetOutput()))
    {
      function(*volume);
    }
  }
}

/** Makes the protected method accessible. */
struct ObserverPrinter : Object
{
  using Object::PrintObservers;
};

/** The names of the observed events, in the order of the observers' tags. Only reads the object: several threads may
 * share it. */
std::vector<std::string>
GetObservedEvents(const Object & object)
{
  std::vector<std::string> events;
  std::ostringstream       text;
  if ((object.*&ObserverPrinter::PrintObservers)(text, Indent()))
  {
    std::istringstream lines(text.str());
    for (std::string line; std::getline(lines, line);)
    {
      events.push_back(line.substr(0, line.find('('))); // behind it, the command's class and name
    }
  }
  return events;
}

/** Only filters modify images during a run. */
bool
IsModificationObserved(const std::vector<DataObject::Pointer> & objects)
{
  return std::any_of(objects.begin(), objects.end(), [](const DataObject::Pointer & object) {
    return object && object->GetSource() && object->HasObserver(ModifiedEvent());
  });
}

bool
HasObserverUpstream(ProcessObject & filter, std::set<const ProcessObject *> & visited)
{
  for (InputDataObjectIterator it(&filter); !it.IsAtEnd(); ++it)
  {
    const auto source = it.GetInput() == nullptr ? nullptr : it.GetInput()->GetSource();
    if (source && visited.insert(source.GetPointer()).second &&
        (HasObserverOfProgram(*source) || HasObserverUpstream(*source, visited)))
    {
      return true;
    }
  }
  return false;
}

bool
RunsOtherFilter(DataObject & image, std::set<const ProcessObject *> & visited)
{
  const auto source = image.GetSource();
  if (!source || IsUpToDate(&image) || !visited.insert(source.GetPointer()).second)
  {
    return false;
  }
  if (FindHolders(source->GetOutputs()).empty())
  {
    return true;
  }
  for (InputDataObjectIterator it(source.GetPointer()); !it.IsAtEnd(); ++it)
  {
    if (it.GetInput() != nullptr && RunsOtherFilter(*it.GetInput(), visited))
    {
      return true;
    }
  }
  return false;
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
  ForEachOutputImage(filter, [](auto & image) { AllocateOnHost(image, image.GetRequestedRegion()); });
}

namespace
{
using AccumulatorCommand = MemberCommand<ProgressAccumulator>;

/** Makes the protected member accessible: the accumulator that the command belongs to. */
struct AccumulatorOfCommand : AccumulatorCommand
{
  using AccumulatorCommand::m_This;
};

/** Whether the command only sums up progress for a composite filter that no program observes. */
bool
IsOfUnobservedComposite(const Command & command)
{
  const auto * const ofAccumulator = dynamic_cast<const AccumulatorCommand *>(&command);
  if (ofAccumulator == nullptr)
  {
    return false;
  }
  ProgressAccumulator * const accumulator = ofAccumulator->*&AccumulatorOfCommand::m_This;
  ProcessObject * const       composite = accumulator->GetModifiableMiniPipelineFilter();
  return composite == nullptr || !HasObserverOfProgram(*composite);
}
} // namespace

bool
HasObserverOfProgram(ProcessObject & filter)
{
  if (IsModificationObserved(filter.GetInputs()) || IsModificationObserved(filter.GetOutputs()))
  {
    return true;
  }
  // Filters also send other events than those of a run, for example for their iterations.
  unsigned long tag = 0;
  for (const std::string & event : GetObservedEvents(filter))
  {
    const Command * command = nullptr;
    for (constexpr unsigned long end = 10000000; command == nullptr && tag < end; ++tag)
    {
      command = filter.GetCommand(tag); // tags are given in turn, and not again; one beyond the end is the program's
    }
    if (event != "DeleteEvent" && (command == nullptr || !IsOfUnobservedComposite(*command)))
    {
      return true;
    }
  }
  return false;
}

bool
RunsOtherFilter(DataObject & image)
{
  std::set<const ProcessObject *> visited;
  return RunsOtherFilter(image, visited);
}

bool
HasObserverUpstream(ProcessObject & filter)
{
  std::set<const ProcessObject *> visited;
  return HasObserverUpstream(filter, visited);
}

namespace
{
template <unsigned int VDimension>
class ImageRestorerOf : public ImageRestorer
{
public:
  explicit ImageRestorerOf(ImageBase<VDimension> & image)
    : m_Image(&image)
    , m_Former(image.GetBufferedRegion())
  {}

  void
  NoteFailedRun() override
  {
    m_OfFailedRun = m_Image->GetBufferedRegion();
  }

  void
  Restore(ProcessObject & filter) const override
  {
    auto * const holder = dynamic_cast<CudaPixelHolder *>(m_Image.GetPointer());
    if (holder != nullptr)
    {
      for (InputDataObjectIterator it(&filter); !it.IsAtEnd(); ++it)
      {
        if (it.GetInput() != nullptr)
        {
          holder->LeaveContainerOf(*it.GetInput()); // it may have another size
        }
      }
    }
    for (const auto & region : { m_OfFailedRun, m_Former, m_Image->GetRequestedRegion() })
    {
      if (region.GetNumberOfPixels() > 0 && TryToAllocate(region))
      {
        return;
      }
    }
  }

private:
  bool
  TryToAllocate(const ImageRegion<VDimension> & region) const
  {
    try
    {
      AllocateOnHost(*m_Image, region);
      return true;
    }
    catch (...)
    {
      return false; // there is no memory, and the image is empty; or an observer of the image throws
    }
  }

  const typename ImageBase<VDimension>::Pointer m_Image; // the program may delete its image during the run
  const ImageRegion<VDimension>                 m_Former;
  ImageRegion<VDimension>                       m_OfFailedRun;
};
} // namespace

ImageRestorer::~ImageRestorer() = default;

OutputRestorer::OutputRestorer(ProcessObject & filter)
  : m_Filter(filter)
{
  ForEachOutputImage(filter, [this](auto & image) {
    constexpr unsigned int dimension = std::remove_reference_t<decltype(image)>::ImageDimension;
    m_Images.push_back(std::make_unique<ImageRestorerOf<dimension>>(image));
  });
}

OutputRestorer::~OutputRestorer() = default;

void
OutputRestorer::NoteFailedRun()
{
  for (const auto & image : m_Images)
  {
    image->NoteFailedRun();
  }
}

void
OutputRestorer::Restore() const
{
  for (const auto & image : m_Images)
  {
    image->Restore(m_Filter);
  }
}
} // namespace CudaFilters
} // namespace itk
