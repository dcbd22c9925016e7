// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaSharedPixels_h
#define itkCudaSharedPixels_h

#include "CudaFiltersExport.h"
#include "itkLightObject.h"
#include "itkObjectFactory.h"
#include <cstdint>
#include <memory>

namespace itk
{
namespace CudaFilters
{
class DeviceBuffer;
class DevicePixels;
} // namespace CudaFilters

/** \class CudaSharedPixels
 * \brief Device memory that an image and an external library share without a copy.
 *
 * CudaBackedImage::ShareOnDevice() shares the pixels of an image with an external library, such as CuPy or PyTorch;
 * CudaBackedImage::AdoptFromDevice() makes memory of an external library the pixels of an image. Neither copies pixels.
 *
 * The memory stays allocated as long as an object of this class refers to it: an image that is recomputed or deleted
 * does not modify or free it. Memory of an external library is released when no image and no pending work on the device
 * uses it any more.
 *
 * Streams are passed as the integer value of a cudaStream_t: 1 is the legacy default stream, 2 is the default stream of
 * the calling thread.
 *
 * \sa CudaBackedImage, CudaImportImageContainer
 * \ingroup CudaFilters
 */
class CudaFilters_EXPORT CudaSharedPixels : public LightObject
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaSharedPixels);

  using Self = CudaSharedPixels;
  using Superclass = LightObject;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  /** Creates an object without memory; see Borrow(). */
  itkFactorylessNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaSharedPixels";
  }

  /** Refers to device memory of an external library, to which this library never writes. The owner is released after
   * the last use. All uses wait for the work that is enqueued in the stream before this call; a stream of 0 means that
   * there is no work to wait for. Throws if the memory is not in a CUDA device. */
  void
  Borrow(std::uintptr_t pointer, SizeValueType bytes, std::uintptr_t stream, std::shared_ptr<void> owner);

  /** The address of the first byte on the device; 0 without memory. */
  std::uintptr_t
  GetPointer() const;

  /** The size of the memory. */
  SizeValueType
  GetNumberOfBytes() const;

  /** Returns the device of the memory, or -1 without memory. */
  int
  GetDeviceNumber() const;

  /** Makes the stream wait for pending work on the pixels. Work that the caller enqueues in the stream afterwards may
   * read and write them. */
  void
  MakeVisibleTo(std::uintptr_t stream) const;

  /** Waits for all work on the device. For pixels that an external library has written in an unknown stream. */
  void
  WaitForDevice() const;

  /** Returns the stream of this library for the given device and the calling thread. */
  static std::uintptr_t
  GetStream(int device);

protected:
  CudaSharedPixels();
  ~CudaSharedPixels() override;

private:
  friend class CudaFilters::DevicePixels;

  std::shared_ptr<CudaFilters::DeviceBuffer> m_Buffer;
};
} // namespace itk

#endif
