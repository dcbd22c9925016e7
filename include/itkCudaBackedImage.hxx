// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBackedImage_hxx
#define itkCudaBackedImage_hxx

#include "itkCudaBackedImage.h"
#include "CudaFilters/DeviceError.h"
#include "CudaFilters/Execution.h"
#include "CudaFilters/detail/ScopedValue.h"
#include "itkCudaInterface.h"
#include <algorithm>

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
TPixel *
CudaBackedImage<TPixel, VImageDimension>::GetBufferPointer()
{
  // Many callers request a non-const pointer but only read. If host access is not tracked, the device copy therefore
  // stays valid here.
  CudaPixelContainer * const container = this->GetCudaPixelContainer();
  if (container != nullptr && m_HostAccessTracked)
  {
    return container->GetBufferPointer();
  }
  this->MakeHostValid();
  return Superclass::GetBufferPointer();
}

template <typename TPixel, unsigned int VImageDimension>
const TPixel *
CudaBackedImage<TPixel, VImageDimension>::GetBufferPointer() const
{
  this->MakeHostValid();
  return Superclass::GetBufferPointer();
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
  const std::string           why = process->GetWhyNotOnDevice();
  if (container == nullptr)
  {
    itkExceptionMacro(<< "The pixel container is not a CudaImportImageContainer");
  }
  if (device < 0 && !why.empty())
  {
    itkExceptionMacro(<< "No device is available for the pixels: " << why);
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
    return container->ShareOnDevice(*execution, m_HostAccessTracked);
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
void
CudaBackedImage<TPixel, VImageDimension>::DiscardDevice()
{
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
}

template <typename TPixel, unsigned int VImageDimension>
auto
CudaBackedImage<TPixel, VImageDimension>::GetPixelContainer() -> PixelContainer *
{
  this->GetBufferPointer();
  return Superclass::GetPixelContainer();
}

template <typename TPixel, unsigned int VImageDimension>
auto
CudaBackedImage<TPixel, VImageDimension>::GetPixelContainer() const -> const PixelContainer *
{
  this->MakeHostValid();
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
  this->RenewContainer();
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
  const CudaFilters::ScopedValue<bool> generated(m_IsGenerated, true);
  Superclass::DataHasBeenGenerated();
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::Update()
{
  {
    const CudaFilters::ScopedValue<bool> updating(m_IsUpdating, true);
    Superclass::Update();
  }
  if (!m_HostAccessTracked)
  {
    // From now on the application can write the host pixels without notice, so that the device copy cannot be used
    // again.
    this->SetHostModified();
  }
}

template <typename TPixel, unsigned int VImageDimension>
void
CudaBackedImage<TPixel, VImageDimension>::UpdateOutputData()
{
  const bool isReadOnDevice = this->ConsumeDeviceReadAnnouncement();
  const bool isHostWanted = !isReadOnDevice && !(m_IsUpdating && m_HostAccessTracked);
  {
    const CudaFilters::ScopedValue<bool> wanted(m_IsHostWanted, isHostWanted);
    Superclass::UpdateOutputData();
  }
  if (isHostWanted)
  {
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
