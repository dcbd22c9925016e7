// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaImageAccess_h
#define itkCudaImageAccess_h

#include "itkCudaBackedImage.h"
#include "CudaFilters/Grid.h"
#include "itkImageRegion.h"
#include <limits>
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
  {
    ContainerType * const container = GetContainer(image);
    if (container != nullptr && (region == m_Region || IsReady(image, GetDevice(execution), tick)))
    {
      const Trust trust(image, tick);
      m_Lease = container->ReadOnDevice(execution, trust.Always, trust.Tick);
      return;
    }
    // Plain pixels, or a small part of many: just the region goes to the device, for this run alone.
    DevicePixels box;
    box.UploadBox(execution,
                  image.GetBufferPointer(),
                  GetSizeOf(m_Region),
                  GetStartWithin(m_Region, region),
                  GetSizeOf(region),
                  sizeof(TPixel));
    m_Lease = box.Read(execution);
    m_Region = region;
  }

  const TPixel *
  GetPointer() const
  {
    return static_cast<const TPixel *>(m_Lease.GetPointer());
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

  RegionType  m_Region;
  DeviceLease m_Lease;
};

/** All buffered pixels of an image as a filter writes them on the device. What was written counts only after
 * Finish(). */
template <typename TPixel, unsigned int VDimension>
class DeviceWriter
{
public:
  using ImageType = Image<TPixel, VDimension>;

  DeviceWriter(const Execution & execution, ImageType & image)
    : m_Image(image)
  {
    const auto size = image.GetBufferedRegion().GetNumberOfPixels();
    m_Container = ContainerType::Cast(image.GetPixelContainer());
    m_Lease =
      m_Container ? m_Container->WriteOnDevice(execution, size) : m_Temporary.Write(execution, size * sizeof(TPixel));
  }

  TPixel *
  GetPointer() const
  {
    return static_cast<TPixel *>(m_Lease.GetPointer());
  }

  void
  Finish()
  {
    if (m_Container)
    {
      m_Container->AcceptFromDevice(std::move(m_Lease));
      return;
    }
    // A plain container was grafted: its owner expects the pixels there.
    m_Temporary.Accept(std::move(m_Lease));
    m_Image.Allocate();
    m_Temporary.Download(m_Image.GetBufferPointer(), m_Temporary.GetBytes());
  }

private:
  using ContainerType = typename DeviceReader<TPixel, VDimension>::ContainerType;

  ImageType &                     m_Image;
  typename ContainerType::Pointer m_Container;
  DevicePixels                    m_Temporary;
  DeviceLease                     m_Lease;
};
} // namespace CudaFilters
} // namespace itk

#endif
