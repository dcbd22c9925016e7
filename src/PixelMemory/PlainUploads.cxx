// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "PlainUploads.h"
#include "CudaFilters/Execution.h"
#include <algorithm>
#include <iterator>

namespace itk
{
namespace CudaFilters
{
PlainUploads &
PlainUploads::GetInstance()
{
  // Never destroyed: filters with static lifetime still use it when the program exits.
  static PlainUploads & instance = *new PlainUploads;
  return instance;
}

void
PlainUploads::Announce(const void * reader, const DataObject * image)
{
  const std::lock_guard<std::mutex> lock(m_Mutex);
  m_Announced.emplace(image, reader);
}

void
PlainUploads::Withdraw(const void * reader)
{
  this->RemoveAnnouncements(reader);
  this->ReleaseUnannounced();
}

PlainUploads::Reader::Reader(const void * reader) { GetInstance().RemoveAnnouncements(reader); }

PlainUploads::Reader::~Reader() { GetInstance().ReleaseUnannounced(); }

void
PlainUploads::RemoveAnnouncements(const void * reader)
{
  const std::lock_guard<std::mutex> lock(m_Mutex);
  for (auto it = m_Announced.begin(); it != m_Announced.end();)
  {
    it = it->second == reader ? m_Announced.erase(it) : std::next(it);
  }
}

void
PlainUploads::ReleaseUnannounced()
{
  std::vector<Upload>               released; // without the mutex
  const std::lock_guard<std::mutex> lock(m_Mutex);
  const auto                        unannounced =
    std::stable_partition(m_Uploads.begin(), m_Uploads.end(), [this](const Upload & upload) {
      return this->IsAnnounced(upload.Source.Image);
    });
  std::move(unannounced, m_Uploads.end(), std::back_inserter(released));
  m_Uploads.erase(unannounced, m_Uploads.end());
}

bool
PlainUploads::IsAnnounced(const DataObject * image) const
{
  const auto first = m_Announced.lower_bound({ image, nullptr });
  return first != m_Announced.end() && first->first == image;
}

PlainUploads::Key
PlainUploads::MakeKey(const PixelImage & image)
{
  const DataObject * const data = image.GetDataObject();
  return { data, image.GetHostBuffer(), data->GetUpdateMTime(), data->GetMTime(), image.GetBufferedRegion() };
}

DeviceLease
PlainUploads::Read(const Execution & execution, const PixelImage & image, std::uint64_t tick)
{
  const std::lock_guard<std::mutex> lock(m_Mutex);
  if (m_Uploads.empty())
  {
    return {};
  }
  const Key  key = MakeKey(image);
  const auto found = std::find_if(m_Uploads.begin(), m_Uploads.end(), [&](const Upload & upload) {
    const Key & source = upload.Source;
    return source.Image == key.Image && source.Buffer == key.Buffer && source.UpdateTime == key.UpdateTime &&
           source.ModifiedTime == key.ModifiedTime && source.Region == key.Region &&
           upload.Pixels->GetDevice() == GetDevice(execution) && upload.Pixels->GetCopyTick() > tick;
  });
  return found == m_Uploads.end() ? DeviceLease() : found->Pixels->Read(execution);
}

void
PlainUploads::Keep(const PixelImage & image, const DevicePixels & pixels)
{
  const std::lock_guard<std::mutex> lock(m_Mutex);
  if (this->IsAnnounced(image.GetDataObject()))
  {
    m_Uploads.push_back({ MakeKey(image), std::make_unique<DevicePixels>() });
    m_Uploads.back().Pixels->Adopt(pixels);
  }
}

bool
PlainUploads::Release()
{
  std::vector<Upload>               released; // without the mutex
  const std::lock_guard<std::mutex> lock(m_Mutex);
  released.swap(m_Uploads);
  return !released.empty();
}
} // namespace CudaFilters
} // namespace itk
