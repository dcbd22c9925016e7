// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaAcceleratedImageFilter_hxx
#define itkCudaAcceleratedImageFilter_hxx

#include "itkCudaAcceleratedImageFilter.h"
#include "CudaFilters/DeviceError.h"
#include "itkInputDataObjectIterator.h"
#include "itkOutputDataObjectIterator.h"
#include <algorithm>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** The image that a filter makes for an output of the given type. */
template <typename TImage>
struct OutputImageMaker
{
  static DataObject::Pointer
  Make()
  {
    return TImage::New().GetPointer();
  }
};

template <typename TPixel, unsigned int VDimension>
struct OutputImageMaker<Image<TPixel, VDimension>>
{
  static DataObject::Pointer
  Make()
  {
    if constexpr (std::is_trivially_copyable<TPixel>::value)
    {
      auto image = CudaBackedImage<TPixel, VDimension>::New();
      image->SetHostAccessTracked(false);
      return image.GetPointer();
    }
    else
    {
      return Image<TPixel, VDimension>::New().GetPointer();
    }
  }
};
} // namespace CudaFilters

template <typename TParent>
CudaAcceleratedImageFilter<TParent>::CudaAcceleratedImageFilter()
{
  // The constructor of ImageSource made an output too, but could not yet call this class's MakeOutput().
  this->SetNthOutput(0, this->Self::MakeOutput(0));
}

template <typename TParent>
CudaAcceleratedImageFilter<TParent>::~CudaAcceleratedImageFilter()
{
  // An output that somebody keeps will be read without an Update() to prepare it.
  this->ForEachOutput([](CudaPixelHolder & holder, const DataObject & object) {
    if (object.GetReferenceCount() > 1)
    {
      try
      {
        holder.MakeHostValidUnlessTracked();
      }
      catch (const ExceptionObject & error)
      {
        itkGenericOutputMacro(<< "Pixels were lost with their filter: " << error.GetDescription());
      }
    }
  });
}

template <typename TParent>
template <typename TVisit>
void
CudaAcceleratedImageFilter<TParent>::ForEachInput(TVisit visit)
{
  for (InputDataObjectIterator it(this); !it.IsAtEnd(); ++it)
  {
    if (auto * const holder = dynamic_cast<CudaPixelHolder *>(it.GetInput()))
    {
      visit(*holder);
    }
  }
}

template <typename TParent>
template <typename TVisit>
void
CudaAcceleratedImageFilter<TParent>::ForEachOutput(TVisit visit)
{
  for (OutputDataObjectIterator it(this); !it.IsAtEnd(); ++it)
  {
    if (auto * const holder = dynamic_cast<CudaPixelHolder *>(it.GetOutput()))
    {
      visit(*holder, *it.GetOutput());
    }
  }
}

template <typename TParent>
CudaInterface *
CudaAcceleratedImageFilter<TParent>::GetCudaInterface() const
{
  return m_CudaInterface ? m_CudaInterface.GetPointer() : CudaInterface::GetDefault();
}

template <typename TParent>
ModifiedTimeType
CudaAcceleratedImageFilter<TParent>::GetMTime() const
{
  const ModifiedTimeType time = Superclass::GetMTime();
  return m_CudaInterface ? std::max(time, m_CudaInterface->GetMTime()) : time;
}

template <typename TParent>
auto
CudaAcceleratedImageFilter<TParent>::MakeOutput(DataObjectPointerArraySizeType index) -> DataObjectPointer
{
  return index == 0 ? CudaFilters::OutputImageMaker<OutputImageType>::Make() : Superclass::MakeOutput(index);
}

template <typename TParent>
auto
CudaAcceleratedImageFilter<TParent>::MakeOutput(const DataObjectIdentifierType & name) -> DataObjectPointer
{
  return this->IsIndexedOutputName(name) ? this->MakeOutput(this->MakeIndexFromOutputName(name))
                                         : Superclass::MakeOutput(name);
}

template <typename TParent>
void
CudaAcceleratedImageFilter<TParent>::SetOutput(const DataObjectIdentifierType & name, DataObject * output)
{
  // DataObject::DisconnectPipeline() comes by here, too: the image will be read without an Update() to prepare it.
  DataObject * const former = this->ProcessObject::GetOutput(name);
  if (auto * const holder = dynamic_cast<CudaPixelHolder *>(former))
  {
    if (former != output)
    {
      holder->MakeHostValidUnlessTracked();
    }
  }
  Superclass::SetOutput(name, output);
}

template <typename TParent>
void
CudaAcceleratedImageFilter<TParent>::UpdateOutputInformation()
{
  m_InformationTick = CudaFilters::GetNextTick();
  Superclass::UpdateOutputInformation();
}

