// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/FilterCore.h"
#include "CudaFilters/DeviceError.h"
#include "Runner.h"
#include "../PixelMemory/PlainUploads.h"
#include "itkCudaPixelHolder.h"
#include "itkInputDataObjectIterator.h"
#include "itkOutputDataObjectIterator.h"
#include "itkStreamingProcessObject.h"
#include <algorithm>

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
  bool mayAnnounce = runsOnDevice;
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
  }
}

void
FilterCore::GenerateData(const ReasonFunction &        getUnsupportedReason,
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
    std::string reason = this->GetReasonForCPU(getUnsupportedReason);
    if (reason.empty())
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
        Runner runner(*operation, images, *this->GetCudaInterface(), m_UpdateTick, [this](float progress) {
          this->ReportProgress(progress);
        });
        this->RecordRun(runner.Run());
        return;
      }
      catch (const DeviceError & error)
      {
        this->CheckFallback(error);
        reason = error.what();
      }
    }
    else if (this->GetCudaInterface()->GetBackend() == CudaBackendEnum::CUDA)
    {
      ThrowFor(m_Filter, "The backend CUDA was asked for, but " + reason);
    }
    this->GenerateOnCPU(generateOnCPU);
    m_ExecutedOn = "CPU (" + reason + ")";
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
}

void
FilterCore::GenerateOnCPU(const std::function<void()> & generateOnCPU) const
{
  for (const CudaPixelHolder * const holder : FindHolders(m_Filter.GetInputs()))
  {
    holder->MakeHostValid();
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
