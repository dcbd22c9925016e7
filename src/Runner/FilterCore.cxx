// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/FilterCore.h"
#include "CudaFilters/DeviceError.h"
#include "DropInState.h"
#include "Runner.h"
#include "../Device/Devices.h"
#include "../PixelMemory/PlainUploads.h"
#include "itkCudaPixelHolder.h"
#include "itkCommand.h"
#include "itkImageBase.h"
#include "itkInputDataObjectIterator.h"
#include "itkOutputDataObjectIterator.h"
#include "itkProgressAccumulator.h"
#include "itkStreamingProcessObject.h"
#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <sstream>
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** The images that may have pixels on the device, of the inputs or outputs of a filter. */
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

/** Discards the pixels of an image if they are lost with a device, but can be computed once more, and likewise those of
 * the images that they are computed from. Returns whether it has discarded those of the image. */
bool
DiscardLostPixels(DataObject * image)
{
  auto * const holder = dynamic_cast<CudaPixelHolder *>(image);
  const auto   source = image == nullptr ? nullptr : image->GetSource();
  if (holder == nullptr || !source)
  {
    return false;
  }
  try
  {
    holder->MakeHostValid();
    return false;
  }
  catch (const ExceptionObject &)
  {
    holder->DiscardPixels();
  }
  for (InputDataObjectIterator it(source.GetPointer()); !it.IsAtEnd(); ++it)
  {
    DiscardLostPixels(it.GetInput());
  }
  return true;
}

/** Whether a program observes the events of a run, and may read images of the filter when it is told of one. ITK's own
 * observers, by which composite filters sum up the progress of others, do not. */
bool
HasObserverOfProgram(const ProcessObject & filter)
{
  if (!filter.HasObserver(StartEvent()) && !filter.HasObserver(ProgressEvent()) && !filter.HasObserver(EndEvent()))
  {
    return false;
  }
  constexpr unsigned long mostTags = 100; // tags count all observers that were ever added
  for (unsigned long tag = 0; tag < mostTags; ++tag)
  {
    const Command * const command = const_cast<ProcessObject &>(filter).GetCommand(tag);
    if (command != nullptr && dynamic_cast<const MemberCommand<ProgressAccumulator> *>(command) == nullptr)
    {
      return true;
    }
  }
  return false;
}

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

/** The region that the filter computes, or reads if it computes no image. */
Region3
GetRegionOfWork(ProcessObject & filter)
{
  const Region3 output = GetRequestedRegion3(filter.GetOutputs());
  return output.GetNumberOfPixels() > 0 ? output : GetRequestedRegion3(filter.GetInputs());
}

/** The images that drop-ins have computed for drop-ins during an update, and left on the device. Their program, which
 * has pointers to ITK's classes only, may read them after the update by methods that are not virtual: the update of the
 * last filter on the device copies them to the host. Those whose pixels are released after use cost nothing. */
class Intermediates
{
public:
  Intermediates()
    : m_Outer(innermost)
  {
    innermost = this;
  }
  ~Intermediates()
  {
    innermost = m_Outer;
    try
    {
      this->MakeHostValid(); // there are some if the update has failed
    }
    catch (const std::exception & error)
    {
      itkGenericOutputMacro(<< "Pixels of an update that failed are lost: " << error.what());
    }
  }
  Intermediates(const Intermediates &) = delete;
  Intermediates &
  operator=(const Intermediates &) = delete;

  void
  Add(DataObject * image)
  {
    m_Images.emplace_back(image);
  }

  /** Leaves the images to the update that has caused this one. */
  void
  PassOn()
  {
    if (m_Outer != nullptr)
    {
      std::move(m_Images.begin(), m_Images.end(), std::back_inserter(m_Outer->m_Images));
      m_Images.clear();
    }
  }

