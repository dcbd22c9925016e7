// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "PlainUploads.h"
#include "CudaFilters/Execution.h"
#include "Device/ForkSafeInstance.h"
#include <algorithm>
#include <iterator>

namespace itk
{
namespace CudaFilters
{
PlainUploads &
PlainUploads::GetInstance()
{
  return GetForkSafeInstance<PlainUploads>();
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

PlainUploads::RunScope::RunScope(const void * reader) { GetInstance().RemoveAnnouncements(reader); }

PlainUploads::RunScope::~RunScope() { GetInstance().ReleaseUnannounced(); }

void
PlainUploads::RemoveAnnouncements(const void * reader)
{
  const std::lock_guard<std::mutex> lock(m_Mutex);
  for (auto it = m_Announced.begin(); it != m_Announced.end();)
  {
    it = it->second == reader ? m_Announced.erase(it) : std::next(it);
  }
}

template <typename TPredicate>
bool
PlainUploads::ReleaseIf(TPredicate isToRelease)
{
  std::vector<Upload>               released; // destroyed after the mutex is unlocked
  const std::lock_guard<std::mutex> lock(m_Mutex);
  const auto                        first = std::stable_partition(
    m_Uploads.begin(), m_Uploads.end(), [&](const Upload & upload) { return !isToRelease(upload.Source.Image); });
  std::move(first, m_Uploads.end(), std::back_inserter(released));
  m_Uploads.erase(first, m_Uploads.end());
  return !released.empty();
}

void
PlainUploads::ReleaseUnannounced()
{
  this->ReleaseIf([this](const DataObject * image) { return !this->IsAnnounced(image); });
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
    return upload.Source == key && upload.Pixels->GetDevice() == GetDevice(execution) &&
           upload.Pixels->GetCopyTick() > tick;
  });
  return found == m_Uploads.end() ? DeviceLease() : found->Pixels->Read(execution);
}

void
PlainUploads::Keep(const Key & source, const PixelImage & image, const DevicePixels & pixels)
{
  this->Release(source.Image);
  const bool                        isSame = MakeKey(image) == source;
  const std::lock_guard<std::mutex> lock(m_Mutex);
  if (isSame && this->IsAnnounced(source.Image))
  {
    m_Uploads.push_back({ source, std::make_unique<DevicePixels>() });
    m_Uploads.back().Pixels->Adopt(pixels);
  }
}

bool
PlainUploads::Key::operator==(const Key & other) const
{
  return this->Image == other.Image && this->Buffer == other.Buffer && this->UpdateTime == other.UpdateTime &&
         this->ModifiedTime == other.ModifiedTime && this->Region == other.Region;
}

bool
PlainUploads::Release(const DataObject * image)
{
  return this->ReleaseIf([image](const DataObject * other) { return other == image; });
}

bool
PlainUploads::ReleaseAll()
{
  return this->ReleaseIf([](const DataObject *) { return true; });
}
} // namespace CudaFilters
} // namespace itk
