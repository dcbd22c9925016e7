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
 * \brief Device memory that an image and somebody outside ITK use together.
 *
 * CudaBackedImage::ShareOnDevice() lends the pixels of an image to others, CudaBackedImage::AdoptFromDevice() makes
 * memory of others the pixels of an image; nothing is copied. Whoever holds such an object keeps the memory: an image
 * that is computed anew or goes away leaves it as it is, and memory of others is given back when the last image and the
 * last work on the device that uses it are done with it.
 *
 * Streams are given as the number that a cudaStream_t is: 1 is the legacy default stream, 2 the default stream of the
 * calling thread.
 *
 * \sa CudaBackedImage
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

  /** Without memory; see Borrow(). */
  itkFactorylessNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaSharedPixels";
  }

  /** Takes memory of somebody else, which is never written here. The owner is let go of after the last use. Work
   * that was enqueued in the stream so far comes before any use; a stream of 0: there is nothing to wait for. */
  void
  Borrow(std::uintptr_t pointer, SizeValueType bytes, std::uintptr_t stream, std::shared_ptr<void> owner);

  std::uintptr_t
  GetPointer() const;

  SizeValueType
  GetNumberOfBytes() const;

  /** -1 without memory. */
  int
  GetDeviceNumber() const;

  /** Work that is enqueued in the stream from now on finds the pixels, and may write them. */
  void
  MakeVisibleTo(std::uintptr_t stream) const;

  /** Waits for all work on the device: where it is not known in which stream others have written the pixels. */
  void
  WaitForDevice() const;

  /** A stream of this library on a device, and of the calling thread. */
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