  void
  MakeHostValid()
  {
    std::exception_ptr error;
    for (const DataObject::Pointer & image : std::exchange(m_Images, {}))
    {
      auto & holder = dynamic_cast<CudaPixelHolder &>(*image);
      if (image->GetReferenceCount() > 1 && holder.GetDeviceNumber() >= 0)
      {
        try
        {
          holder.MakeHostValidUnlessTracked();
          holder.SetHostModified(); // from now on the program may write the pixels: the device's are not used again
        }
        catch (const ExceptionObject &)
        {
          error = std::current_exception();
        }
      }
    }
    if (error)
    {
      std::rethrow_exception(error);
    }
  }

private:
  static thread_local Intermediates * innermost;

  Intermediates * const            m_Outer;
  std::vector<DataObject::Pointer> m_Images;
};

thread_local Intermediates * Intermediates::innermost = nullptr;

/** Throws as itkExceptionMacro does in the filter. */
[[noreturn]] void
ThrowFor(const ProcessObject & filter, const std::string & description)
{
  itkSpecializedMessageExceptionMacro(ExceptionObject,
                                      << filter.GetNameOfClass() << "(" << &filter << "): " << description);
}
} // namespace

FilterCore::FilterCore(ProcessObject & filter)
  : m_Filter(filter)
{}

FilterCore::~FilterCore() { PlainUploads::GetInstance().Withdraw(this); }

bool
FilterCore::SetCudaInterface(CudaInterface * settings)
{
  if (m_CudaInterface == settings)
  {
    return false;
  }
  m_CudaInterface = settings;
  return true;
}

CudaInterface *
FilterCore::GetCudaInterface() const
{
  return m_CudaInterface ? m_CudaInterface.GetPointer() : CudaInterface::GetDefault();
}

ModifiedTimeType
FilterCore::GetMTime(ModifiedTimeType timeOfFilter) const
{
  return m_CudaInterface ? std::max(timeOfFilter, m_CudaInterface->GetMTime()) : timeOfFilter;
}

void
FilterCore::SetDropIn(DropInPointer dropIn)
{
  m_DropIn = std::move(dropIn);
}

FilterCore::ReasonForCPU
FilterCore::GetReasonForCPU(const ReasonFunction & getUnsupportedReason, bool isInputOnDevice) const
{
  using From = ReasonForCPU::From;

  const CudaInterface * const settings = this->GetCudaInterface();
  if (m_DropIn && settings->GetBackend() == CudaBackendEnum::Auto)
  {
    // First, since the settings may have to start a device to say that there is one.
    const std::string reason = m_DropIn->GetReasonForCPU(GetRegionOfWork(m_Filter).Size, isInputOnDevice);
    if (!reason.empty())
    {
      return { reason, From::DropIn };
    }
  }
  const std::string reason = settings->GetWhyNotOnDevice();
  if (reason.empty())
  {
    return { getUnsupportedReason(), From::Filter };
  }
  if (m_DropIn && settings->GetBackend() == CudaBackendEnum::Auto && GetNumberOfDevices() == 0)
  {
    DropInState::NoteNoDevice();
  }
  return { reason, From::Settings };
}

bool
FilterCore::WillRunOnDevice(const ReasonFunction & getUnsupportedReason) const
{
  // An image that a filter of this module makes may be on the device when it is up to date. Where no filter has run on
  // a device so far, this question must not be the reason to start one.
  const bool mayInputBeOnDevice = DropInState::HasRunOnDevice() && !FindHolders(m_Filter.GetInputs()).empty();
  return this->GetReasonForCPU(getUnsupportedReason, mayInputBeOnDevice).Text.empty();
}

bool
FilterCore::IsAnInputOnDevice() const
{
  const std::vector<CudaPixelHolder *> holders = FindHolders(m_Filter.GetInputs());
  return std::any_of(
    holders.begin(), holders.end(), [](const CudaPixelHolder * holder) { return holder->GetDeviceNumber() >= 0; });
}

void
FilterCore::BeginUpdate()
{
  m_UpdateTick = GetNextTick();
  PlainUploads::GetInstance().Withdraw(this);
  for (InputDataObjectIterator it(&m_Filter); !it.IsAtEnd(); ++it)
  {
    PlainUploads::GetInstance().Release(it.GetInput()); // of earlier updates
  }
}

