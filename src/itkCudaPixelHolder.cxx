// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaPixelHolder.h"
#include <algorithm>

namespace itk
{
namespace
{
thread_local CudaDeviceReadScope * innermostReaders = nullptr;
}

CudaPixelHolder::~CudaPixelHolder() = default;

bool
CudaPixelHolder::ConsumeDeviceReadAnnouncement()
{
  if (innermostReaders == nullptr)
  {
    return false;
  }
  auto &     holders = innermostReaders->m_Holders;
  const auto announced = std::find(holders.begin(), holders.end(), this);
  if (announced == holders.end())
  {
    return false;
  }
  holders.erase(announced);
  return true;
}

CudaDeviceReadScope::CudaDeviceReadScope()
  : m_Outer(innermostReaders)
{
  innermostReaders = this;
}

CudaDeviceReadScope::~CudaDeviceReadScope() { innermostReaders = m_Outer; }

void
CudaDeviceReadScope::Add(CudaPixelHolder & holder)
{
  m_Holders.push_back(&holder);
}
} // namespace itk
