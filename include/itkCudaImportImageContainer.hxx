// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaImportImageContainer_hxx
#define itkCudaImportImageContainer_hxx

#include "itkCudaImportImageContainer.h"
#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace itk
{
template <typename TElementIdentifier, typename TElement>
CudaImportImageContainer<TElementIdentifier, TElement>::~CudaImportImageContainer()
{
  // The destructor of the superclass calls only its own version of this virtual method.
  this->Self::DeallocateManagedMemory();
}

template <typename TElementIdentifier, typename TElement>
TElement *
CudaImportImageContainer<TElementIdentifier, TElement>::GetBufferPointer()
{
  if (!m_IsHostReady.load(std::memory_order_acquire))
  {
    this->MakeHostVisible();
  }
  return this->GetVisibleHost();
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::MakeHostVisible()
{
  const Lock lock(m_Mutex);
  this->MakeHostReadable();
  if (this->GetVisibleHost() == nullptr && m_IsPrivateHostValid)
  {
    this->ShowPrivateHost();
  }
  if (this->GetVisibleHost() == nullptr && m_ExpectedSize > 0)
  {
    this->GetHostMemory(m_ExpectedSize);
    this->SetSize(m_ExpectedSize);
    this->ShowPrivateHost();
  }
  m_IsHostReady.store(this->GetVisibleHost() != nullptr && this->IsHostValid(), std::memory_order_release);
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::ShowPrivateHost()
{
  this->Superclass::SetImportPointer(std::exchange(m_PrivateHost, nullptr));
  this->SetCapacity(m_PrivateCapacity);
  m_IsVisibleHostStale = !std::exchange(m_IsPrivateHostValid, false);
  if (m_DevicePixels.IsValid() && !m_IsVisibleHostStale)
  {
    m_DevicePixels.NoteEquality(); // nobody could write the host pixels before
  }
  if (!this->GetContainerManageMemory())
  {
    CudaFilters::HandOverHostPixels(this->GetVisibleHost());
  }
}

template <typename TElementIdentifier, typename TElement>
const TElement *
CudaImportImageContainer<TElementIdentifier, TElement>::MakeHostReadable() const
{
  const Lock lock(m_Mutex);
  if (!this->IsHostValid() && m_DevicePixels.IsValid())
  {
    const bool isVisible = this->GetVisibleHost() != nullptr;
    this->Download(this->GetHostMemory(this->Size()), this->GetSizeInBytes());
    m_IsVisibleHostStale = false;
    m_IsPrivateHostValid = m_PrivateHost != nullptr;
    if (isVisible && m_IsPrivateHostValid)
    {
      const_cast<Self *>(this)->ShowPrivateHost(); // the visible memory was too small
    }
  }
  if (this->IsHostValid())
  {
    m_ReadPointer.store(m_PrivateHost != nullptr ? m_PrivateHost : this->GetVisibleHost(), std::memory_order_release);
  }
  return m_ReadPointer;
}

template <typename TElementIdentifier, typename TElement>
TElement *
CudaImportImageContainer<TElementIdentifier, TElement>::GetHostMemory(ElementIdentifier size) const
{
  TElement * const visible = this->GetVisibleHost();
  if (visible != nullptr && this->Capacity() >= size)
  {
    return visible;
  }
  auto * const self = const_cast<Self *>(this);
  if (visible != nullptr)
  {
    if (this->GetContainerManageMemory())
    {
      FreeHost(visible);
    }
    self->Superclass::SetImportPointer(nullptr);
    self->Superclass::SetContainerManageMemory(true);
  }
  else if (m_PrivateHost != nullptr && m_PrivateCapacity < size)
  {
    FreeHost(std::exchange(m_PrivateHost, nullptr));
  }
  if (m_PrivateHost == nullptr)
  {
    m_PrivateHost = this->AllocateHost(size);
    m_PrivateCapacity = size;
  }
  return m_PrivateHost;
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::Download(TElement * host, std::size_t bytes) const
{
  try
  {
    m_DevicePixels.Download(host, bytes);
  }
  catch (const CudaFilters::DeviceError & error)
  {
    itkExceptionMacro(<< error.what());
  }
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::SetHostStale() const
{
  m_ReadPointer = nullptr;
  const_cast<Self *>(this)->m_IsHostReady = false;
  m_IsPrivateHostValid = false;
  m_IsVisibleHostStale = this->GetVisibleHost() != nullptr;
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::Reserve(ElementIdentifier size, bool useDefaultConstructor)
{
  const Lock lock(m_Mutex);
  this->GetBufferPointer();
  m_DevicePixels.Release();
  Superclass::Reserve(size, useDefaultConstructor);
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::Squeeze()
{
  const Lock lock(m_Mutex);
  this->GetBufferPointer();
  Superclass::Squeeze();
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::Initialize()
{
  this->DeallocateManagedMemory();
  this->Superclass::SetContainerManageMemory(true);
  this->Modified();
}

template <typename TElementIdentifier, typename TElement>
CudaPixelSideEnum
CudaImportImageContainer<TElementIdentifier, TElement>::GetValidSide() const
{
  const Lock lock(m_Mutex);
  if (m_DevicePixels.IsValid())
  {
    return this->IsHostValid() ? CudaPixelSideEnum::Both : CudaPixelSideEnum::Device;
  }
  return this->IsHostValid() ? CudaPixelSideEnum::Host : CudaPixelSideEnum::None;
}

template <typename TElementIdentifier, typename TElement>
int
CudaImportImageContainer<TElementIdentifier, TElement>::GetDeviceNumber() const
{
  const Lock lock(m_Mutex);
  return m_DevicePixels.GetDevice();
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::SetContainerManageMemory(bool manage)
{
  const Lock lock(m_Mutex);
  if (!manage && this->GetContainerManageMemory() && this->GetVisibleHost() != nullptr)
  {
    CudaFilters::HandOverHostPixels(this->GetVisibleHost());
  }
  Superclass::SetContainerManageMemory(manage);
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::SetHostModified()
{
  ++m_Version;
  if (m_DevicePixels.IsValid()) // fast enough to be called for each pixel
  {
    const Lock lock(m_Mutex);
    if (this->GetVisibleHost() != nullptr && !m_IsVisibleHostStale)
    {
      m_DevicePixels.Release();
    }
  }
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::DiscardDevice()
{
  CudaFilters::DevicePixels      dropped; // destroyed after the mutex is unlocked: calls the owner of shared memory
  CudaSharedPixels::ConstPointer droppedShared;
  const Lock                     lock(m_Mutex);
  dropped.TakeMemory(m_DevicePixels);
  droppedShared.Swap(m_SharedPixels);
  m_IsVisibleHostStale = false; // a run that has prepared a download may have failed
  m_ExpectedSize = 0;
  ++m_Version;
}

template <typename TElementIdentifier, typename TElement>
CudaCopyCounters
CudaImportImageContainer<TElementIdentifier, TElement>::GetCopyCounters() const
{
  const Lock lock(m_Mutex);
  return m_DevicePixels.GetCopyCounters();
}

template <typename TElementIdentifier, typename TElement>
bool
CudaImportImageContainer<TElementIdentifier, TElement>::IsReadyOnDevice(int device, std::uint64_t tick) const
{
  const Lock lock(m_Mutex);
  return m_DevicePixels.IsValid() && m_DevicePixels.GetDevice() == device &&
         m_DevicePixels.GetBytes() == this->GetSizeInBytes() &&
         (this->GetVisibleHost() == nullptr || m_IsVisibleHostStale || m_DevicePixels.GetCopyTick() > tick);
}

template <typename TElementIdentifier, typename TElement>
CudaFilters::DeviceLease
CudaImportImageContainer<TElementIdentifier, TElement>::ReadOnDevice(const CudaFilters::Execution & execution,
                                                                     std::uint64_t                  tick)
{
  const Lock lock(m_Mutex);
  return this->IsReadyOnDevice(CudaFilters::GetDevice(execution), tick) ? m_DevicePixels.Read(execution)
                                                                        : CudaFilters::DeviceLease();
}

template <typename TElementIdentifier, typename TElement>
auto
CudaImportImageContainer<TElementIdentifier, TElement>::BeginUpload(CudaFilters::DevicePixels & pixels) -> HostVersion
{
  const Lock             lock(m_Mutex);
  const TElement * const host = this->MakeHostReadable();
  if (this->GetVisibleHost() != nullptr)
  {
    pixels.TakeMemory(m_DevicePixels);
  }
  return { host, m_Version };
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::AcceptUpload(const CudaFilters::DevicePixels & uploaded,
                                                                     std::uint64_t                     version)
{
  const Lock lock(m_Mutex);
  if (version == m_Version && uploaded.GetBytes() == this->GetSizeInBytes())
  {
    m_DevicePixels.Adopt(uploaded);
    m_IsVisibleHostStale = false;
  }
}

template <typename TElementIdentifier, typename TElement>
CudaFilters::DeviceLease
CudaImportImageContainer<TElementIdentifier, TElement>::WriteOnDevice(const CudaFilters::Execution & execution,
                                                                      SizeValueType                  pixels)
{
  const Lock lock(m_Mutex);
  if (this->GetVisibleHost() == nullptr && !m_DevicePixels.IsValid())
  {
    this->Superclass::SetContainerManageMemory(true); // as an allocation by the superclass
  }
  return m_DevicePixels.Write(execution, static_cast<std::size_t>(pixels) * sizeof(TElement));
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::ExpectPixels(SizeValueType pixels)
{
  const Lock lock(m_Mutex);
  m_ExpectedSize = static_cast<ElementIdentifier>(pixels);
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::AcceptFromDevice(CudaFilters::DeviceLease && written,
                                                                         bool                        isDownloaded)
{
  CudaSharedPixels::ConstPointer droppedShared; // destroyed after the mutex is unlocked
  const Lock                     lock(m_Mutex);
  m_DevicePixels.Accept(std::move(written));
  droppedShared.Swap(m_SharedPixels);
  this->AfterDeviceChange(isDownloaded);
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::AfterDeviceChange(bool isDownloaded)
{
  ++m_Version;
  m_ExpectedSize = 0;
  this->SetHostStale();
  this->SetSize(static_cast<ElementIdentifier>(m_DevicePixels.GetBytes() / sizeof(TElement)));
  if (isDownloaded)
  {
    m_DevicePixels.NoteDownload(this->GetSizeInBytes());
    m_IsVisibleHostStale = false;
    m_IsPrivateHostValid = m_PrivateHost != nullptr;
  }
  if (isDownloaded || this->GetVisibleHost() != nullptr)
  {
    this->MakeHostVisible();
  }
}

template <typename TElementIdentifier, typename TElement>
CudaSharedPixels::Pointer
CudaImportImageContainer<TElementIdentifier, TElement>::ShareOnDevice(const CudaFilters::Execution & execution)
{
  const auto                pixels = CudaSharedPixels::New();
  CudaFilters::DevicePixels uploaded;
  if (!this->IsReadyOnDevice(CudaFilters::GetDevice(execution), std::numeric_limits<std::uint64_t>::max()))
  {
    const HostVersion host = this->BeginUpload(uploaded);
    const auto        box = CudaFilters::HostBox::OfBuffer(host.Pixels, this->GetSizeInBytes());
    CudaFilters::SlabUpload(execution, uploaded, box, 0).Finish();
    this->AcceptUpload(uploaded, host.Version);
  }
  CudaSharedPixels::ConstPointer droppedShared = pixels.GetPointer(); // destroyed after the mutex is unlocked
  const Lock                     lock(m_Mutex);
  (uploaded.IsValid() ? uploaded : m_DevicePixels).Share(*pixels);
  droppedShared.Swap(m_SharedPixels);
  if (this->GetVisibleHost() == nullptr)
  {
    this->SetHostStale();
  }
  return pixels;
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::AdoptFromDevice(const CudaSharedPixels * pixels)
{
  CudaFilters::DevicePixels      dropped; // destroyed after the mutex is unlocked: calls the owner of shared memory
  CudaSharedPixels::ConstPointer droppedShared = pixels;
  const Lock                     lock(m_Mutex);
  dropped.TakeMemory(m_DevicePixels);
  m_DevicePixels.Adopt(*pixels);
  droppedShared.Swap(m_SharedPixels);
  this->AfterDeviceChange(false);
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::SetDeviceModified()
{
  CudaSharedPixels::ConstPointer pixels;
  {
    const Lock lock(m_Mutex);
    pixels = m_SharedPixels;
  }
  if (pixels)
  {
    pixels->WaitForDevice();
    this->AdoptFromDevice(pixels);
  }
}

template <typename TElementIdentifier, typename TElement>
bool
CudaImportImageContainer<TElementIdentifier, TElement>::IsHostVisible() const
{
  const Lock lock(m_Mutex);
  return this->GetVisibleHost() != nullptr;
}

template <typename TElementIdentifier, typename TElement>
void *
CudaImportImageContainer<TElementIdentifier, TElement>::PrepareDownload(SizeValueType pixels)
{
  const Lock lock(m_Mutex);
  this->SetHostStale();
  TElement * const host = this->GetHostMemory(static_cast<ElementIdentifier>(pixels));
  this->SetHostStale(); // other memory, perhaps
  return host;
}

template <typename TElementIdentifier, typename TElement>
TElement *
CudaImportImageContainer<TElementIdentifier, TElement>::AllocateHost(ElementIdentifier size) const
{
  constexpr std::size_t largest = std::numeric_limits<std::size_t>::max() / 2;
  if (static_cast<std::size_t>(size) > largest / sizeof(TElement))
  {
    throw MemoryAllocationError(__FILE__, __LINE__, "Failed to allocate memory for image.", ITK_LOCATION);
  }
  // Memory of more than the usual alignment is not for the pool.
  constexpr bool isPooled = alignof(TElement) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;
  void * const   pointer = isPooled ? CudaFilters::AllocateHostPixels(static_cast<std::size_t>(size) * sizeof(TElement))
                                    : Superclass::AllocateElements(size, false);
  if (pointer == nullptr)
  {
    throw MemoryAllocationError(__FILE__, __LINE__, "Failed to allocate memory for image.", ITK_LOCATION);
  }
  return static_cast<TElement *>(pointer);
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::FreeHost(TElement * pointer)
{
  // Memory passed to SetImportPointer() is not from the pool.
  if (pointer != nullptr && !CudaFilters::FreeHostPixels(pointer))
  {
    delete[] pointer;
  }
}

template <typename TElementIdentifier, typename TElement>
TElement *
CudaImportImageContainer<TElementIdentifier, TElement>::AllocateElements(ElementIdentifier size,
                                                                         bool              useDefaultConstructor) const
{
  const Lock lock(m_Mutex);
  // Reserve() of the superclass preserves visible pixels. Others are preserved here.
  ElementIdentifier preserved = 0;
  if (this->GetVisibleHost() == nullptr && this->MakeHostReadable() != nullptr)
  {
    preserved = std::min(this->Size(), size);
  }
  TElement * elements = nullptr;
  if (m_PrivateHost != nullptr && m_PrivateCapacity >= size)
  {
    elements = std::exchange(m_PrivateHost, nullptr);
  }
  else
  {
    elements = this->AllocateHost(size);
    std::copy_n(m_PrivateHost, preserved, elements);
    FreeHost(std::exchange(m_PrivateHost, nullptr));
  }
  if (useDefaultConstructor)
  {
    std::uninitialized_fill(elements + preserved, elements + size, TElement());
  }
  if (this->GetVisibleHost() == nullptr)
  {
    m_DevicePixels.Release();
    ++m_Version;
  }
  this->SetHostStale();
  m_IsVisibleHostStale = false;
  return elements;
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::DeallocateManagedMemory()
{
  this->DiscardDevice();
  const Lock lock(m_Mutex);
  FreeHost(std::exchange(m_PrivateHost, nullptr));
  if (this->GetContainerManageMemory())
  {
    FreeHost(this->GetVisibleHost());
  }
  this->Superclass::SetImportPointer(nullptr);
  this->SetHostStale();
  // Sets capacity and size to zero.
  Superclass::DeallocateManagedMemory();
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  const Lock              lock(m_Mutex);
  const ElementIdentifier capacity =
    this->GetVisibleHost() != nullptr ? this->Capacity() : (m_PrivateHost != nullptr ? m_PrivateCapacity : 0);
  os << indent << "ValidSide: " << this->GetValidSide() << std::endl;
  os << indent << "HostVisible: " << (this->IsHostVisible() ? "On" : "Off") << std::endl;
  os << indent << "HostBytes: " << capacity * sizeof(TElement) << std::endl;
  os << indent << "DeviceBytes: " << m_DevicePixels.GetBytes() << std::endl;
  os << indent << "Device: " << m_DevicePixels.GetDevice() << std::endl;
  os << indent << "Uploads: " << m_DevicePixels.GetCopyCounters().Uploads << std::endl;
  os << indent << "Downloads: " << m_DevicePixels.GetCopyCounters().Downloads << std::endl;
}
} // namespace itk

#endif
