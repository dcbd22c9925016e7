// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/FilterCore.h"
#include "CudaFilters/DeviceError.h"
#include "CudaFilters/detail/LostPixels.h"
#include "CudaFilters/detail/ScopedValue.h"
#include "DropInState.h"
#include "Environment.h"
#include "FilterImages.h"
#include "Intermediates.h"
#include "Runner.h"
#include "VerboseLines.h"
#include "../Device/Devices.h"
#include "../PixelMemory/PlainUploads.h"
#include "itkInputDataObjectIterator.h"
#include "itkOutputDataObjectIterator.h"
#include "itkStreamingProcessObject.h"
#include <algorithm>
#include <exception>
#include <optional>
#include <sstream>
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** When code other than this module's ran last, as far as the innermost update of a drop-in in this thread can tell: it
 * may have written images. */
thread_local std::uint64_t tickOfOtherCode = 0;

/** Makes the protected member accessible: while it is set, ITK ends updates and requests that have come back to the
 * filter, since the pipeline is a loop. */
struct UpdatingFlag : ProcessObject
{
  using ProcessObject::m_Updating;
};

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
FilterCore::SetReplacedFilter(ReplacedFilterPointer replaced)
{
  m_ReplacedFilter = std::move(replaced);
}

FilterCore::ReasonForCPU
FilterCore::GetReasonForCPU(const ReasonFunction & getUnsupportedReason, bool isInputOnDevice) const
{
  using From = ReasonForCPU::From;

  const CudaInterface * const settings = this->GetCudaInterface();
  if (this->IsDropIn() && settings->GetBackend() == CudaBackendEnum::Auto)
  {
    // First, since the settings may have to start a device to say that there is one.
    const std::string reason = m_ReplacedFilter->GetReasonForCPU(GetRegionOfWork(m_Filter).Size, isInputOnDevice);
    if (!reason.empty())
    {
      return { reason, From::DropIn };
    }
  }
  const std::string reason = GetWhyNotOnDeviceAndReportStart(*settings);
  if (reason.empty())
  {
    return { getUnsupportedReason(), From::Filter };
  }
  if (this->IsDropIn() && settings->GetBackend() == CudaBackendEnum::Auto && GetNumberOfDevices() == 0)
  {
    DropInState::Get().NoteNoDevice();
  }
  return { reason, From::Settings };
}

bool
FilterCore::WillRunOnDevice(const ReasonFunction & getUnsupportedReason) const
{
  // An image that a filter of this module makes may be on the device when it is up to date. Where no filter has run on
  // a device so far, this question must not be the reason to start one.
  const bool mayInputBeOnDevice = DropInState::Get().HasRunOnDevice() && !FindHolders(m_Filter.GetInputs()).empty();
  return this->GetReasonForCPU(getUnsupportedReason, mayInputBeOnDevice).Text.empty();
}

bool
FilterCore::IsAnInputOnDevice() const
{
  const std::vector<CudaPixelHolder *> holders = FindHolders(m_Filter.GetInputs());
  return std::any_of(holders.begin(), holders.end(), [this](const CudaPixelHolder * holder) {
    return holder->IsReadyOnDevice(m_UpdateTick);
  });
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
  bool &     isUpdating = m_Filter.*&UpdatingFlag::m_Updating;
  const bool wasUpdating = isUpdating; // of a sink, which updates its inputs piece by piece
  isUpdating = true;                   // an exception leaves it set, as in ITK
  for (InputDataObjectIterator it(&m_Filter); !it.IsAtEnd(); ++it)
  {
    DataObject * const input = it.GetInput();
    if (input == nullptr)
    {
      continue;
    }
    input->PropagateRequestedRegion();
    const bool            runsOtherFilter = this->IsDropIn() && RunsOtherFilter(*input);
    Intermediates * const intermediates = Intermediates::GetInnermost();
    if (runsOtherFilter && intermediates != nullptr)
    {
      // It may read what this update has computed so far.
      intermediates->Download([this](const DeviceError & error) { this->FallBackOrThrow(error); });
    }
    CudaDeviceReadScope scope;
    if (auto * const holder = dynamic_cast<CudaPixelHolder *>(input))
    {
      scope.Add(*holder);
    }
    input->UpdateOutputData();
    if (runsOtherFilter)
    {
      tickOfOtherCode = GetNextTick();
    }
  }
  isUpdating = wasUpdating;
}

