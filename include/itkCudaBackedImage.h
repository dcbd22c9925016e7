// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBackedImage_h
#define itkCudaBackedImage_h

#include "CudaFilters/detail/Instances.h"
#include "itkCudaImportImageContainer.h"
#include "itkCudaPixelHolder.h"
#include "itkImage.h"
#include <atomic>
#include <optional>

namespace itk
{
/** \class CudaBackedImage
 * \brief An itk::Image whose pixels are in host memory, in device memory, or in both.
 *
 * The image keeps its pixels in a CudaImportImageContainer. Its accessors download the pixels on demand, so that CPU
 * code and CUDA filters can use the same image, and consecutive CUDA filters exchange pixels without a copy to the
 * host.
 *
 * The CUDA filters create their outputs as CudaBackedImage even when their output type is a plain itk::Image; most
 * programs therefore never name this class. The output type of a filter determines what Update() does:
 *
 * - With a plain itk::Image as output type, Update() leaves valid pixels on the host, because most accessors of
 *   itk::Image are not virtual and read the host memory directly. CUDA filters downstream in the same pipeline still
 *   read the device copy.
 * - With CudaBackedImage as output type, Update() leaves the pixels on the device. The accessors of this class download
 *   them when they are called. Use this type where a program runs CUDA filters one by one.
 *
 * In both cases, a CPU filter that reads the image in a pipeline finds valid pixels on the host. Once a program has
 * read the host pixels by other means than GetPixel() const, it can modify them without notice: a CUDA filter that is
 * updated later uploads them again, and each new result of the image's own filter is copied to the same host memory.
 *
 * \code
 * using ImageType = itk::CudaBackedImage<float, 3>;
 * auto filter = itk::CudaSobelEdgeDetectionImageFilter<ImageType, ImageType>::New();
 * filter->SetInput(image);
 * filter->Update(); // the pixels stay on the device
 * const ImageType * output = filter->GetOutput();
 * const float * pixels = output->GetBufferPointer(); // downloads the pixels
 * \endcode
 *
 * \warning Before code outside a pipeline reads a CudaBackedImage as an itk::Image (GetPixel() through a pointer to
 * Image, Graft() into a plain Image), call MakeHostValid(). After such code has written the pixels, call
 * SetHostModified() or Modified(). While only the device copy is valid, the itk::Image has no buffer (a null pointer);
 * stale pixels are never accessible.
 *
 * \sa CudaImportImageContainer, CudaAcceleratedImageFilter, CudaSharedPixels
 * \ingroup CudaFilters
 */
template <typename TPixel, unsigned int VImageDimension = 2>
class ITK_TEMPLATE_EXPORT CudaBackedImage
  : public Image<TPixel, VImageDimension>
  , public CudaPixelHolder
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaBackedImage);

  using Self = CudaBackedImage;
  using Superclass = Image<TPixel, VImageDimension>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using ConstWeakPointer = WeakPointer<const Self>;

  itkSimpleNewMacro(Self);

  /** Creates an image without pixels, as ITK's images do. */
  Pointer
  Clone() const
  {
    return Self::New();
  }

  /** An image whose host access is not tracked stands for an itk::Image, also by its name, and creates one. */
  /**@{*/
  const char *
  GetNameOfClass() const override
  {
    return m_HostAccessTracked ? "CudaBackedImage" : Superclass::GetNameOfClass();
  }
  LightObject::Pointer
  CreateAnother() const override
  {
    return m_HostAccessTracked ? LightObject::Pointer(Self::New().GetPointer())
                               : LightObject::Pointer(Superclass::New().GetPointer());
  }
  /**@}*/

  using typename Superclass::IndexType;
  using typename Superclass::PixelContainer;
  using typename Superclass::PixelType;
  using typename Superclass::RegionType;
  using typename Superclass::SizeValueType;
  using AccessorFunctorType = DefaultPixelAccessorFunctor<Self>;
  using NeighborhoodAccessorFunctorType = NeighborhoodAccessorFunctor<Self>;
  using CudaPixelContainer = CudaImportImageContainer<SizeValueType, TPixel>;

  /** Set/Get whether all host access to the pixels goes through this class or through a pipeline. Default: true. A
   * filter whose output type is itk::Image sets it to false for the output that it creates: then Update() makes the
   * pixels valid on the host. */
  itkSetMacro(HostAccessTracked, bool);
  itkGetConstMacro(HostAccessTracked, bool);

  /** Host access, as in the superclass. Downloads the pixels first if only the device copy is valid. */
  /**@{*/
  TPixel *
  GetBufferPointer() override
  {
    return const_cast<TPixel *>(static_cast<const Self *>(this)->GetBufferPointer());
  }
  const TPixel *
  GetBufferPointer() const override;

  const TPixel &
  GetPixel(const IndexType & index) const
  {
    return this->GetReadPointer()[this->FastComputeOffset(index)];
  }
  TPixel &
  GetPixel(const IndexType & index)
  {
    return this->GetBufferPointer()[this->FastComputeOffset(index)];
  }
  void
  SetPixel(const IndexType & index, const TPixel & value)
  {
    this->GetPixel(index) = value;
    this->SetHostModified();
  }
  TPixel &
  operator[](const IndexType & index)
  {
    return this->GetPixel(index);
  }
  const TPixel &
  operator[](const IndexType & index) const
  {
    return this->GetPixel(index);
  }

  void
  FillBuffer(const TPixel & value);

  PixelContainer *
  GetPixelContainer();
  const PixelContainer *
  GetPixelContainer() const;
  /**@}*/

  /** For iterators over neighbourhoods. */
  NeighborhoodAccessorFunctorType
  GetNeighborhoodAccessor() const
  {
    return NeighborhoodAccessorFunctorType();
  }

  /** Returns the pixel container if it is a CudaImportImageContainer, or nullptr if a plain container was set or
   * grafted. Copies nothing. */
  CudaPixelContainer *
  GetCudaPixelContainer();
  const CudaPixelContainer *
  GetCudaPixelContainer() const;

  /** Reports that the host pixels were written through a pointer or through an itk::Image that shares them, and are to
   * be read in the same update of a pipeline, for example by an observer. Invalidates the device copy. */
  void
  SetHostModified() override;

  /** \name Zero-copy exchange of device memory with external libraries. */
  /**@{*/

  /** Shares the pixels, without a copy, with an external library, which may write them. The pixels stay on the device
   * that holds them; otherwise they are uploaded to the device of the default CudaInterface. The library reports that
   * it has written them with SetDeviceModified(). Throws if no device is available or the image has no pixels. */
  CudaSharedPixels::Pointer
  ShareOnDevice();

  /** Makes device memory of an external library the pixels of this image, without a copy. The regions of the image must
   * be set before. The memory must be contiguous, with x as the fastest axis. Throws if its size differs from that of
   * the buffered region. */
  void
  AdoptFromDevice(const CudaSharedPixels * pixels);

  /** Reports that an external library has written the shared pixels on the device. The host copy follows. Waits for all
   * work on that device. */
  void
  SetDeviceModified();

  /** Returns the device that holds the pixels, or -1 if none does. */
  int
  GetDeviceNumber() const override;

  /** Returns whether the pixels are accessible on the host through itk::Image, so that a program may have written them
   * since they were copied to the device. */
  bool
  IsHostVisible() const override;
  /**@}*/

  void
  MakeHostValid() const override;

  void
  MakeHostValidUnlessTracked() const override
  {
    if (!m_HostAccessTracked)
    {
      this->MakeHostValid();
    }
  }

  bool
  IsHostWanted() const override
  {
    return m_IsHostWanted;
  }
  bool
  IsReadOnDevice() const override
  {
    return m_IsReadOnDevice;
  }

  /** As in CudaPixelHolder. */
  bool
  IsReadyOnDevice(std::uint64_t tick) const override;

  /** As in CudaPixelHolder. */
  void
  BeforeCpuRun() override;

  /** As in CudaPixelHolder. */
  void
  AfterCpuRun() override;

  /** As in CudaPixelHolder. */
  void
  KeepContainerOf(const DataObject & input) override;

  /** As in CudaPixelHolder. */
  void
  BeforeDeviceRun() override;

  void
  SetComputedOnDevice() override;

  void
  Allocate(bool initializePixels = false) override;

  void
  Initialize() override;

  /** As in the superclass. Restoring the region that DiscardPixels() has removed sends no ModifiedEvent: to observers,
   * the image was never empty. */
  void
  SetBufferedRegion(const RegionType & region) override;

  void
  Graft(const Superclass * image) override;

  /** Notifies the pipeline that the image has changed. Invalidates the device copy if the host copy is visible. */
  void
  Modified() const override;

  void
  DataHasBeenGenerated() override;

  void
  Update() override;

  void
  UpdateOutputData() override;

  void
  DiscardDevice() override;

  void
  DiscardPixels() override;

  /** As in CudaPixelHolder. */
  void
  LeaveContainerOf(const DataObject & input) override;

  /** As in CudaPixelHolder. */
  void
  LeaveSharedContainer() override;

  /** Returns (image1 == image2), as for itk::Image. */
  friend bool
  operator==(const CudaBackedImage & lhs, const CudaBackedImage & rhs)
  {
    lhs.MakeHostValid();
    rhs.MakeHostValid();
    return static_cast<const Superclass &>(lhs) == static_cast<const Superclass &>(rhs);
  }

  friend bool
  operator!=(const CudaBackedImage & lhs, const CudaBackedImage & rhs)
  {
    return !(lhs == rhs);
  }

