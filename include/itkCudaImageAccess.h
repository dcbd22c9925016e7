// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaImageAccess_h
#define itkCudaImageAccess_h

#include "itkCudaBackedImage.h"
#include "itkCudaGrid.h"
#include "itkImageRegion.h"
#include <limits>

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
    : m_Execution(execution)
    , m_Region(image.GetBufferedRegion())
  {
    ContainerType * const container = GetContainer(image);
    if (container != nullptr && (region == m_Region || IsReady(image, GetDevice(execution), tick)))
    {
      m_Container = container;
      const Trust trust(image, tick);
      m_Pointer = container->BeginDeviceRead(execution, trust.Always, trust.Tick);
      return;
    }
    // Plain pixels, or a small part of many: just the region goes to the device, for this run alone.
    m_Temporary.UploadBox(execution,
                          image.GetBufferPointer(),
                          GetSizeOf(m_Region),
                          GetStartWithin(m_Region, region),
                          GetSizeOf(region),
                          sizeof(TPixel));
    m_Pointer = static_cast<const TPixel *>(m_Temporary.BeginRead(execution));
    m_Region = region;
  }

  ~DeviceReader()
  {
    if (m_Container)
    {
      m_Container->EndDeviceRead(m_Execution);
    }
  }

  DeviceReader(const DeviceReader &) = delete;
  DeviceReader &
  operator=(const DeviceReader &) = delete;

  const TPixel *
  GetPointer() const
  {
    return m_Pointer;
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
    return const_cast<ContainerType *>(dynamic_cast<const ContainerType *>(image.GetPixelContainer()));
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

  const Execution &               m_Execution;
  RegionType                      m_Region;
  typename ContainerType::Pointer m_Container;
  DevicePixels                    m_Temporary;
  const TPixel *                  m_Pointer = nullptr;
};

/** All buffered pixels of an image as a filter writes them on the device. What was written counts only after
 * Finish(). */
template <typename TPixel, unsigned int VDimension>
class DeviceWriter
{
public:
  using ImageType = Image<TPixel, VDimension>;

  DeviceWriter(const Execution & execution, ImageType & image)
    : m_Execution(execution)
    , m_Image(image)
  {
    const auto size = image.GetBufferedRegion().GetNumberOfPixels();
    m_Container = dynamic_cast<ContainerType *>(image.GetPixelContainer());
    m_Pointer = m_Container ? m_Container->BeginDeviceWrite(execution, size)
                            : static_cast<TPixel *>(m_Temporary.BeginWrite(execution, size * sizeof(TPixel)));
  }

  DeviceWriter(const DeviceWriter &) = delete;
  DeviceWriter &
  operator=(const DeviceWriter &) = delete;

  TPixel *
  GetPointer() const
  {
    return m_Pointer;
  }

  void
  Finish()
  {
    if (m_Container)
    {
      m_Container->EndDeviceWrite(m_Execution);
      return;
    }
    // A plain container was grafted: its owner expects the pixels there.
    m_Temporary.EndWrite(m_Execution);
    m_Image.Allocate();
    m_Temporary.Download(m_Image.GetBufferPointer(), m_Temporary.GetBytes());
  }

private:
  using ContainerType = typename DeviceReader<TPixel, VDimension>::ContainerType;

  const Execution &               m_Execution;
  ImageType &                     m_Image;
  typename ContainerType::Pointer m_Container;
  DevicePixels                    m_Temporary;
  TPixel *                        m_Pointer = nullptr;
};
} // namespace CudaFilters
} // namespace itk

#endif
