// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "ImageAccess.h"
#include "CudaFilters/DeviceError.h"
#include "CudaFilters/Execution.h"
#include <limits>
#include <string>
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** When to use the device copy although there is a host copy, too. A plain image may hold a container that it took from
 * a CudaBackedImage and wrote to, as a filter that runs in place does: never. */
struct Trust
{
  bool          Always = false;
  std::uint64_t Tick = std::numeric_limits<std::uint64_t>::max();

  Trust(const PixelImage & image, std::uint64_t tick)
  {
    if (const CudaPixelHolder * const holder = image.GetHolder())
    {
      this->Always = holder->GetHostAccessTracked();
      this->Tick = tick;
    }
  }
};

int
GetLastAxis(const PixelImage & image)
{
  return static_cast<int>(image.GetDimension()) - 1;
}
} // namespace

HostBox
MakeHostBox(const PixelImage & image, const Region3 & region)
{
  return HostBox::OfRegion(image.GetHostBuffer(), image.GetBufferedRegion(), region, image.GetBytesPerPixel());
}

bool
DeviceReader::IsReady(const PixelImage & image, int device, std::uint64_t tick)
{
  const DeviceContainer * const container = image.GetDeviceContainer();
  const Trust                   trust(image, tick);
  return container != nullptr && container->IsReadyOnDevice(device, trust.Always, trust.Tick);
}

DeviceReader::DeviceReader(const Execution &  execution,
                           const PixelImage & image,
                           const Region3 &    region,
                           std::uint64_t      tick)
  : m_Axis(GetLastAxis(image))
  , m_Region(image.GetBufferedRegion())
  , m_BufferStart(m_Region.Start[m_Axis])
{
  DeviceContainer * const container = image.GetDeviceContainer();
  m_Owner = container == nullptr ? nullptr : container->GetContainerObject();
  if (container != nullptr && (region == m_Region || IsReady(image, GetDevice(execution), tick)))
  {
    const Trust trust(image, tick);
    const auto  size = static_cast<std::int64_t>(container->GetNumberOfPixels());
    if (size < m_Region.GetNumberOfPixels())
    {
      throw DeviceError(DeviceError::Kind::Failure,
                        "the image has a buffer of " + std::to_string(size) + " pixels for a region of " +
                          std::to_string(m_Region.GetNumberOfPixels()));
    }
    if (size == m_Region.GetNumberOfPixels())
    {
      m_Upload = container->UploadInSlabs(execution, m_Region.Size, m_Axis, trust.Always, trust.Tick);
    }
    if (!m_Upload)
    {
      m_Lease = container->ReadOnDevice(execution, trust.Always, trust.Tick);
    }
    return;
  }
  // A plain image, or a small part of a large one: just the region goes to the device, for this run alone.
  m_Upload = std::make_unique<SlabUpload>(execution, m_Pixels, MakeHostBox(image, region), m_Axis);
  m_Region = region;
}

void
DeviceReader::Provide(const Region3 & region)
{
  if (m_Upload)
  {
    if (!region.IsInside(m_Region))
    {
      throw DeviceError(DeviceError::Kind::Failure,
                        "the operation asks for more of an input for a part of the output than for all of it");
    }
    m_Upload->ProvideUntil(region.GetEnd(m_Axis) - m_BufferStart);
  }
}

void
DeviceReader::Finish()
{
  if (m_Upload)
  {
    m_Upload->Finish();
  }
}

const void *
DeviceReader::GetPointer() const
{
  return m_Upload ? m_Upload->GetPointer() : m_Lease.GetPointer();
}

DeviceWriter::DeviceWriter(const Execution & execution, PixelImage & image)
  : m_Axis(GetLastAxis(image))
  , m_BufferStart(image.GetBufferedRegion().Start[m_Axis])
  , m_Container(image.GetDeviceContainer())
  , m_Owner(m_Container == nullptr ? nullptr : m_Container->GetContainerObject())
{
  const Region3 region = image.GetBufferedRegion();
  const auto    pixels = static_cast<SizeValueType>(region.GetNumberOfPixels());
  void *        host = nullptr;
  if (m_Container != nullptr)
  {
    const CudaPixelHolder * const holder = image.GetHolder();
    m_Lease = m_Container->WriteOnDevice(execution, pixels);
    host = holder != nullptr && holder->IsHostWanted() ? m_Container->PrepareDownload(pixels) : nullptr;
  }
  else
  {
    // A plain container was grafted: its owner expects the pixels there.
    m_Lease = m_Temporary.Write(execution, pixels * image.GetBytesPerPixel());
    image.AllocateHost();
    host = image.GetHostBuffer();
  }
  if (host != nullptr)
  {
    const HostBox box = HostBox::OfRegion(host, region, region, image.GetBytesPerPixel());
    m_Download = std::make_unique<SlabDownload>(execution, m_Lease.GetPointer(), box, m_Axis);
  }
}

void
DeviceWriter::Take(const Region3 & region)
{
  if (m_Download)
  {
    m_Download->TakeUntil(region.GetEnd(m_Axis) - m_BufferStart);
  }
}

void
DeviceWriter::Finish()
{
  if (m_Download)
  {
    m_Download->Finish();
  }
  if (m_Container == nullptr)
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
} // namespace CudaFilters
} // namespace itk