template <typename TParent>
void
CudaAcceleratedImageFilter<TParent>::UpdateOutputData(DataObject * output)
{
  bool mayAnnounce = this->GetWhyNotOnDevice().empty();
  if (mayAnnounce && this->GetNumberOfInputs() > 1)
  {
    // A CPU filter upstream of one input may read another, and must not take the announcement for its own. So each
    // input is updated by itself first, as the superclass does; then nothing upstream runs any more.
    for (InputDataObjectIterator it(this); !it.IsAtEnd(); ++it)
    {
      CudaDeviceReaders readers;
      if (auto * const holder = dynamic_cast<CudaPixelHolder *>(it.GetInput()))
      {
        readers.Add(*holder);
      }
      if (it.GetInput() != nullptr)
      {
        it.GetInput()->PropagateRequestedRegion();
        it.GetInput()->UpdateOutputData();
      }
    }
    for (InputDataObjectIterator it(this); !it.IsAtEnd(); ++it)
    {
      DataObject * const input = it.GetInput();
      mayAnnounce = mayAnnounce && (input == nullptr || (input->GetUpdateMTime() >= input->GetPipelineMTime() &&
                                                         !input->GetDataReleased() &&
                                                         !input->RequestedRegionIsOutsideOfTheBufferedRegion()));
    }
  }

  CudaDeviceReaders readers;
  if (mayAnnounce)
  {
    this->ForEachInput([&readers](CudaPixelHolder & holder) { readers.Add(holder); });
  }
  Superclass::UpdateOutputData(output);

  // Who reads one output on the host may read the others, too, without an Update() of theirs.
  const auto * const asked = dynamic_cast<const CudaPixelHolder *>(output);
  if (asked != nullptr && asked->IsHostWanted())
  {
    this->ForEachOutput([](CudaPixelHolder & holder, const DataObject &) { holder.MakeHostValidUnlessTracked(); });
  }
}

template <typename TParent>
std::string
CudaAcceleratedImageFilter<TParent>::GetWhyNotOnDevice() const
{
  const std::string why = this->GetCudaInterface()->GetWhyNotOnDevice();
  return why.empty() ? this->GetWhyNoKernel() : why;
}

template <typename TParent>
void
CudaAcceleratedImageFilter<TParent>::GenerateData()
{
  m_ExecutedOn.clear();
  m_ExecutedOnDevice = false;
  m_StageTimes.clear();

  try
  {
    this->GenerateDataSomewhere();
  }
  catch (...)
  {
    // What there is now is neither the old nor the new: the next update is to run again.
    for (OutputDataObjectIterator it(this); !it.IsAtEnd(); ++it)
    {
      it.GetOutput()->ReleaseData();
    }
    throw;
  }
}

template <typename TParent>
void
CudaAcceleratedImageFilter<TParent>::GenerateDataSomewhere()
{
  const bool  isForced = this->GetCudaInterface()->GetBackend() == CudaBackendEnum::CUDA;
  std::string whyNot = this->GetWhyNotOnDevice();
  if (whyNot.empty())
  {
    try
    {
      this->GenerateDataOnDevice();
      return;
    }
    catch (const CudaFilters::DeviceError & error)
    {
      using Kind = CudaFilters::DeviceError::Kind;
      if (error.GetKind() == Kind::Failure || (isForced && error.GetKind() != Kind::BadInput))
      {
        itkExceptionMacro(<< error.what());
      }
      if (error.IsOutOfMemory())
      {
        itkWarningMacro("Runs on the CPU: " << error.what());
      }
      whyNot = error.what();
    }
  }
  else if (isForced)
  {
    itkExceptionMacro("The backend CUDA was asked for, but " << whyNot);
  }
  this->GenerateDataOnHost(whyNot);
}

template <typename TParent>
void
CudaAcceleratedImageFilter<TParent>::GenerateDataOnHost(const std::string & why)
{
  this->ForEachInput([](CudaPixelHolder & holder) { holder.MakeHostValid(); });
  this->ForEachOutput([](CudaPixelHolder & holder, const DataObject &) { holder.DiscardDevice(); });
  Superclass::GenerateData();
  m_ExecutedOn = "CPU (" + why + ")";
}

template <typename TParent>
void
CudaAcceleratedImageFilter<TParent>::UpdateProgressOrAbort(float progress)
{
  this->UpdateProgress(progress);
  if (this->GetAbortGenerateData())
  {
    ProcessAborted aborted(__FILE__, __LINE__);
    aborted.SetLocation(ITK_LOCATION);
    aborted.SetDescription(std::string(this->GetNameOfClass()) + ": AbortGenerateData was set!");
    throw aborted;
  }
}

template <typename TParent>
void
CudaAcceleratedImageFilter<TParent>::SetExecutedOnDevice(int device, const std::string & how)
{
  m_ExecutedOn = CudaInterface::GetDeviceName(device) + " (device " + std::to_string(device) + ")";
  if (!how.empty())
  {
    m_ExecutedOn += ", " + how;
  }
  m_ExecutedOnDevice = true;
}

template <typename TParent>
void
CudaAcceleratedImageFilter<TParent>::AppendStageTimes(const StageTimes & times)
{
  // A stage that was gone through for each of several parts of the image is still one stage.
  for (const CudaFilters::StageTime & time : times)
  {
    const auto same = std::find_if(
      m_StageTimes.begin(), m_StageTimes.end(), [&time](const auto & other) { return other.Name == time.Name; });
    if (same == m_StageTimes.end())
    {
      m_StageTimes.push_back(time);
    }
    else
    {
      same->Milliseconds += time.Milliseconds;
    }
  }
}

template <typename TParent>
void
CudaAcceleratedImageFilter<TParent>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  os << indent << "CudaInterface: " << (m_CudaInterface ? "" : "the process's default") << std::endl;
  this->GetCudaInterface()->Print(os, indent.GetNextIndent());
  os << indent << "ExecutedOn: " << m_ExecutedOn << std::endl;
  for (const CudaFilters::StageTime & stage : m_StageTimes)
  {
    os << indent.GetNextIndent() << stage.Name << ": " << stage.Milliseconds << " ms" << std::endl;
  }
}
} // namespace itk

#endif
