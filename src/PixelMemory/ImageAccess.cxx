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
/** The tick after which a device copy must have been made to be used although the host copy is visible. A plain image
 * may hold a container that it took from a CudaBackedImage and wrote to, as a filter that runs in place does: then no
 * device copy is recent enough. */
std::uint64_t
GetTrustTick(const PixelImage & image, std::uint64_t tick)
{
  return image.GetHolder() == nullptr ? std::numeric_limits<std::uint64_t>::max() : tick;
}

int
GetLastAxis(const PixelImage & image)
{
  return static_cast<int>(image.GetDimension()) - 1;
}
} // namespace

HostBox
MakeHostBox(const PixelImage & image, const Region3 & region)
{
  const void * const buffer = image.GetHostBuffer();
  if (buffer == nullptr)
  {
    throw DeviceError(DeviceError::Kind::MissingPixels, "an image has a region, but no pixels");
  }
  return HostBox::OfRegion(buffer, image.GetBufferedRegion(), region, image.GetBytesPerPixel());
}

bool
DeviceReader::IsReady(const PixelImage & image, int device, std::uint64_t tick)
{
  const DeviceContainer * const container = image.GetDeviceContainer();
  return container != nullptr && container->IsReadyOnDevice(device, GetTrustTick(image, tick));
}

DeviceReader::DeviceReader(const Execution &  execution,
                           const PixelImage & image,
                           const Region3 &    region,
                           std::uint64_t      tick)
  : m_Axis(GetLastAxis(image))
  , m_Region(image.GetBufferedRegion())
  , m_BufferStart(m_Region.Start[m_Axis])
{
  if (DeviceContainer * const container = image.GetDeviceContainer())
  {
    m_Owner = container->GetContainerObject();
    const auto size = static_cast<std::int64_t>(container->GetNumberOfPixels());
    if (size < m_Region.GetNumberOfPixels())
    {
      const bool isMissing = static_cast<std::int64_t>(container->GetVisibleCapacity()) < m_Region.GetNumberOfPixels();
      throw DeviceError(isMissing ? DeviceError::Kind::MissingPixels : DeviceError::Kind::Unsuited,
                        "the image has a buffer of " + std::to_string(size) + " pixels for a region of " +
                          std::to_string(m_Region.GetNumberOfPixels()));
    }
    m_Lease = container->ReadOnDevice(execution, GetTrustTick(image, tick));
    if (m_Lease)
    {
      return;
    }
    if (region == m_Region)
    {
      const DeviceContainer::HostVersion host = container->BeginUpload(m_Pixels);
      const HostBox box = HostBox::OfRegion(host.Pixels, m_Region, m_Region, image.GetBytesPerPixel());
      m_Upload = std::make_unique<SlabUpload>(execution, m_Pixels, box, m_Axis);
      m_Container = container;
      m_Version = host.Version;
      return;
    }
  }
  else if (region == m_Region)
  {
    m_Lease = PlainUploads::GetInstance().Read(execution, image, tick);
    if (m_Lease)
    {
      return;
    }
    m_PlainImage = &image;
    m_PlainKey = PlainUploads::MakeKey(image);
  }
  // A plain image, or a small part of a large one: only the region is uploaded.
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
    if (m_Container != nullptr)
    {
      m_Container->AcceptUpload(m_Pixels, m_Version);
    }
    else if (m_PlainImage != nullptr)
    {
      PlainUploads::GetInstance().Keep(m_PlainKey, *m_PlainImage, m_Pixels);
    }
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
  , m_Holder(image.GetHolder())
  , m_Owner(m_Container == nullptr ? nullptr : m_Container->GetContainerObject())
{
  const Region3 region = image.GetBufferedRegion();
  const auto    pixels = static_cast<SizeValueType>(region.GetNumberOfPixels());
  void *        host = nullptr;
  if (m_Container != nullptr)
  {
    m_Lease = m_Container->WriteOnDevice(execution, pixels);
    const bool isHostWanted = m_Holder != nullptr && m_Holder->IsHostWanted();
    host = isHostWanted || m_Container->IsHostVisible() ? m_Container->PrepareDownload(pixels) : nullptr;
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
  m_Container->AcceptFromDevice(std::move(m_Lease), m_Download != nullptr);
  if (m_Holder != nullptr)
  {
    m_Holder->SetComputedOnDevice();
  }
}
} // namespace CudaFilters
} // namespace itk
