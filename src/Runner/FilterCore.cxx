// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/FilterCore.h"
#include "CudaFilters/DeviceError.h"
#include "Runner.h"
#include "itkCudaPixelHolder.h"
#include "itkInputDataObjectIterator.h"
#include "itkOutputDataObjectIterator.h"
#include <algorithm>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** The images of a filter that may have pixels on the device. */
std::vector<CudaPixelHolder *>
GetInputHolders(ProcessObject & filter)
{
  std::vector<CudaPixelHolder *> holders;
  for (InputDataObjectIterator it(&filter); !it.IsAtEnd(); ++it)
  {
    if (auto * const holder = dynamic_cast<CudaPixelHolder *>(it.GetInput()))
    {
      holders.push_back(holder);
    }
  }
  return holders;
}

std::vector<CudaPixelHolder *>
GetOutputHolders(ProcessObject & filter)
{
  std::vector<CudaPixelHolder *> holders;
  for (OutputDataObjectIterator it(&filter); !it.IsAtEnd(); ++it)
  {
    if (auto * const holder = dynamic_cast<CudaPixelHolder *>(it.GetOutput()))
    {
      holders.push_back(holder);
    }
  }
  return holders;
}

bool
IsUpToDate(DataObject * input)
{
  return input == nullptr || (input->GetUpdateMTime() >= input->GetPipelineMTime() && !input->GetDataReleased() &&
                              !input->RequestedRegionIsOutsideOfTheBufferedRegion());
}

/** Throws as itkExceptionMacro does in the filter. */
[[noreturn]] void
ThrowFor(const ProcessObject & filter, const std::string & description)
{
  std::ostringstream message;
  message << "itk::ERROR: " << filter.GetNameOfClass() << "(" << &filter << "): " << description;
  throw ExceptionObject(__FILE__, __LINE__, message.str(), ITK_LOCATION);
}
} // namespace

FilterCore::FilterCore(ProcessObject & filter)
  : m_Filter(filter)
{}

FilterCore::~FilterCore() = default;

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

std::string
FilterCore::GetReasonForCPU(const ReasonFunction & getUnsupportedReason) const
{
  const std::string reason = this->GetCudaInterface()->GetWhyNotOnDevice();
  return reason.empty() ? getUnsupportedReason() : reason;
}

void
FilterCore::BeginUpdate()
{
  m_UpdateTick = GetNextTick();
}

void
FilterCore::UpdateOutputData(DataObject * output, bool runsOnDevice, const std::function<void()> & updateBySuperclass)
{
  bool mayAnnounce = runsOnDevice;
  if (mayAnnounce && m_Filter.GetNumberOfInputs() > 1)
  {
    // A CPU filter upstream of one input may read another one, and must not take the announcement for its own. So each
    // input is updated by itself first, as the superclass does; then nothing upstream runs any more.
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
    for (InputDataObjectIterator it(&m_Filter); !it.IsAtEnd(); ++it)
    {
      mayAnnounce = mayAnnounce && IsUpToDate(it.GetInput());
    }
  }

  CudaDeviceReadScope scope;
  if (mayAnnounce)
  {
    for (CudaPixelHolder * const holder : GetInputHolders(m_Filter))
    {
      scope.Add(*holder);
    }
  }
  updateBySuperclass();

  // A caller that reads one output on the host may read the others, too, without an Update() of theirs.
  const auto * const requested = dynamic_cast<const CudaPixelHolder *>(output);
  if (requested != nullptr && requested->IsHostWanted())
  {
    for (const CudaPixelHolder * const holder : GetOutputHolders(m_Filter))
    {
      holder->MakeHostValidUnlessTracked();
    }
  }
}

void
FilterCore::GenerateData(const ReasonFunction &        getUnsupportedReason,
                         const std::function<void()> & generateOnDevice,
                         const std::function<void()> & generateOnCPU)
{
  m_ExecutedOn.clear();
  m_ExecutedOnDevice = false;
  m_StageTimes.clear();
  try
  {
    this->GenerateOnDeviceOrCPU(getUnsupportedReason, generateOnDevice, generateOnCPU);
  }
  catch (...)
  {
    // The outputs hold neither the old nor the new pixels: the next update must run again.
    for (OutputDataObjectIterator it(&m_Filter); !it.IsAtEnd(); ++it)
    {
      it.GetOutput()->ReleaseData();
    }
    throw;
  }
}

void
FilterCore::GenerateOnDeviceOrCPU(const ReasonFunction &        getUnsupportedReason,
                                  const std::function<void()> & generateOnDevice,
                                  const std::function<void()> & generateOnCPU)
{
  const bool  isForced = this->GetCudaInterface()->GetBackend() == CudaBackendEnum::CUDA;
  std::string reason = this->GetReasonForCPU(getUnsupportedReason);
  if (reason.empty())
  {
    try
    {
      generateOnDevice();
      return;
    }
    catch (const DeviceError & error)
    {
      using Kind = DeviceError::Kind;
      if (error.GetKind() == Kind::Failure || (isForced && error.GetKind() != Kind::BadInput))
      {
        ThrowFor(m_Filter, error.what());
      }
      if (error.IsOutOfMemory() && Object::GetGlobalWarningDisplay())
      {
        std::ostringstream warning;
        warning << "WARNING: In " << m_Filter.GetNameOfClass() << " (" << &m_Filter
                << "): Runs on the CPU: " << error.what() << "\n\n";
        OutputWindowDisplayWarningText(warning.str().c_str());
      }
      reason = error.what();
    }
  }
  else if (isForced)
  {
    ThrowFor(m_Filter, "The backend CUDA was asked for, but " + reason);
  }

  for (const CudaPixelHolder * const holder : GetInputHolders(m_Filter))
  {
    holder->MakeHostValid();
  }
  for (CudaPixelHolder * const holder : GetOutputHolders(m_Filter))
  {
    holder->DiscardDevice();
  }
  generateOnCPU();
  m_ExecutedOn = "CPU (" + reason + ")";
}

void
FilterCore::Run(Operation & operation, const ImageList & images)
{
  Runner    runner(operation, images, *this->GetCudaInterface(), m_UpdateTick, [this](float progress) {
    this->ReportProgress(progress);
  });
  RunReport report = runner.Run();

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
      catch (const ExceptionObject & error)
      {
        itkGenericOutputMacro(<< "Pixels were lost with their filter: " << error.GetDescription());
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
