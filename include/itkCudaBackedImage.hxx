// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBackedImage_hxx
#define itkCudaBackedImage_hxx

#include "itkCudaBackedImage.h"
#include "CudaFilters/DeviceError.h"
#include "CudaFilters/Execution.h"
#include "CudaFilters/detail/LostPixels.h"
#include "CudaFilters/detail/ScopedValue.h"
#include "itkCudaInterface.h"
#include "itkProcessObject.h"
#include <algorithm>
#include <utility>

namespace itk
{
template <typename TPixel, unsigned int VImageDimension>
CudaBackedImage<TPixel, VImageDimension>::CudaBackedImage()
{
  this->RenewContainer();
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::RenewContainer()
{
  const CudaFilters::ScopedValue<bool> quiet(m_IsQuiet, true);
  this->SetPixelContainer(CudaPixelContainer::New());
}

template <typename TPixel, unsigned int VImageDimension>
auto
CudaBackedImage<TPixel, VImageDimension>::GetCudaPixelContainer() -> CudaPixelContainer *
{
  return CudaPixelContainer::Cast(Superclass::GetPixelContainer());
}

template <typename TPixel, unsigned int VImageDimension>
auto
CudaBackedImage<TPixel, VImageDimension>::GetCudaPixelContainer() const -> const CudaPixelContainer *
{
  return CudaPixelContainer::Cast(Superclass::GetPixelContainer());
}

template <typename TPixel, unsigned int VImageDimension>
const TPixel *
CudaBackedImage<TPixel, VImageDimension>::GetBufferPointer() const
{
  if (!m_IsAccessedOnHost.load(std::memory_order_relaxed))
  {
    m_IsAccessedOnHost.store(true, std::memory_order_relaxed);
  }
  this->MakeHostValid();
  return Superclass::GetBufferPointer();
}

template <typename TPixel, unsigned int VImageDimension>
const TPixel *
CudaBackedImage<TPixel, VImageDimension>::GetReadPointer() const
{
  const CudaPixelContainer * const container = this->GetCudaPixelContainer();
  return container == nullptr ? Superclass::GetBufferPointer() : container->GetReadPointer();
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::MakeHostValid() const
{
  if (const CudaPixelContainer * const container = this->GetCudaPixelContainer())
  {
    container->GetBufferPointer();
  }
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::SetHostModified()
{
  if (CudaPixelContainer * const container = this->GetCudaPixelContainer())
  {
    container->SetHostModified();
  }
}

template <typename TPixel, unsigned int VImageDimension>
CudaSharedPixels::Pointer
CudaBackedImage<TPixel, VImageDimension>::ShareOnDevice()
{
  CudaPixelContainer * const  container = this->GetCudaPixelContainer();
  const CudaInterface * const process = CudaInterface::GetDefault();
  const int                   device = this->GetDeviceNumber();
  if (container == nullptr)
  {
    itkExceptionMacro(<< "The pixel container is not a CudaImportImageContainer");
  }
  if (device < 0)
  {
    const std::string why = process->GetWhyNotOnDevice();
    if (!why.empty())
    {
      itkExceptionMacro(<< "No device is available for the pixels: " << why);
    }
  }
  if (this->GetBufferedRegion().GetNumberOfPixels() == 0)
  {
    itkExceptionMacro(<< "The buffered region is empty");
  }
  try
  {
    CudaFilters::ExecutionSettings settings = process->GetExecutionSettings();
    if (device >= 0 && device != process->GetDeviceNumber())
    {
      settings.Stream = nullptr;
    }
    const auto execution = CudaFilters::MakeExecution(device < 0 ? process->GetDeviceNumber() : device, settings);
    return container->ShareOnDevice(*execution);
  }
  catch (const CudaFilters::DeviceError & error)
  {
    itkExceptionMacro(<< error.what());
  }
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::AdoptFromDevice(const CudaSharedPixels * pixels)
{
  const SizeValueType bytes = this->GetBufferedRegion().GetNumberOfPixels() * sizeof(TPixel);
  if (pixels == nullptr || pixels->GetNumberOfBytes() != bytes || bytes == 0)
  {
    itkExceptionMacro(<< "The image has " << bytes << " bytes, the memory "
                      << (pixels == nullptr ? 0 : pixels->GetNumberOfBytes()));
  }
  if (pixels->GetPointer() % alignof(TPixel) != 0)
  {
    itkExceptionMacro(<< "The memory begins at an address that is not a multiple of " << alignof(TPixel)
                      << ", the alignment of a pixel");
  }
  const auto container = CudaPixelContainer::New();
  container->AdoptFromDevice(pixels);
  const CudaFilters::ScopedValue<bool> generated(m_IsGenerated, true);
  this->SetPixelContainer(container);
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::SetDeviceModified()
{
  if (CudaPixelContainer * const container = this->GetCudaPixelContainer())
  {
    container->SetDeviceModified();
    const CudaFilters::ScopedValue<bool> generated(m_IsGenerated, true);
    this->Modified();
  }
}

template <typename TPixel, unsigned int VImageDimension>
int
CudaBackedImage<TPixel, VImageDimension>::GetDeviceNumber() const
{
  const CudaPixelContainer * const container = this->GetCudaPixelContainer();
  return container == nullptr ? -1 : container->GetDeviceNumber();
}

template <typename TPixel, unsigned int VImageDimension>
bool
CudaBackedImage<TPixel, VImageDimension>::IsReadyOnDevice(std::uint64_t tick) const
{
  const CudaPixelContainer * const container = this->GetCudaPixelContainer();
  return container != nullptr && container->IsReadyOnDevice(container->GetDeviceNumber(), tick);
}

template <typename TPixel, unsigned int VImageDimension>
bool
CudaBackedImage<TPixel, VImageDimension>::IsHostVisible() const
{
  const CudaPixelContainer * const container = this->GetCudaPixelContainer();
  return container == nullptr || container->IsHostVisible();
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::DiscardDevice()
{
  m_IsComputedOnDevice = false;
  if (CudaPixelContainer * const container = this->GetCudaPixelContainer())
  {
    container->DiscardDevice();
  }
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::FillBuffer(const TPixel & value)
{
  std::fill_n(this->GetBufferPointer(), this->GetBufferedRegion().GetNumberOfPixels(), value);
  this->SetHostModified();
}

template <typename TPixel, unsigned int VImageDimension>
auto
CudaBackedImage<TPixel, VImageDimension>::GetPixelContainer() -> PixelContainer *
{
  static_cast<const Self *>(this)->GetBufferPointer();
  return Superclass::GetPixelContainer();
}

template <typename TPixel, unsigned int VImageDimension>
auto
CudaBackedImage<TPixel, VImageDimension>::GetPixelContainer() const -> const PixelContainer *
{
  this->GetBufferPointer();
  return Superclass::GetPixelContainer();
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::Allocate(bool initializePixels)
{
  Superclass::Allocate(initializePixels);
  this->SetHostModified();
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::Initialize()
{
  Superclass::Initialize();
  m_DiscardedRegion.reset();
  this->RenewContainer();
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::SetBufferedRegion(const RegionType & region)
{
  const bool                           isRestored = m_DiscardedRegion && *m_DiscardedRegion == region;
  const CudaFilters::ScopedValue<bool> quiet(m_IsQuiet, m_IsQuiet || isRestored);
  m_DiscardedRegion.reset();
  Superclass::SetBufferedRegion(region);
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::Graft(const Superclass * image)
{
  const bool isBacked = dynamic_cast<const Self *>(image) != nullptr;
  {
    const CudaFilters::ScopedValue<bool> generated(m_IsGenerated, isBacked);
    Superclass::Graft(image);
  }
  if (!isBacked)
  {
    // A plain image does not report write access to the container.
    this->SetHostModified();
  }
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::Graft(const DataObject * data)
{
  Superclass::Graft(data);
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::Modified() const
{
  if (m_CpuContainer != nullptr && Superclass::GetPixelContainer() != m_CpuContainer)
  {
    m_CpuContainer = nullptr; // a new container may get its address
  }
  if (m_IsQuiet)
  {
    return;
  }
  if (!m_IsGenerated)
  {
    const_cast<Self *>(this)->SetHostModified();
  }
  Superclass::Modified();
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::DataHasBeenGenerated()
{
  // If a device has computed the pixels and nobody could write them on the host since, the device copy stays valid.
  const bool isOnDevice = std::exchange(m_IsComputedOnDevice, false);
  if (!isOnDevice || m_IsAccessedOnHost || this->MayHaveBeenWrittenByObserver())
  {
    this->SetHostModified();
  }
  const bool isObserved = this->HasObserver(ModifiedEvent());
  {
    const CudaFilters::ScopedValue<bool> generated(m_IsGenerated, true);
    Superclass::DataHasBeenGenerated();
  }
  if (isObserved)
  {
    this->SetHostModified(); // the observer may have written the pixels
  }
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::BeforeCpuRun()
{
  m_HasOwnContainer = this->GetCudaPixelContainer() != nullptr || Superclass::GetPixelContainer() == m_CpuContainer;
  // A filter inside the CPU filter may share the container since its last run, and a device may have written there. It
  // computes again if it finds no buffered pixels.
  this->DiscardPixels();
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::DiscardPixels()
{
  this->DiscardDevice();
  const RegionType                     discarded = m_DiscardedRegion.value_or(this->GetBufferedRegion());
  const CudaFilters::ScopedValue<bool> quiet(m_IsQuiet, true); // an observer of the image must not be called now
  this->SetBufferedRegion(RegionType());
  m_DiscardedRegion = discarded;
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::LeaveContainerOf(const DataObject & input)
{
  if (this->HasContainerOf(input))
  {
    this->RenewContainer();
  }
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::LeaveSharedContainer()
{
  if (this->GetCudaPixelContainer() == nullptr || Superclass::GetPixelContainer()->GetReferenceCount() > 1)
  {
    this->RenewContainer();
  }
}

template <typename TPixel, unsigned int VImageDimension>
bool
CudaBackedImage<TPixel, VImageDimension>::HasContainerOf(const DataObject & other) const
{
  const auto * const image = dynamic_cast<const Superclass *>(&other);
  return image != nullptr && image->Superclass::GetPixelContainer() == Superclass::GetPixelContainer();
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::AfterCpuRun()
{
  m_CpuContainer =
    m_HasOwnContainer && this->GetCudaPixelContainer() == nullptr ? Superclass::GetPixelContainer() : nullptr;
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::KeepContainerOf(const DataObject & input)
{
  if (this->HasContainerOf(input))
  {
    m_CpuContainer = nullptr;
  }
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::BeforeDeviceRun()
{
  if (m_CpuContainer != nullptr && Superclass::GetPixelContainer() == m_CpuContainer)
  {
    this->RenewContainer();
  }
  m_CpuContainer = nullptr;
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::SetComputedOnDevice()
{
  m_IsComputedOnDevice = true;
  m_IsAccessedOnHost = false;
}

template <typename TPixel, unsigned int VImageDimension>
bool
CudaBackedImage<TPixel, VImageDimension>::MayHaveBeenWrittenByObserver() const
{
  const auto source = this->GetSource();
  return source && (source->HasObserver(EndEvent()) || source->HasObserver(ProgressEvent()));
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::Update()
{
  {
    const CudaFilters::ScopedValue<bool> updating(m_IsUpdating, true);
    Superclass::Update();
  }
  // If the host pixels are visible, the application can write them without notice from now on, so that the device copy
  // cannot be used again.
  this->SetHostModified();
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::UpdateOutputData()
{
  const bool isReadOnDevice = this->ConsumeDeviceReadAnnouncement();
  const bool isHostWanted = !isReadOnDevice && !(m_IsUpdating && m_HostAccessTracked);
  if (!this->GetSource())
  {
    // Without a source, nothing reads these members. They are not written, since several threads may read the image.
    Superclass::UpdateOutputData();
    if (isHostWanted)
    {
      this->MakeHostValid();
    }
    return;
  }
  const CudaFilters::ScopedValue<bool> wanted(m_IsHostWanted, isHostWanted);
  const CudaFilters::ScopedValue<bool> read(m_IsReadOnDevice, isReadOnDevice);
  Superclass::UpdateOutputData();
  if (isHostWanted)
  {
    CudaFilters::DownloadOrComputeAgain(
      *this,
      [this] { CudaFilters::DownloadPixels(*this); },
      [](const CudaFilters::DeviceError &) {}, // the source decides whether it computes again
      [this] { this->Superclass::UpdateOutputData(); });
    this->MakeHostValid();
  }
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  os << indent << "HostAccessTracked: " << (m_HostAccessTracked ? "On" : "Off") << std::endl;
}
} // namespace itk

#endif
