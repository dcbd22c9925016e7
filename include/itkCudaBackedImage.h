// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBackedImage_h
#define itkCudaBackedImage_h

#include "itkCudaImportImageContainer.h"
#include "itkCudaPixelHolder.h"
#include "itkImage.h"

namespace itk
{
/** \class CudaBackedImage
 * \brief An itk::Image whose pixels may be on the device, and come to the host when they are looked at.
 *
 * The CUDA filters create their outputs as CudaBackedImage even when their output type is a plain itk::Image, so that
 * most programs never name this class. Who does name it, as a filter's image type, gets the lazier pipeline:
 *
 * - With a plain itk::Image as output type, Update() leaves the pixels on the host, since most of Image's accessors are
 *   not virtual and read the host memory directly; filters of this module that follow in the same pipeline still read
 *   them on the device. Pixels that were in sight on the host may have been changed there by anybody, so that a later
 *   Update() of another CUDA filter uploads them again.
 * - With CudaBackedImage as output type, Update() leaves the pixels where they are; the accessors of this class bring
 *   them when they are called, and know who has written.
 *
 * In both cases a CPU filter that reads the image in a pipeline finds valid pixels on the host.
 *
 * \warning Hand a CudaBackedImage to code that reads it as an itk::Image outside a pipeline (GetPixel() through a
 * pointer to Image, Graft() into a plain Image) only after MakeHostValid(), and call SetHostModified() or Modified()
 * after such code has written. Before that, the Image has no buffer; stale pixels are never shown.
 *
 * \sa CudaImportImageContainer, CudaAcceleratedImageFilter
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

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaBackedImage";
  }

  using typename Superclass::IndexType;
  using typename Superclass::PixelContainer;
  using typename Superclass::PixelType;
  using typename Superclass::SizeValueType;
  using AccessorFunctorType = DefaultPixelAccessorFunctor<Self>;
  using NeighborhoodAccessorFunctorType = NeighborhoodAccessorFunctor<Self>;
  using CudaPixelContainer = CudaImportImageContainer<SizeValueType, TPixel>;

  /** Whether everyone who touches the pixels does so through this class, or else through a pipeline. True unless a
   * filter made this image behind an output of type itk::Image. */
  itkSetMacro(HostAccessTracked, bool);
  itkGetConstMacro(HostAccessTracked, bool);

  /** Host access, as in the superclass; the pixels are downloaded first if only the device has them. Access that may
   * write makes the device side stale. */
  /**@{*/
  TPixel *
  GetBufferPointer() override;
  const TPixel *
  GetBufferPointer() const override;

  const TPixel &
  GetPixel(const IndexType & index) const
  {
    return this->GetBufferPointer()[this->FastComputeOffset(index)];
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

  NeighborhoodAccessorFunctorType
  GetNeighborhoodAccessor() const
  {
    return NeighborhoodAccessorFunctorType();
  }

  /** The container, if it is one that knows of the device; nullptr if a plain one was set or grafted. Copies nothing.
   */
  CudaPixelContainer *
  GetCudaPixelContainer();
  const CudaPixelContainer *
  GetCudaPixelContainer() const;

  /** Tells that the host side was written through a pointer or an itk::Image that shares the pixels. */
  void
  SetHostModified() override;

  /** \name Sharing of pixels on the device with others, without a copy. */
  /**@{*/

  /** Lends the pixels to others, who may write them, on the device where they are, or else on that of the process's
   * CudaInterface. They are uploaded first if need be. What the host has counts no more. */
  CudaSharedPixels::Pointer
  ShareOnDevice();

  /** Makes device memory of others the pixels of this image, whose regions must be set: as many bytes as the buffered
   * region takes, dense, x fastest. */
  void
  AdoptFromDevice(const CudaSharedPixels * pixels);

  /** Tells that others have written the shared pixels on the device. Waits for all work on that device. */
  void
  SetDeviceModified();

  /** The device that has the pixels; -1 if none has. */
  int
  GetDeviceNumber() const;
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

  void
  Allocate(bool initializePixels = false) override;

  void
  Initialize() override;

  void
  Graft(const Superclass * image) override;

  /** Tells the pipeline that the image has changed; what the host shows counts from now on. */
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
  /** Gives the image a new CudaImportImageContainer without a sign of change to the pipeline. */
  void
  RenewContainer();

  bool m_HostAccessTracked = true;
  bool m_IsQuiet = false;      // Modified() is not to be passed on
  bool m_IsGenerated = false;  // Modified() does not tell of a change on the host
  bool m_IsUpdating = false;   // within Update(): no other filter has asked for the pixels
  bool m_IsHostWanted = false; // within UpdateOutputData(): whoever asked for the pixels reads them on the host
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaBackedImage.hxx"
#endif

#endif