bool
FilterCore::MayProgramReadInputs() const
{
  // An observer upstream may read an input, or what that is computed from, while another input is computed.
  return this->IsDropIn() &&
         (HasObserverOfProgram(m_Filter) || (m_Filter.GetNumberOfInputs() > 1 && HasObserverUpstream(m_Filter)));
}

void
FilterCore::UpdateInputsOfPiece()
{
  if (m_Filter.GetNumberOfInputs() > 1 && !this->MayProgramReadInputs())
  {
    this->UpdateInputsOneByOne();
  }
}

bool
FilterCore::PrepareReadsOnDevice()
{
  if (this->MayProgramReadInputs())
  {
    return false;
  }
  if (m_Filter.GetNumberOfInputs() < 2)
  {
    return true;
  }
  if (dynamic_cast<const StreamingProcessObject *>(&m_Filter) != nullptr)
  {
    return false; // a sink requests its regions later, piece by piece, and then updates its inputs itself
  }
  // As the superclass does; then nothing upstream runs any more.
  this->UpdateInputsOneByOne();
  for (InputDataObjectIterator it(&m_Filter); !it.IsAtEnd(); ++it)
  {
    if (!IsUpToDate(it.GetInput()))
    {
      return false;
    }
  }
  return true;
}

void
FilterCore::UpdateOutputData(DataObject * output, bool runsOnDevice, const std::function<void()> & updateBySuperclass)
{
  if (m_Filter.*&UpdatingFlag::m_Updating)
  {
    return;
  }
  const auto * const               requested = dynamic_cast<const CudaPixelHolder *>(output);
  const bool                       isReadOnDevice = requested != nullptr && requested->IsReadOnDevice();
  const ScopedValue<std::uint64_t> tick(tickOfOtherCode,
                                        this->IsDropIn() && !isReadOnDevice ? GetNextTick() : tickOfOtherCode);

  Intermediates       intermediates;
  CudaDeviceReadScope scope;
  if (runsOnDevice && this->PrepareReadsOnDevice())
  {
    for (CudaPixelHolder * const holder : FindHolders(m_Filter.GetInputs()))
    {
      scope.Add(*holder);
    }
  }
  updateBySuperclass();

  // A caller that updates one output may read the others without updating them. Only a filter that reads on the device
  // does not.
  if (!isReadOnDevice)
  {
    const auto         fallBackOrThrow = [this](const DeviceError & error) { this->FallBackOrThrow(error); };
    const auto         outputs = m_Filter.GetOutputs();
    DataObject * const image = output == nullptr && !outputs.empty() ? outputs.front().GetPointer() : output;
    if (image != nullptr) // a sink may have none
    {
      DownloadOrComputeAgain(
        *image, [this] { this->DownloadOutputs(); }, fallBackOrThrow, updateBySuperclass);
    }
    intermediates.Download(fallBackOrThrow);
    if (this->IsDropIn() && intermediates.IsOutermost())
    {
      for (CudaPixelHolder * const holder : FindHolders(outputs))
      {
        holder->SetHostModified(); // no later run would trust the device's copy
      }
    }
    return;
  }
  if (this->IsDropIn())
  {
    for (OutputDataObjectIterator it(&m_Filter); !it.IsAtEnd(); ++it)
    {
      intermediates.Add(it.GetOutput());
    }
  }
  intermediates.PassOn();
}

void
FilterCore::DownloadOutputs() const
{
  for (const CudaPixelHolder * const holder : FindHolders(m_Filter.GetOutputs()))
  {
    DownloadPixelsUnlessTracked(*holder);
  }
}

