// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaImportImageContainer_h
#define itkCudaImportImageContainer_h

#include "CudaFiltersExport.h"
#include "CudaFilters/DeviceError.h"
#include "CudaFilters/DevicePixels.h"
#include "CudaFilters/SlabCopy.h"
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
/** \class CudaPixelSideEnum
 * \brief Where the valid pixels of a container are.
 * \ingroup CudaFilters
 */
enum class CudaPixelSideEnum : uint8_t
{
  None,
  Host,
  Device,
  Both
};

extern CudaFilters_EXPORT std::ostream &
                          operator<<(std::ostream & out, CudaPixelSideEnum side);

/** \class CudaImportImageContainer
 * \brief Pixels in host memory, in device memory, or both.
 *
 * A pixel container that knows where its pixels are valid and copies them only when the side that is asked for is
 * stale. Each side is allocated when it is first used: the host side page-locked, from a pool, when there is a device;
 * the device side from the device's stream-ordered pool. Reading one side leaves the other valid; writing one side
 * makes the other stale.
 *
 * ImportImageContainer's accessors are not virtual: whoever holds this container as an ImportImageContainer reads the
 * import pointer directly. So the import pointer is set only while the host side is valid, and is null otherwise:
 * stale pixels are never handed out. CudaBackedImage sees to it that readers who know only itk::Image find the host
 * side valid.
 *
 * Follows the container of CITK (Beare et al., CITK - an architecture and examples of CUDA enabled ITK filters, The
 * Insight Journal, 2011).
 *
 * \sa CudaBackedImage
 * \ingroup CudaFilters
 */
template <typename TElementIdentifier, typename TElement>
class ITK_TEMPLATE_EXPORT CudaImportImageContainer final : public ImportImageContainer<TElementIdentifier, TElement>
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

  /** A container as one of this class, if it is; else nullptr. Fast enough to be asked for each pixel. */
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

  /** Host access: the pixels are downloaded first if only the device has them. Access that may write makes the device
   * side stale. */
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

  /** As the superclass's; what only the device has is kept. */
  void
  Reserve(ElementIdentifier size, bool useDefaultConstructor = false);
  void
  Squeeze();

  /** Gives the memory of both sides back. */
  void
  Initialize();

  /** Where the valid pixels are. */
  CudaPixelSideEnum
  GetValidSide() const;

  /** The device that has the pixels; -1 if none has. */
  int
  GetDeviceNumber() const;

  /** Tells that the host side was written by somebody who did not ask for it here; the device side becomes stale. Does
   * nothing if only the device has the pixels. */
  void
  SetHostModified();

  /** Forgets the device side, even if it alone was valid: for a producer who is about to write the host side. */
  void
  DiscardDevice();

  /** How often pixels of this container were copied. */
  CudaCopyCounters
  GetCopyCounters() const;

  /** \name Device access, for filters. */
  /**@{*/

  /** The pixels on the execution's device, uploaded first if need be. When both sides are valid, the device side is
   * taken as it is if trustDevice is true or if the two were copied from one to the other later than the given tick;
   * else somebody may have written the host side unseen, and it is uploaded again. */
  CudaFilters::DeviceLease
  ReadOnDevice(const CudaFilters::Execution & execution, bool trustDevice, std::uint64_t tick = 0);

  /** Begins the upload that ReadOnDevice() would make, in slabs along an axis of pixels of the given size, and locks
   * the container until it ends; nullptr if there is nothing to copy. */
  std::unique_ptr<CudaFilters::SlabUpload>
  UploadInSlabs(const CudaFilters::Execution & execution,
                const CudaFilters::Grid &      size,
                int                            axis,
                bool                           trustDevice,
                std::uint64_t                  tick = 0);

  /** Whether ReadOnDevice() would find the pixels on the device and copy nothing. */
  bool
  IsReadyOnDevice(int device, bool trustDevice, std::uint64_t tick = 0) const;

  /** Room for that many pixels on the device. After AcceptFromDevice(), and only then, they are the pixels of this
   * container, and the host side is stale. */
  CudaFilters::DeviceLease
  WriteOnDevice(const CudaFilters::Execution & execution, ElementIdentifier size);
  void
  AcceptFromDevice(CudaFilters::DeviceLease && written);

  /** Lends the pixels on the execution's device to others, who may write them: the host side counts no more. They are
   * uploaded first if need be, as for ReadOnDevice(). */
  CudaSharedPixels::Pointer
  ShareOnDevice(const CudaFilters::Execution & execution, bool trustDevice);

  /** Memory of others becomes the pixels of this container, and the host side stale. */
  void
  AdoptFromDevice(const CudaSharedPixels * pixels);

  /** Tells that others have written the pixels that were lent or adopted, though they may have been looked at on the
   * host since: the device side counts, and the host side is stale. Waits for the device. Does nothing if there are
   * none. */
  void
  SetDeviceModified();

  /** Room for that many pixels on the host, out of sight. After AcceptDownload(), which comes after AcceptFromDevice(),
   * they are the pixels of this container there. */
  TElement *
  PrepareDownload(ElementIdentifier size);
  void
  AcceptDownload();
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

  /** The import pointer as it stands: null unless the host side is valid. */
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

  /** Downloads; an error is an itk::ExceptionObject. */
  void
  Download(TElement * host, std::size_t bytes) const;

  /** Puts the host memory out of sight while it is stale, to be used again for the next download. */
  void
  HideHost();

  /** What the device has now is all there is. */
  void
  ShowDeviceAlone();

  /** Gives hidden host memory back that is too small for so many pixels. */
  void
  DropHiddenHostUnder(ElementIdentifier size);

  /** Makes the hidden host memory the valid host side. */
  void
  ShowHost() const;

  TElement *
  AllocateHost(ElementIdentifier size) const;

  void
  FreeHost(TElement * pointer) const;

  /** Guards all state; recursive, since the superclass calls the virtual methods from within its own. */
  mutable std::recursive_mutex      m_Mutex;
  mutable CudaFilters::DevicePixels m_DevicePixels;
  CudaSharedPixels::ConstPointer    m_SharedPixels; // what others have, too, of the present pixels
  mutable TElement *                m_HiddenHost = nullptr;
  mutable ElementIdentifier         m_HiddenCapacity = 0;

  /** Set while the host side is valid and seen by all threads; spares readers the lock. */
  mutable std::atomic<bool> m_HostIsReady{ false };
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaImportImageContainer.hxx"
#endif

#endif