void
FilterCore::AnnounceReads()
{
  bool willRun = false;
  for (OutputDataObjectIterator it(&m_Filter); !it.IsAtEnd(); ++it)
  {
    willRun = willRun || !IsUpToDate(it.GetOutput());
  }
  if (!willRun)
  {
    return;
  }
  for (InputDataObjectIterator it(&m_Filter); !it.IsAtEnd(); ++it)
  {
    if (it.GetInput() != nullptr)
    {
      PlainUploads::GetInstance().Announce(this, it.GetInput());
    }
  }
}

void
FilterCore::UpdateInputsOneByOne()
{
  if (m_Filter.GetNumberOfInputs() < 2)
  {
    return;
  }
  for (InputDataObjectIterator it(&m_Filter); !it.IsAtEnd(); ++it)
  {
    CudaDeviceReadScope scope;
    if (auto * const holder = dynamic_cast<CudaPixelHolder *>(it.GetInput()))
    {
      scope.Add(*holder);
    }
    if (it.GetInput() != nullptr)
    {
      it.GetInput()->PropagateRequestedRegion();
      it.GetInput()->UpdateOutputData();
    }
  }
}

void
FilterCore::UpdateOutputData(DataObject * output, bool runsOnDevice, const std::function<void()> & updateBySuperclass)
{
  Intermediates intermediates;
  bool          mayAnnounce = runsOnDevice && !(m_DropIn && HasObserverOfProgram(m_Filter));
  if (mayAnnounce && m_Filter.GetNumberOfInputs() > 1)
  {
    if (dynamic_cast<const StreamingProcessObject *>(&m_Filter) != nullptr)
    {
      mayAnnounce = false; // a sink requests its regions later, piece by piece, and then updates its inputs itself
    }
    else
    {
      // As the superclass does; then nothing upstream runs any more.
      this->UpdateInputsOneByOne();
      for (InputDataObjectIterator it(&m_Filter); !it.IsAtEnd(); ++it)
      {
        mayAnnounce = mayAnnounce && IsUpToDate(it.GetInput());
      }
    }
  }

  CudaDeviceReadScope scope;
  if (mayAnnounce)
  {
    for (CudaPixelHolder * const holder : FindHolders(m_Filter.GetInputs()))
    {
      scope.Add(*holder);
    }
  }
  updateBySuperclass();

  // A caller that updates one output may read the others without updating them. Only a filter on a device will not.
  const auto * const requested = dynamic_cast<const CudaPixelHolder *>(output);
  if (requested == nullptr || !requested->IsReadOnDevice())
  {
    for (const CudaPixelHolder * const holder : FindHolders(m_Filter.GetOutputs()))
    {
      holder->MakeHostValidUnlessTracked();
    }
    intermediates.MakeHostValid();
    return;
  }
  if (m_DropIn)
  {
    for (OutputDataObjectIterator it(&m_Filter); !it.IsAtEnd(); ++it)
    {
      if (dynamic_cast<const CudaPixelHolder *>(it.GetOutput()) != nullptr)
      {
        intermediates.Add(it.GetOutput());
      }
    }
  }
  intermediates.PassOn();
}

