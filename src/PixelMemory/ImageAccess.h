// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersImageAccess_h
#define itkCudaFiltersImageAccess_h

#include "CudaFilters/ImageList.h"
#include "PlainUploads.h"
#include "CudaFilters/detail/SlabCopy.h"
#include <cstdint>
#include <memory>

namespace itk
{
namespace CudaFilters
{
/** The pixels of a region of an image on the host. */
HostBox
MakeHostBox(const PixelImage & image, const Region3 & region);

/** The pixels of an image, wherever they are, as an operation reads them on the device; from construction to
 * destruction. */
class DeviceReader
{
public:
  /** Whether the device has valid pixels already. tick: see DeviceContainer::ReadOnDevice(). */
  static bool
  IsReady(const PixelImage & image, int device, std::uint64_t tick);

  /** region: what will be read at most. */
  DeviceReader(const Execution & execution, const PixelImage & image, const Region3 & region, std::uint64_t tick);

  /** Whether all pixels are on the device, or some are still to be copied. */
  bool
  IsComplete() const
  {
    return !m_Upload;
  }

  /** Work that is enqueued from now on finds the pixels of a region, and all before it along the last axis. */
  void
  Provide(const Region3 & region);

  /** Waits until all pixels are on the device. */
  void
  Finish();

  /** Valid until Finish(). */
  const void *
  GetPointer() const;

  /** The region whose pixels lie densely at the pointer. */
  const Region3 &
  GetRegion() const
  {
    return m_Region;
  }

private:
  int                         m_Axis;  // the last one
  LightObject::Pointer        m_Owner; // of the pixels, in case a progress observer replaces the container
  Region3                     m_Region;
  std::int64_t                m_BufferStart; // of the image's buffer along the last axis
  DeviceLease                 m_Lease;       // of pixels that the container has on the device
  DevicePixels                m_Pixels;      // otherwise: the uploaded pixels
  std::unique_ptr<SlabUpload> m_Upload;
  DeviceContainer *           m_Container = nullptr;  // which accepts the uploaded pixels
  std::uint64_t               m_Version = 0;          // of the uploaded pixels
  const PixelImage *          m_PlainImage = nullptr; // whose uploaded pixels other filters may read
  PlainUploads::Key           m_PlainKey{};
};

/** All buffered pixels of an image as an operation writes them on the device. They become the pixels of the image in
 * Finish(). */
class DeviceWriter
{
public:
  DeviceWriter(const Execution & execution, PixelImage & image);

  /** Whether the pixels are copied to the host, too. */
  bool
  GoesToHost() const
  {
    return m_Download != nullptr;
  }

  /** Valid until Finish(). */
  void *
  GetPointer() const
  {
    return m_Lease.GetPointer();
  }

  /** The pixels of a region, and all before it along the last axis, are computed by the work enqueued so far. */
  void
  Take(const Region3 & region);

  void
  Finish();

private:
  int                           m_Axis; // the last one
  std::int64_t                  m_BufferStart;
  DeviceContainer *             m_Container;
  CudaPixelHolder *             m_Holder;
  LightObject::Pointer          m_Owner;     // as in DeviceReader
  DevicePixels                  m_Temporary; // for a plain container
  DeviceLease                   m_Lease;
  std::unique_ptr<SlabDownload> m_Download;
};
} // namespace CudaFilters
} // namespace itk

#endif
