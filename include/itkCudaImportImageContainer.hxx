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
  if (!m_HostIsReady.load(std::memory_order_acquire) || m_DevicePixels.IsValid())
  {
    const Lock lock(m_Mutex);
    this->MakeHostValid();
    m_DevicePixels.Release();
  }
  return this->GetHost();
}

template <typename TElementIdentifier, typename TElement>
const TElement *
CudaImportImageContainer<TElementIdentifier, TElement>::GetBufferPointer() const
{
  if (!m_HostIsReady.load(std::memory_order_acquire))
  {
    this->MakeHostValid();
  }
  return this->GetHost();
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::MakeHostValid() const
{
  const Lock lock(m_Mutex);
  if (this->GetHost() == nullptr && m_DevicePixels.IsValid())
  {
    if (m_HiddenHost == nullptr)
    {
      m_HiddenHost = this->AllocateHost(this->Size());
      m_HiddenCapacity = this->Size();
    }
    this->Download(m_HiddenHost, this->GetSizeInBytes());
    this->ShowHost();
  }
  m_HostIsReady.store(this->GetHost() != nullptr, std::memory_order_release);
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
CudaImportImageContainer<TElementIdentifier, TElement>::HideHost()
{
  m_HostIsReady = false;
  if (this->GetHost() != nullptr)
  {
    m_HiddenHost = this->GetHost();
    m_HiddenCapacity = this->Capacity();
    this->Superclass::SetImportPointer(nullptr);
  }
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::DropHiddenHostUnder(ElementIdentifier size)
{
  if (m_HiddenHost != nullptr && m_HiddenCapacity < size)
  {
    this->FreeHost(m_HiddenHost);
    m_HiddenHost = nullptr;
    this->ContainerManageMemoryOn();
  }
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::ShowHost() const
{
  auto * const self = const_cast<Self *>(this);
  self->Superclass::SetImportPointer(m_HiddenHost);
  self->SetCapacity(m_HiddenCapacity);
  m_HiddenHost = nullptr;
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::Reserve(ElementIdentifier size, bool useDefaultConstructor)
{
  const Lock lock(m_Mutex);
  this->GetBufferPointer();
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
  const Lock lock(m_Mutex);
  if (this->GetHost() == nullptr)
  {
    this->DeallocateManagedMemory();
    this->Modified();
  }
  Superclass::Initialize();
}

template <typename TElementIdentifier, typename TElement>
CudaPixelSideEnum
CudaImportImageContainer<TElementIdentifier, TElement>::GetValidSide() const
{
  const Lock lock(m_Mutex);
  if (m_DevicePixels.IsValid())
  {
    return this->GetHost() == nullptr ? CudaPixelSideEnum::Device : CudaPixelSideEnum::Both;
  }
  return this->GetHost() == nullptr ? CudaPixelSideEnum::None : CudaPixelSideEnum::Host;
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
CudaImportImageContainer<TElementIdentifier, TElement>::SetHostModified()
{
  const Lock lock(m_Mutex);
  if (this->GetHost() != nullptr)
  {
    m_DevicePixels.Release();
  }
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::DiscardDevice()
{
  const Lock lock(m_Mutex);
  m_DevicePixels.Release();
  if (this->GetHost() == nullptr && m_HiddenHost != nullptr)
  {
    this->ShowHost();
    this->SetSize(std::min(this->Size(), m_HiddenCapacity));
  }
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
CudaImportImageContainer<TElementIdentifier, TElement>::IsReadyOnDevice(int           device,
                                                                        bool          trustDevice,
                                                                        std::uint64_t tick) const
{
  const Lock lock(m_Mutex);
  return m_DevicePixels.IsValid() && m_DevicePixels.GetDevice() == device &&
         m_DevicePixels.GetBytes() == this->GetSizeInBytes() &&
         (this->GetHost() == nullptr || trustDevice || m_DevicePixels.GetCopyTick() > tick);
}

template <typename TElementIdentifier, typename TElement>
CudaFilters::DeviceLease
CudaImportImageContainer<TElementIdentifier, TElement>::ReadOnDevice(const CudaFilters::Execution & execution,
                                                                     bool                           trustDevice,
                                                                     std::uint64_t                  tick)
{
  const Lock               lock(m_Mutex);
  const CudaFilters::Size3 size{ { static_cast<std::int64_t>(this->Size()), 1, 1 } };
  if (const auto upload = this->UploadInSlabs(execution, size, 0, trustDevice, tick))
  {
    upload->Finish();
  }
  return m_DevicePixels.Read(execution);
}

template <typename TElementIdentifier, typename TElement>
std::unique_ptr<CudaFilters::SlabUpload>
CudaImportImageContainer<TElementIdentifier, TElement>::UploadInSlabs(const CudaFilters::Execution & execution,
                                                                      const CudaFilters::Size3 &     size,
                                                                      int                            axis,
                                                                      bool                           trustDevice,
                                                                      std::uint64_t                  tick)
{
  std::unique_lock<std::recursive_mutex> lock(m_Mutex);
  if (this->IsReadyOnDevice(CudaFilters::GetDevice(execution), trustDevice, tick))
  {
    return nullptr;
  }
  this->MakeHostValid();
  const CudaFilters::HostBox box{ this->GetHost(), size, { { 0, 0, 0 } }, size, sizeof(TElement) };
  return std::make_unique<CudaFilters::SlabUpload>(execution, m_DevicePixels, box, axis, std::move(lock));
}

template <typename TElementIdentifier, typename TElement>
CudaFilters::DeviceLease
CudaImportImageContainer<TElementIdentifier, TElement>::WriteOnDevice(const CudaFilters::Execution & execution,
                                                                      SizeValueType                  pixels)
{
  const Lock lock(m_Mutex);
  return m_DevicePixels.Write(execution, static_cast<std::size_t>(pixels) * sizeof(TElement));
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::AcceptFromDevice(CudaFilters::DeviceLease && written)
{
  const Lock lock(m_Mutex);
  m_DevicePixels.Accept(std::move(written));
  m_SharedPixels = nullptr;
  this->ShowDeviceAlone();
}

template <typename TElementIdentifier, typename TElement>
CudaSharedPixels::Pointer
CudaImportImageContainer<TElementIdentifier, TElement>::ShareOnDevice(const CudaFilters::Execution & execution,
                                                                      bool                           trustDevice)
{
  const Lock lock(m_Mutex);
  const auto pixels = CudaSharedPixels::New();
  this->ReadOnDevice(execution, trustDevice, std::numeric_limits<std::uint64_t>::max());
  m_DevicePixels.Share(*pixels);
  m_SharedPixels = pixels;
  this->HideHost();
  return pixels;
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::AdoptFromDevice(const CudaSharedPixels * pixels)
{
  const Lock lock(m_Mutex);
  m_DevicePixels.Adopt(*pixels);
  m_SharedPixels = pixels;
  this->ShowDeviceAlone();
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::SetDeviceModified()
{
  const Lock lock(m_Mutex);
  if (m_SharedPixels)
  {
    m_SharedPixels->WaitForDevice();
    m_DevicePixels.Adopt(*m_SharedPixels);
    this->ShowDeviceAlone();
  }
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::ShowDeviceAlone()
{
  this->HideHost();
  this->SetSize(static_cast<ElementIdentifier>(m_DevicePixels.GetBytes() / sizeof(TElement)));
  this->DropHiddenHostUnder(this->Size());
}

template <typename TElementIdentifier, typename TElement>
void *
CudaImportImageContainer<TElementIdentifier, TElement>::PrepareDownload(SizeValueType pixels)
{
  const auto size = static_cast<ElementIdentifier>(pixels);
  const Lock lock(m_Mutex);
  this->HideHost();
  this->DropHiddenHostUnder(size);
  if (m_HiddenHost == nullptr)
  {
    m_HiddenHost = this->AllocateHost(size);
    m_HiddenCapacity = size;
  }
  return m_HiddenHost;
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::AcceptDownload()
{
  const Lock lock(m_Mutex);
  m_DevicePixels.NoteDownload(this->GetSizeInBytes());
  this->ShowHost();
  m_HostIsReady.store(true, std::memory_order_release);
}

template <typename TElementIdentifier, typename TElement>
TElement *
CudaImportImageContainer<TElementIdentifier, TElement>::AllocateHost(ElementIdentifier size) const
{
  void * const pointer = CudaFilters::AllocateHostPixels(static_cast<std::size_t>(size) * sizeof(TElement));
  if (pointer == nullptr)
  {
    throw MemoryAllocationError(__FILE__, __LINE__, "Failed to allocate memory for image.", ITK_LOCATION);
  }
  return static_cast<TElement *>(pointer);
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::FreeHost(TElement * pointer) const
{
  // Memory passed to SetImportPointer() is not from the pool.
  if (pointer != nullptr && this->GetContainerManageMemory() && !CudaFilters::FreeHostPixels(pointer))
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
  TElement * elements = nullptr;
  if (m_HiddenCapacity >= size)
  {
    std::swap(elements, m_HiddenHost);
  }
  if (elements == nullptr)
  {
    this->FreeHost(m_HiddenHost);
    m_HiddenHost = nullptr;
    elements = this->AllocateHost(size);
  }
  if (useDefaultConstructor)
  {
    std::uninitialized_fill_n(elements, size, TElement());
  }
  // Reserve() of the superclass preserves pixels only if the import pointer is not null. Pixels of which only the
  // device copy is valid are preserved here.
  if (this->GetHost() == nullptr && m_DevicePixels.IsValid() && m_DevicePixels.GetBytes() <= size * sizeof(TElement))
  {
    m_HiddenHost = elements; // keeps ownership if Download() throws
    m_HiddenCapacity = size;
    this->Download(elements, m_DevicePixels.GetBytes());
    m_HiddenHost = nullptr;
    m_DevicePixels.Release();
  }
  return elements;
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::DeallocateManagedMemory()
{
  const Lock lock(m_Mutex);
  m_HostIsReady = false;
  m_DevicePixels.Release();
  m_SharedPixels = nullptr;
  this->FreeHost(m_HiddenHost);
  m_HiddenHost = nullptr;
  this->FreeHost(this->GetHost());
  this->Superclass::SetImportPointer(nullptr);
  // Sets capacity and size to zero.
  Superclass::DeallocateManagedMemory();
}

template <typename TElementIdentifier, typename TElement>
void
CudaImportImageContainer<TElementIdentifier, TElement>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  const Lock lock(m_Mutex);
  const bool hasHost = this->GetHost() != nullptr || m_HiddenHost != nullptr;
  os << indent << "ValidSide: " << this->GetValidSide() << std::endl;
  os << indent << "HostBytes: "
     << (hasHost ? (m_HiddenHost != nullptr ? m_HiddenCapacity : this->Capacity()) * sizeof(TElement) : 0) << std::endl;
  os << indent << "DeviceBytes: " << m_DevicePixels.GetBytes() << std::endl;
  os << indent << "Device: " << m_DevicePixels.GetDevice() << std::endl;
  os << indent << "Uploads: " << m_DevicePixels.GetCopyCounters().Uploads << std::endl;
  os << indent << "Downloads: " << m_DevicePixels.GetCopyCounters().Downloads << std::endl;
}
} // namespace itk

#endif
