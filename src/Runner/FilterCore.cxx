// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/FilterCore.h"
#include "CudaFilters/DeviceError.h"
#include "CudaFilters/detail/Environment.h"
#include "CudaFilters/detail/LostPixels.h"
#include "DropInState.h"
#include "FilterImages.h"
#include "Intermediates.h"
#include "Runner.h"
#include "../Device/Devices.h"
#include "../PixelMemory/PlainUploads.h"
#include "itkInputDataObjectIterator.h"
#include "itkOutputDataObjectIterator.h"
#include "itkStreamingProcessObject.h"
#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <sstream>
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
using Clock = std::chrono::steady_clock;

/** The time since begin, as the lines of ITK_CUDA_VERBOSE tell it. */
std::string
FormatTimeSince(Clock::time_point begin)
{
  std::ostringstream text;
  text.precision(3);
  text << std::fixed << std::chrono::duration<double, std::milli>(Clock::now() - begin).count() << " ms";
  return text.str();
}

/** Returns why no device can be used with the settings, or an empty string. The first call may start the device; with
 * ITK_CUDA_VERBOSE it prints how long that took, so that the time is not taken for the filter's. */
std::string
GetWhyNotOnDevice(const CudaInterface & settings)
{
  if (Environment::Get().IsVerbose && settings.GetBackend() != CudaBackendEnum::CPU)
  {
    static std::once_flag isStartPrinted;
    std::call_once(isStartPrinted, [&settings] {
      const auto begin = Clock::now();
      if (settings.GetWhyNotOnDevice().empty())
      {
        const int device = settings.GetDeviceNumbers().front();
        WriteLine("device " + std::to_string(device) + ", " + CudaInterface::GetDeviceName(device) +
                  ", is started: " + FormatTimeSince(begin));
      }
    });
  }
  return settings.GetWhyNotOnDevice();
}

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
  const std::string reason = GetWhyNotOnDevice(*settings);
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
    try
    {
      this->DownloadOutputs();
    }
    catch (const DeviceError & error)
    {
      for (OutputDataObjectIterator it(&m_Filter); !it.IsAtEnd(); ++it)
      {
        if (it.GetOutput() != nullptr)
        {
          DiscardLostPixels(*it.GetOutput());
        }
      }
      this->CheckFallback(error);
      PrepareToComputeAgain(*output, error.what());
      updateBySuperclass(); // on the CPU
    }
    intermediates.Download([this](const DeviceError & error) { this->CheckFallback(error); });
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
FilterCore::DownloadOutputs() const
{
  for (const CudaPixelHolder * const holder : FindHolders(m_Filter.GetOutputs()))
  {
    DownloadUntrackedPixels(*holder);
  }
}

void
FilterCore::GenerateData(const ReasonFunction &        getUnsupportedReason,
                         const OperationFunction &     makeOperation,
                         const std::function<void()> & generateOnCPU)
{
  const auto begin = Clock::now();
  this->ComputeOutputs(getUnsupportedReason, makeOperation, generateOnCPU);
  if (Environment::Get().IsVerbose)
  {
    const Size3 size = GetRegionOfWork(m_Filter).Size;
    WriteLine(m_Filter.GetNameOfClass() + (' ' + std::to_string(size[0])) + 'x' + std::to_string(size[1]) +
              (size[2] > 1 ? 'x' + std::to_string(size[2]) : "") + ": " + m_ExecutedOn + ", " + FormatTimeSince(begin));
  }
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
        const bool isObserved = m_DropIn && HasObserverOfProgram(m_Filter);
        if (isObserved)
        {
          AllocateOnHost(m_Filter); // an observer of progress may read the output that is being computed
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
        if (isObserved)
        {
          this->DownloadOutputs();
        }
        // Only now: if the device fails before, the run is one on the CPU.
        this->RecordRun(std::move(report));
        DropInState::NoteRunOnDevice();
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
  const bool isFirstFailure = isFailure && DropInState::NoteFailure(error.what());
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
      try
      {
        DownloadPixels(*holder);
      }
      catch (const DeviceError & error)
      {
        DiscardLostPixels(*it.GetInput());
        this->CheckFallback(error);
        PrepareToComputeAgain(*it.GetInput(), error.what());
        it.GetInput()->UpdateOutputData(); // on the CPU
        holder->MakeHostValid();
      }
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