void
FilterCore::GenerateData(const ReasonFunction &        getUnsupportedReason,
                         const OperationFunction &     makeOperation,
                         const std::function<void()> & generateOnCPU)
{
  const auto begin = std::chrono::steady_clock::now();
  this->ComputeOutputs(getUnsupportedReason, makeOperation, generateOnCPU);
  if (Environment::Get().IsVerbose)
  {
    this->WriteVerboseLine(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
}

void
FilterCore::WriteVerboseLine(double milliseconds) const
{
  const auto         region = GetRegionOfWork(m_Filter);
  std::ostringstream line;
  line << m_Filter.GetNameOfClass() << ' ' << region.Size[0] << 'x' << region.Size[1];
  if (region.Size[2] > 1)
  {
    line << 'x' << region.Size[2];
  }
  line.precision(3);
  line << ": " << m_ExecutedOn << ", " << std::fixed << milliseconds << " ms";
  WriteLine(line.str());
}

void
FilterCore::ComputeOutputs(const ReasonFunction &        getUnsupportedReason,
                           const OperationFunction &     makeOperation,
                           const std::function<void()> & generateOnCPU)
{
  m_ExecutedOn.clear();
  m_ExecutedOnDevice = false;
  m_NumberOfTiles = 0;
  m_StageTimes.clear();
  if (m_Filter.HasObserver(StartEvent()))
  {
    m_UpdateTick = GetNextTick(); // the observer may have written the inputs
  }
  const PlainUploads::RunScope scope(this);
  try
  {
    ReasonForCPU reason = this->GetReasonForCPU(getUnsupportedReason, this->IsAnInputOnDevice());
    if (reason.Text.empty())
    {
      try
      {
        for (CudaPixelHolder * const holder : FindHolders(m_Filter.GetOutputs()))
        {
          holder->BeforeDeviceRun();
        }
        ImageList              images;
        const OperationPointer operation = makeOperation(images);
        if (operation == nullptr)
        {
          throw DeviceError(DeviceError::Kind::Unsuited, "the filter has no operation for a device");
        }
        Runner    runner(*operation, images, *this->GetCudaInterface(), m_UpdateTick, [this](float progress) {
          this->ReportProgress(progress);
        });
        RunReport report = runner.Run();
        if (Environment::Get().IsVerbose)
        {
          for (const int device : report.Devices)
          {
            SynchronizeDevice(device); // kernels may still run, and the line tells the time
          }
        }
        this->RecordRun(std::move(report));
        DropInState::NoteRunOnDevice();
        if (m_DropIn && HasObserverOfProgram(m_Filter))
        {
          for (const CudaPixelHolder * const holder : FindHolders(m_Filter.GetOutputs()))
          {
            holder->MakeHostValidUnlessTracked();
          }
        }
        return;
      }
      catch (const DeviceError & error)
      {
        this->CheckFallback(error);
        reason = { error.what(), ReasonForCPU::From::Settings };
      }
    }
    else if (this->GetCudaInterface()->GetBackend() == CudaBackendEnum::CUDA &&
             (!m_DropIn || reason.Cause == ReasonForCPU::From::Settings))
    {
      ThrowFor(m_Filter, "The backend CUDA was asked for, but " + reason.Text);
    }
    this->GenerateOnCPU(generateOnCPU);
    m_ExecutedOn = "CPU (" + reason.Text + ")";
    if (m_DropIn && reason.Cause == ReasonForCPU::From::DropIn)
    {
      m_DropIn->NoteRunOnCPU(GetRegionOfWork(m_Filter).Size);
    }
  }
  catch (...)
  {
    // The outputs hold neither the old nor the new pixels: the next update must run again.
    for (OutputDataObjectIterator it(&m_Filter); !it.IsAtEnd(); ++it)
    {
      if (auto * const holder = dynamic_cast<CudaPixelHolder *>(it.GetOutput()))
      {
        holder->DiscardPixels();
      }
      else if (it.GetOutput() != nullptr)
      {
        it.GetOutput()->ReleaseData();
      }
    }
    throw;
  }
}

void
FilterCore::CheckFallback(const DeviceError & error) const
{
  using Kind = DeviceError::Kind;

  const bool isForced = this->GetCudaInterface()->GetBackend() == CudaBackendEnum::CUDA;
  const bool isFailure = error.GetKind() == Kind::Failure;
  // The program of a drop-in has not asked for a device, and the CPU needs none.
  const bool mayFallBack = m_DropIn && !isForced;
  if ((isFailure && !mayFallBack) || (isForced && !m_DropIn && error.GetKind() != Kind::BadInput))
  {
    ThrowFor(m_Filter, error.what());
  }
  if (isFailure)
  {
    DropInState::NoteFailure(error.what());
  }
  if ((isFailure || error.IsOutOfMemory()) && Object::GetGlobalWarningDisplay())
  {
    std::ostringstream warning;
    warning << "WARNING: In " << m_Filter.GetNameOfClass() << " (" << &m_Filter
            << "): Runs on the CPU: " << error.what() << "\n\n";
    OutputWindowDisplayWarningText(warning.str().c_str());
  }
}

void
FilterCore::GenerateOnCPU(const std::function<void()> & generateOnCPU) const
{
  for (InputDataObjectIterator it(&m_Filter); !it.IsAtEnd(); ++it)
  {
    if (auto * const holder = dynamic_cast<CudaPixelHolder *>(it.GetInput()))
    {
      if (m_DropIn && DropInState::HasFailed() && DiscardLostPixels(it.GetInput()))
      {
        it.GetInput()->UpdateOutputData(); // on the CPU
      }
      holder->MakeHostValid();
    }
  }
  for (CudaPixelHolder * const holder : FindHolders(m_Filter.GetOutputs()))
  {
    holder->BeforeCpuRun();
  }
  generateOnCPU();
  for (CudaPixelHolder * const holder : FindHolders(m_Filter.GetOutputs()))
  {
    holder->AfterCpuRun();
  }
}

void
FilterCore::RecordRun(RunReport && report)
{
  m_NumberOfTiles = report.NumberOfTiles;
  m_StageTimes = std::move(report.StageTimes);
  const int device = report.Devices.front();
  m_ExecutedOn = CudaInterface::GetDeviceName(device) + " (device " + std::to_string(device) + ")";
  if (report.NumberOfTiles > 1 || report.Devices.size() > 1)
  {
    m_ExecutedOn += ", " + std::to_string(report.NumberOfTiles) + " tiles";
  }
  for (std::size_t i = 1; i < report.Devices.size(); ++i)
  {
    m_ExecutedOn += (i == 1 ? ", shared with device " : ", ") + std::to_string(report.Devices[i]);
  }
  m_ExecutedOnDevice = true;
}

void
FilterCore::ReportProgress(float progress)
{
  m_Filter.UpdateProgress(progress);
  if (m_Filter.GetAbortGenerateData())
  {
    ProcessAborted aborted(__FILE__, __LINE__);
    aborted.SetLocation(ITK_LOCATION);
    aborted.SetDescription(std::string(m_Filter.GetNameOfClass()) + ": AbortGenerateData was set!");
    throw aborted;
  }
}

void
FilterCore::BeforeReplacingOutput(DataObject * former, const DataObject * next) const
{
  const auto * const holder = dynamic_cast<const CudaPixelHolder *>(former);
  if (holder != nullptr && former != next)
  {
    holder->MakeHostValidUnlessTracked();
  }
}

void
FilterCore::BeforeDestruction()
{
  for (OutputDataObjectIterator it(&m_Filter); !it.IsAtEnd(); ++it)
  {
    const auto * const holder = dynamic_cast<const CudaPixelHolder *>(it.GetOutput());
    if (holder != nullptr && it.GetOutput()->GetReferenceCount() > 1)
    {
      try
      {
        holder->MakeHostValidUnlessTracked();
      }
      catch (const std::exception & error)
      {
        itkGenericOutputMacro(<< "Pixels were lost with their filter: " << error.what());
      }
    }
  }
}

void
FilterCore::Print(std::ostream & os, Indent indent) const
{
  os << indent << "CudaInterface: " << (m_CudaInterface ? "" : "the process's default") << std::endl;
  this->GetCudaInterface()->Print(os, indent.GetNextIndent());
  os << indent << "ExecutedOn: " << m_ExecutedOn << std::endl;
  for (const StageTime & stage : m_StageTimes)
  {
    os << indent.GetNextIndent() << stage.Name << ": " << stage.Milliseconds << " ms" << std::endl;
  }
  os << indent << "NumberOfTiles: " << m_NumberOfTiles << std::endl;
}
} // namespace CudaFilters
} // namespace itk
