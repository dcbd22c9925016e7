// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaPixelHolder.h"
#include <algorithm>

namespace itk
{
namespace
{
thread_local CudaDeviceReaders * innermostReaders = nullptr;
}

CudaPixelHolder::~CudaPixelHolder() = default;

bool
CudaPixelHolder::TakeAnnouncement()
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

CudaDeviceReaders::CudaDeviceReaders()
  : m_Outer(innermostReaders)
{
  innermostReaders = this;
}

CudaDeviceReaders::~CudaDeviceReaders() { innermostReaders = m_Outer; }

void
CudaDeviceReaders::Add(CudaPixelHolder & holder)
{
  m_Holders.push_back(&holder);
}
} // namespace itk