protected:
  CudaBackedImage();
  ~CudaBackedImage() override = default;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  void
  Graft(const DataObject * data) override;

  using Superclass::Graft;

private:
  /** Returns the pixels on the host for reading, without making them visible. */
  const TPixel *
  GetReadPointer() const;

  /** Sets a new CudaImportImageContainer without calling Modified() of the superclass. */
  void
  RenewContainer();

  bool
  HasContainerOf(const DataObject & other) const;

  /** Returns whether an observer of the filter could have written the pixels before DataHasBeenGenerated(). */
  bool
  MayHaveBeenWrittenByObserver() const;

  bool m_HostAccessTracked = true;
  bool m_IsQuiet = false;        // Modified() does nothing
  bool m_IsGenerated = false;    // Modified() does not invalidate the device copy
  bool m_IsUpdating = false;     // during Update(): the request does not come from another filter
  bool m_IsReadOnDevice = false; // during UpdateOutputData(): the requester reads them on a device
  bool m_IsHostWanted = false;   // during UpdateOutputData(): the requester reads the pixels on the host

  std::optional<RegionType>      m_DiscardedRegion;            // until the next region is set
  mutable const PixelContainer * m_CpuContainer = nullptr;     // a plain container that a CPU run has left
  bool                           m_HasOwnContainer = true;     // before a CPU run: no user has set a plain container
  bool                           m_IsComputedOnDevice = false; // until DataHasBeenGenerated()
  mutable std::atomic<bool>      m_IsAccessedOnHost{ false };  // since SetComputedOnDevice()
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaBackedImage.hxx"
#endif

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaBackedImage(prefix, TPixel, VDimension) \
  prefix template class CudaBackedImage<TPixel, VDimension>
namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaBackedImage);
} // namespace itk

#endif