void
FilterCore::GenerateData(const ReasonFunction &        getUnsupportedReason,
                         const OperationFunction &     makeOperation,
                         const std::function<void()> & generateOnCPU)
{
  const VerboseRun run;
  this->ComputeOutputs(getUnsupportedReason, makeOperation, generateOnCPU);
  run.End(m_Filter.GetNameOfClass(), GetRegionOfWork(m_Filter).Size, m_ExecutedOn);
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
  if (m_Filter.HasObserver(StartEvent()) ||
      (this->IsDropIn() && (HasObserverOfProgram(m_Filter) || HasObserverUpstream(m_Filter))))
  {
    m_UpdateTick = GetNextTick(); // the observer may have written the inputs
  }
  m_UpdateTick = std::max(m_UpdateTick, tickOfOtherCode);
  const PlainUploads::RunScope  scope(this);
  std::optional<OutputRestorer> restorer;
  if (this->IsDropIn())
  {
    restorer.emplace(m_Filter);
  }
  try
  {
    ReasonForCPU reason = this->GetReasonForCPU(getUnsupportedReason, this->IsAnInputOnDevice());
    if (reason.Text.empty())
    {
      try
      {
        this->RunOnDevice(makeOperation);
        return;
      }
      catch (const DeviceError & error)
      {
        this->FallBackOrThrow(error);
        reason = { error.what(), ReasonForCPU::From::Settings };
      }
    }
    else if (this->GetCudaInterface()->GetBackend() == CudaBackendEnum::CUDA &&
             (!this->IsDropIn() || reason.Cause == ReasonForCPU::From::Settings))
    {
      ThrowFor(m_Filter, "The backend CUDA was asked for, but " + reason.Text);
    }
    this->GenerateOnCPU(generateOnCPU);
    m_ExecutedOn = "CPU (" + reason.Text + ")";
    if (reason.Cause == ReasonForCPU::From::DropIn)
    {
      m_ReplacedFilter->CountRunOnCPU(GetRegionOfWork(m_Filter).Size);
    }
  }
  catch (...)
  {
    if (restorer)
    {
      restorer->NoteFailedRun();
    }
    this->DiscardOutputs();
    if (restorer)
    {
      restorer->Restore();
    }
    throw;
  }
}

void
FilterCore::RunOnDevice(const OperationFunction & makeOperation)
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
  const bool isObserved = this->IsDropIn() && HasObserverOfProgram(m_Filter);
  if (isObserved)
  {
    AllocateOnHost(m_Filter); // an observer of progress may read the output, whose container is final now
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
  if (isObserved)
  {
    this->DownloadOutputs();
    for (CudaPixelHolder * const holder : FindHolders(m_Filter.GetOutputs()))
    {
      holder->SetHostModified(); // an observer may write the pixels, and remove itself
    }
  }
  // Only now: if the device fails before, the run is one on the CPU.
  this->RecordRun(std::move(report));
  DropInState::Get().NoteRunOnDevice();
}

void
FilterCore::LeaveSharedContainers() const
{
  for (CudaPixelHolder * const holder : FindHolders(m_Filter.GetOutputs()))
  {
    holder->LeaveSharedContainer();
  }
}

void
FilterCore::DiscardOutputs() const
{
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
}

void
FilterCore::FallBackOrThrow(const DeviceError & error) const
{
  if (error.GetKind() == DeviceError::Kind::MissingPixels)
  {
    ThrowFor(m_Filter, error.what()); // the device has not failed
  }
  const bool isFailure = error.GetKind() == DeviceError::Kind::Failure;
  if (this->GetCudaInterface()->GetBackend() == CudaBackendEnum::CUDA)
  {
    // The program of a drop-in has not asked for this filter, which may have no kernel.
    const bool mayRunOnCPU = error.GetKind() == DeviceError::Kind::BadInput ||
                             (this->IsDropIn() && error.GetKind() == DeviceError::Kind::Unsuited);
    if (!mayRunOnCPU)
    {
      ThrowFor(m_Filter, error.what());
    }
  }
  else if (isFailure && !this->IsDropIn())
  {
    ThrowFor(m_Filter, error.what());
  }
  const bool isFirstFailure = isFailure && DropInState::Get().NoteFailure(error.what());
  if ((isFirstFailure || error.IsOutOfMemory()) && Object::GetGlobalWarningDisplay())
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
      DataObject & image = *it.GetInput();
      DownloadOrComputeAgain(
        image,
        [holder] { DownloadPixels(*holder); },
        [this](const DeviceError & error) { this->FallBackOrThrow(error); },
        [&image] { image.UpdateOutputData(); });
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
    if (!this->IsDropIn())
    {
      continue;
    }
    for (InputDataObjectIterator it(&m_Filter); !it.IsAtEnd(); ++it)
    {
      if (it.GetInput() != nullptr)
      {
        holder->KeepContainerOf(*it.GetInput());
      }
    }
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
  // At 1, the outputs are computed: as in ITK, it is too late.
  if (progress < 1.0f && m_Filter.GetAbortGenerateData())
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
