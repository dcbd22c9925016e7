// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaImageAccess_h
#define itkCudaImageAccess_h

#include "itkCudaBackedImage.h"
#include "CudaFilters/DeviceError.h"
#include "CudaFilters/LocalBox.h"
#include "CudaFilters/SlabCopy.h"
#include "itkImageRegion.h"
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace itk
{
namespace CudaFilters
{
/** A region's size, and its place in another region, as kernels take them. */
template <unsigned int VDimension>
Grid
GetSizeOf(const ImageRegion<VDimension> & region)
{
  static_assert(VDimension <= 3, "Kernels know three dimensions.");
  Grid grid{ { 1, 1, 1 } };
  for (unsigned int i = 0; i < VDimension; ++i)
  {
    grid[i] = static_cast<std::int64_t>(region.GetSize(i));
  }
  return grid;
}

template <unsigned int VDimension>
Grid
GetStartWithin(const ImageRegion<VDimension> & outer, const ImageRegion<VDimension> & inner)
{
  Grid grid{ { 0, 0, 0 } };
  for (unsigned int i = 0; i < VDimension; ++i)
  {
    grid[i] = inner.GetIndex(i) - outer.GetIndex(i);
  }
  return grid;
}

/** The input and the output of a local operation. */
template <unsigned int VDimension>
LocalBox
MakeLocalBox(const ImageRegion<VDimension> & input, const ImageRegion<VDimension> & output)
{
  return { GetSizeOf(input), GetSizeOf(output), GetStartWithin(input, output) };
}

/** The pixels of a region of an image on the host. */
template <typename TPixel, unsigned int VDimension>
HostBox
MakeHostBox(const Image<TPixel, VDimension> & image, const ImageRegion<VDimension> & region)
{
  const auto & buffered = image.GetBufferedRegion();
  return { const_cast<TPixel *>(image.GetBufferPointer()),
           GetSizeOf(buffered),
           GetStartWithin(buffered, region),
           GetSizeOf(region),
           sizeof(TPixel) };
}

/** Pixels of an image, wherever they are, as a filter reads them on the device; from construction to destruction. */
template <typename TPixel, unsigned int VDimension>
class DeviceReader
{
public:
  using ImageType = Image<TPixel, VDimension>;
  using RegionType = typename ImageType::RegionType;
  using ContainerType = CudaImportImageContainer<typename ImageType::SizeValueType, TPixel>;

  /** Whether the device has the pixels already. tick: since when nobody but the pipeline has touched the image. */
  static bool
  IsReady(const ImageType & image, int device, std::uint64_t tick)
  {
    const ContainerType * const container = GetContainer(image);
    const Trust                 trust(image, tick);
    return container != nullptr && container->IsReadyOnDevice(device, trust.Always, trust.Tick);
  }

  DeviceReader(const Execution & execution, const ImageType & image, const RegionType & region, std::uint64_t tick)
    : m_Region(image.GetBufferedRegion())
    , m_BufferStart(m_Region.GetIndex(VDimension - 1))
  {
    constexpr int         axis = VDimension - 1;
    ContainerType * const container = GetContainer(image);
    if (container != nullptr && (region == m_Region || IsReady(image, GetDevice(execution), tick)))
    {
      const Trust trust(image, tick);
      const auto  size = container->Size();
      if (size < m_Region.GetNumberOfPixels())
      {
        throw DeviceError(DeviceError::Kind::Failure,
                          "the image has a buffer of " + std::to_string(size) + " pixels for a region of " +
                            std::to_string(m_Region.GetNumberOfPixels()));
      }
      if (size == m_Region.GetNumberOfPixels())
      {
        m_Upload = container->UploadInSlabs(execution, GetSizeOf(m_Region), axis, trust.Always, trust.Tick);
      }
      if (!m_Upload)
      {
        m_Lease = container->ReadOnDevice(execution, trust.Always, trust.Tick);
      }
      return;
    }
    // Plain pixels, or a small part of many: just the region goes to the device, for this run alone.
    m_Upload = std::make_unique<SlabUpload>(execution, m_Box, MakeHostBox(image, region), axis);
    m_Region = region;
  }

  /** Whether all pixels are there, or some are still to be copied. */
  bool
  IsComplete() const
  {
    return !m_Upload;
  }

  /** Work that is enqueued from now on finds the pixels of a region, and of all before it along the last axis. */
  void
  Provide(const RegionType & region)
  {
    if (m_Upload)
    {
      m_Upload->ProvideUntil(region.GetUpperIndex()[VDimension - 1] + 1 - m_BufferStart);
    }
  }

  /** Waits until all pixels are there. */
  void
  Finish()
  {
    if (m_Upload)
    {
      m_Upload->Finish();
    }
  }

  const TPixel *
  GetPointer() const
  {
    return static_cast<const TPixel *>(m_Upload ? m_Upload->GetPointer() : m_Lease.GetPointer());
  }

  /** The region whose pixels lie densely at the pointer. */
  const RegionType &
  GetRegion() const
  {
    return m_Region;
  }

private:
  static ContainerType *
  GetContainer(const ImageType & image)
  {
    return const_cast<ContainerType *>(ContainerType::Cast(image.GetPixelContainer()));
  }

  /** When to take the device's pixels though the host has some, too. A plain image may hold a container that it took
   * from a CudaBackedImage and wrote to, as a filter that runs in place does: never. */
  struct Trust
  {
    bool          Always = false;
    std::uint64_t Tick = std::numeric_limits<std::uint64_t>::max();

    Trust(const ImageType & image, std::uint64_t tick)
    {
      if (const auto * const backed = dynamic_cast<const CudaBackedImage<TPixel, VDimension> *>(&image))
      {
        this->Always = backed->GetHostAccessTracked();
        this->Tick = tick;
      }
    }
  };

  RegionType                  m_Region;
  IndexValueType              m_BufferStart; // of the image's buffer along the last axis
  DevicePixels                m_Box;         // for pixels that no container keeps
  DeviceLease                 m_Lease;       // of pixels that were there
  std::unique_ptr<SlabUpload> m_Upload;      // of those that were not
};

/** All buffered pixels of an image as a filter writes them on the device. What was written counts only after
 * Finish(). */
template <typename TPixel, unsigned int VDimension>
class DeviceWriter
{
public:
  using ImageType = Image<TPixel, VDimension>;

  DeviceWriter(const Execution & execution, ImageType & image)
    : m_Container(ContainerType::Cast(image.GetPixelContainer()))
    , m_BufferStart(image.GetBufferedRegion().GetIndex(VDimension - 1))
  {
    const auto size = image.GetBufferedRegion().GetNumberOfPixels();
    TPixel *   host = nullptr;
    if (m_Container)
    {
      const auto * const holder = dynamic_cast<const CudaPixelHolder *>(&image);
      m_Lease = m_Container->WriteOnDevice(execution, size);
      host = holder != nullptr && holder->IsHostWanted() ? m_Container->PrepareDownload(size) : nullptr;
    }
    else
    {
      // A plain container was grafted: its owner expects the pixels there.
      m_Lease = m_Temporary.Write(execution, size * sizeof(TPixel));
      image.Allocate();
      host = image.GetBufferPointer();
    }
    if (host != nullptr)
    {
      const Grid    grid = GetSizeOf(image.GetBufferedRegion());
      const HostBox box{ host, grid, { { 0, 0, 0 } }, grid, sizeof(TPixel) };
      m_Download = std::make_unique<SlabDownload>(execution, m_Lease.GetPointer(), box, VDimension - 1);
    }
  }

  /** Whether the pixels go on to the host. */
  bool
  GoesToHost() const
  {
    return m_Download != nullptr;
  }

  TPixel *
  GetPointer() const
  {
    return static_cast<TPixel *>(m_Lease.GetPointer());
  }

  /** The pixels of a region, and all before it along the last axis, have been computed by what was enqueued so far. */
  void
  Take(const ImageRegion<VDimension> & region)
  {
    if (m_Download)
    {
      m_Download->TakeUntil(region.GetUpperIndex()[VDimension - 1] + 1 - m_BufferStart);
    }
  }

  void
  Finish()
  {
    if (m_Download)
    {
      m_Download->Finish();
    }
    if (!m_Container)
    {
      m_Temporary.Accept(std::move(m_Lease));
      m_Temporary.NoteDownload(m_Temporary.GetBytes());
      return;
    }
    m_Container->AcceptFromDevice(std::move(m_Lease));
    if (m_Download)
    {
      m_Container->AcceptDownload();
    }
  }

private:
  using ContainerType = typename DeviceReader<TPixel, VDimension>::ContainerType;

  typename ContainerType::Pointer m_Container;
  IndexValueType                  m_BufferStart; // along the last axis
  DevicePixels                    m_Temporary;
  DeviceLease                     m_Lease;
  std::unique_ptr<SlabDownload>   m_Download;
};
} // namespace CudaFilters
} // namespace itk

#endif
