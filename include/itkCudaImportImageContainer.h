// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaImportImageContainer_h
#define itkCudaImportImageContainer_h

#include "CudaFiltersExport.h"
#include "CudaFilters/DeviceError.h"
#include "CudaFilters/detail/DeviceContainer.h"
#include "itkCudaEnums.h"
#include "itkCudaSharedPixels.h"
#include "itkImportImageContainer.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <ostream>
#include <type_traits>
#include <typeinfo>

namespace itk
{
/** \class CudaImportImageContainer
 * \brief A pixel container with a host copy and a device copy of its pixels.
 *
 * The container records which of the two copies is valid. Each copy is allocated on first use. Host memory is allocated
 * with new[], and page-locked when it is first copied to or from a device; device memory comes from the stream-ordered
 * memory pool of the device. A program that calls ContainerManageMemoryOff() can free the host memory with delete[], as
 * for ImportImageContainer. Pixels must be trivially copyable.
 *
 * A program that has the address of the host copy can write the pixels without notice: ITK's iterators do so, and the
 * accessors of ImportImageContainer, which are not virtual. The container therefore distinguishes a visible host copy
 * (the import pointer is set) from a private one. The host copy becomes visible when GetBufferPointer() is called, or
 * when a reader outside this module may follow; from then on it stays visible, at the same address as long as its
 * memory suffices, and filters copy each new result there. Before that, the import pointer is null, so that stale
 * pixels are never accessible. While the host copy is private, the device copy is always trusted; while it is visible,
 * only within one update of a pipeline. Const element access keeps the host copy private.
 *
 * The design follows the container of CITK: R. Beare et al., "CITK - an architecture and examples of CUDA enabled ITK
 * filters", The Insight Journal, 2011.
 *
 * \sa CudaBackedImage
 * \ingroup CudaFilters
 */
template <typename TElementIdentifier, typename TElement>
class ITK_TEMPLATE_EXPORT CudaImportImageContainer final
  : public ImportImageContainer<TElementIdentifier, TElement>
  , public CudaFilters::DeviceContainer
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaImportImageContainer);

  using Self = CudaImportImageContainer;
  using Superclass = ImportImageContainer<TElementIdentifier, TElement>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using ElementIdentifier = TElementIdentifier;
  using Element = TElement;

  static_assert(std::is_trivially_copyable<TElement>::value, "Only trivially copyable pixels can go to a device.");

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaImportImageContainer";
  }

  /** Returns the container as an object of this class, or nullptr if it is of another class. Fast enough to be called
   * per pixel. */
  static const Self *
  Cast(const Superclass * container)
  {
    return container != nullptr && typeid(*container) == typeid(Self) ? static_cast<const Self *>(container) : nullptr;
  }
  static Self *
  Cast(Superclass * container)
  {
    return const_cast<Self *>(Cast(static_cast<const Superclass *>(container)));
  }

  /** Host access. Downloads the pixels first if only the device copy is valid. Makes the host copy visible, except for
   * const element access. */
  TElement *
  GetBufferPointer();
  const TElement *
  GetBufferPointer() const
  {
    return const_cast<Self *>(this)->GetBufferPointer();
  }
  TElement *
  GetImportPointer()
  {
    return this->GetBufferPointer();
  }
  TElement &
  operator[](const ElementIdentifier id)
  {
    return this->GetBufferPointer()[id];
  }
  const TElement &
  operator[](const ElementIdentifier id) const
  {
    return this->GetReadPointer()[id];
  }

  /** Returns the valid pixels on the host for reading, without making them visible. The address is valid until the
   * pixels change. */
  const TElement *
  GetReadPointer() const
  {
    const TElement * const pixels = m_ReadPointer.load(std::memory_order_acquire);
    return pixels == nullptr ? this->MakeHostReadable() : pixels;
  }

  /** As in the superclass. Pixels of which only the device copy is valid are preserved. */
  void
  Reserve(ElementIdentifier size, bool useDefaultConstructor = false);
  void
  Squeeze();

  /** Releases the memory of both copies. */
  void
  Initialize();

  /** Returns which copies are valid: none, host, device or both. */
  CudaPixelSideEnum
  GetValidSide() const;

  /** Returns the device that holds the pixels, or -1 if none does. */
  int
  GetDeviceNumber() const;

  /** As in the superclass. Memory that the program now owns is no longer page-locked. */
  void
  SetContainerManageMemory(bool manage) override;

  /** Reports that the visible host copy was written. Invalidates the device copy, unless the host copy is not visible.
   * An upload by another thread that has begun before is not used by later readers. */
  void
  SetHostModified();

  /** Releases the device copy, even if it is the only valid copy. For a filter that is about to overwrite the host
   * copy. */
  void
  DiscardDevice();

  /** Returns the number of copies between host and device, and their bytes, for this container. */
  CudaCopyCounters
  GetCopyCounters() const;

  /** \name Device access for filters. See CudaFilters::DeviceContainer. */
  /**@{*/

  LightObject *
  GetContainerObject() override
  {
    return this;
  }
  SizeValueType
  GetNumberOfPixels() const override
  {
    return this->Size();
  }
  SizeValueType
  GetVisibleCapacity() const override
  {
    const Lock lock(m_Mutex);
    return this->GetVisibleHost() == nullptr ? 0 : this->Capacity();
  }
  CudaFilters::DeviceLease
  ReadOnDevice(const CudaFilters::Execution & execution, std::uint64_t tick) override;
  bool
  IsReadyOnDevice(int device, std::uint64_t tick) const override;
  HostVersion
  BeginUpload(CudaFilters::DevicePixels & pixels) override;
  void
  AcceptUpload(const CudaFilters::DevicePixels & uploaded, std::uint64_t version) override;
  void
  ExpectPixels(SizeValueType pixels) override;
  CudaFilters::DeviceLease
  WriteOnDevice(const CudaFilters::Execution & execution, SizeValueType pixels) override;
  void
  AcceptFromDevice(CudaFilters::DeviceLease && written, bool isDownloaded) override;
  bool
  IsHostVisible() const override;
  void
  MakeHostVisible() override;
  void *
  PrepareDownload(SizeValueType pixels) override;

  /** Shares the pixels on the device of the execution with an external library, which may write them and reports that
   * with SetDeviceModified(). Uploads the pixels first if needed. A visible host copy stays valid. */
  CudaSharedPixels::Pointer
  ShareOnDevice(const CudaFilters::Execution & execution);

  /** Makes device memory of an external library the pixels of this container. */
  void
  AdoptFromDevice(const CudaSharedPixels * pixels);

  /** Reports that an external library has written the shared or adopted pixels. Downloads them if the host copy is
   * visible, and invalidates it otherwise. Waits for the device. Does nothing if no pixels are shared or adopted. */
  void
  SetDeviceModified();
  /**@}*/

