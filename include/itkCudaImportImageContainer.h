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
 * The container records which of the two copies is valid, and copies pixels only when a caller accesses the stale one.
 * Each copy is allocated on first use: the host copy from a pool of page-locked memory if a device is available, the
 * device copy from the stream-ordered memory pool of the device. Reading one copy leaves the other valid; writing one
 * copy invalidates the other. CudaBackedImage uses this container; few programs need to use it directly.
 *
 * Differences from ImportImageContainer: the accessors of ImportImageContainer are not virtual, so that code that
 * accesses this container through its base class reads the import pointer directly. The import pointer is therefore
 * null unless the host copy is valid, and stale pixels are never returned. CudaBackedImage ensures that pipeline
 * filters that use the itk::Image interface find a valid host copy. Pixels must be trivially copyable.
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

  /** Host access. Downloads the pixels first if only the device copy is valid. Non-const access invalidates the device
   * copy. */
  TElement *
  GetBufferPointer();
  const TElement *
  GetBufferPointer() const;
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
    return this->GetBufferPointer()[id];
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

  /** Reports a host write access that did not go through the accessors of this container. Invalidates the device copy.
   * Does nothing if only the device copy is valid. */
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
  CudaFilters::DeviceLease
  ReadOnDevice(const CudaFilters::Execution & execution, bool trustDevice, std::uint64_t tick = 0) override;
  std::unique_ptr<CudaFilters::SlabUpload>
  UploadInSlabs(const CudaFilters::Execution & execution,
                const CudaFilters::Size3 &     size,
                int                            axis,
                bool                           trustDevice,
                std::uint64_t                  tick = 0) override;
  bool
  IsReadyOnDevice(int device, bool trustDevice, std::uint64_t tick = 0) const override;
  CudaFilters::DeviceLease
  WriteOnDevice(const CudaFilters::Execution & execution, SizeValueType pixels) override;
  void
  AcceptFromDevice(CudaFilters::DeviceLease && written) override;
  void *
  PrepareDownload(SizeValueType pixels) override;
  void
  AcceptDownload() override;

  /** Shares the pixels on the device of the execution with an external library, which may write them. Uploads the
   * pixels first if needed, as ReadOnDevice() does. Invalidates the host copy. */
  CudaSharedPixels::Pointer
  ShareOnDevice(const CudaFilters::Execution & execution, bool trustDevice);

  /** Makes device memory of an external library the pixels of this container. Invalidates the host copy. */
  void
  AdoptFromDevice(const CudaSharedPixels * pixels);

  /** Reports that an external library has written the shared or adopted pixels. Invalidates the host copy, even if it
   * was read in the meantime. Waits for the device. Does nothing if no pixels are shared or adopted. */
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

  /** Returns the import pointer without a copy: null unless the host copy is valid. */
  TElement *
  GetHost() const
  {
    return const_cast<Self *>(this)->Superclass::GetImportPointer();
  }

  std::size_t
  GetSizeInBytes() const
  {
    return static_cast<std::size_t>(this->Size()) * sizeof(TElement);
  }

  void
  MakeHostValid() const;

  /** Downloads the pixels. Converts a DeviceError to an itk::ExceptionObject. */
  void
  Download(TElement * host, std::size_t bytes) const;

  /** Sets the import pointer to null because the host copy is stale; keeps the memory for the next download. */
  void
  HideHost();

  /** Makes the device copy the only valid copy. */
  void
  ShowDeviceAlone();

  /** Releases the hidden host memory if it is too small for the given number of pixels. */
  void
  DropHiddenHostUnder(ElementIdentifier size);

  /** Makes the hidden host memory the valid host copy. */
  void
  ShowHost() const;

  TElement *
  AllocateHost(ElementIdentifier size) const;

  void
  FreeHost(TElement * pointer) const;

  /** Protects the whole state. Recursive because methods of the superclass call virtual methods of this class. */
  mutable std::recursive_mutex      m_Mutex;
  mutable CudaFilters::DevicePixels m_DevicePixels;
  CudaSharedPixels::ConstPointer    m_SharedPixels; // current pixels, if shared with an external library
  mutable TElement *                m_HiddenHost = nullptr;
  mutable ElementIdentifier         m_HiddenCapacity = 0;

  /** True while the host copy is valid and visible to all threads; readers then do not lock the mutex. */
  mutable std::atomic<bool> m_HostIsReady{ false };
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaImportImageContainer.hxx"
#endif

#endif