protected:
  CudaImportImageContainer() = default;
  ~CudaImportImageContainer() override;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  TElement *
  AllocateElements(ElementIdentifier size, bool useDefaultConstructor = false) const override;

  void
  DeallocateManagedMemory() override;

private:
  using Lock = std::lock_guard<std::recursive_mutex>;

  /** Returns the import pointer, without a copy. */
  TElement *
  GetVisibleHost() const
  {
    return const_cast<Self *>(this)->Superclass::GetImportPointer();
  }

  /** Visible pixels are stale only as long as the device has others. */
  bool
  IsHostValid() const
  {
    return this->GetVisibleHost() != nullptr ? !m_IsVisibleHostStale || !m_DevicePixels.IsValid()
                                             : m_IsPrivateHostValid;
  }

  std::size_t
  GetSizeInBytes() const
  {
    return static_cast<std::size_t>(this->Size()) * sizeof(TElement);
  }

  /** Downloads the pixels if the host copy is not valid. Returns them, or nullptr if there are none. */
  const TElement *
  MakeHostReadable() const;

  /** Makes private host memory the visible memory. */
  void
  ShowPrivateHost();

  /** Returns the host memory, visible or private, with at least the given capacity. */
  TElement *
  GetHostMemory(ElementIdentifier size) const;

  /** Downloads the pixels. Converts a DeviceError to an itk::ExceptionObject. */
  void
  Download(TElement * host, std::size_t bytes) const;

  /** The device copy is new. isDownloaded: the memory of PrepareDownload() holds the same pixels. Otherwise, the host
   * copy is stale or, if it is visible, downloaded. */
  void
  AfterDeviceChange(bool isDownloaded);

  /** Invalidates the host copy. */
  void
  SetHostStale() const;

  TElement *
  AllocateHost(ElementIdentifier size) const;

  static void
  FreeHost(TElement * pointer);

  /** Protects the state. Never locked during a callback, or together with the mutex of another container. Recursive
   * because methods of the superclass call virtual methods of this class. */
  mutable std::recursive_mutex      m_Mutex;
  mutable CudaFilters::DevicePixels m_DevicePixels;
  CudaSharedPixels::ConstPointer    m_SharedPixels; // last shared or adopted; SetDeviceModified() makes them current
  mutable TElement *                m_PrivateHost = nullptr; // owned; null while the host copy is visible
  mutable ElementIdentifier         m_PrivateCapacity = 0;
  mutable bool                      m_IsPrivateHostValid = false;
  mutable bool                      m_IsVisibleHostStale = false;
  ElementIdentifier                 m_ExpectedSize = 0; // of pixels that are being computed

  /** Of the pixels; increases when they change. */
  mutable std::atomic<std::uint64_t> m_Version{ 0 };

  /** Let readers do without the mutex: the host pixels, if valid; and whether they are visible, too. */
  mutable std::atomic<const TElement *> m_ReadPointer{ nullptr };
  std::atomic<bool>                     m_IsHostReady{ false };
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaImportImageContainer.hxx"
#endif

#endif
