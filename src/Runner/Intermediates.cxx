// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Intermediates.h"
#include "CudaFilters/DeviceError.h"
#include "CudaFilters/detail/LostPixels.h"
#include <exception>
#include <iterator>
#include <string>
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
thread_local Intermediates * innermost = nullptr;
} // namespace

Intermediates::Intermediates()
  : m_Outer(innermost)
{
  innermost = this;
}

Intermediates::~Intermediates()
{
  innermost = m_Outer;
  // Images are left if the update has failed.
  for (const Entry & entry : m_Entries)
  {
    try
    {
      DownloadOrDiscard(entry);
    }
    catch (const std::exception & error)
    {
      entry.Holder->DiscardPixels(); // an update computes them again
      itkGenericOutputMacro(<< "Pixels of an update that failed are lost: " << error.what());
    }
  }
}

Intermediates *
Intermediates::GetInnermost()
{
  return innermost;
}

void
Intermediates::DownloadOrDiscard(const Entry & entry)
{
  try
  {
    DownloadPixelsUnlessTracked(*entry.Holder);
  }
  catch (const DeviceError &)
  {
    DiscardLostPixels(*entry.Image);
  }
}

void
Intermediates::Add(DataObject * image)
{
  if (auto * const holder = dynamic_cast<CudaPixelHolder *>(image))
  {
    m_Entries.push_back({ image, holder });
  }
}

void
Intermediates::PassOn()
{
  if (m_Outer != nullptr)
  {
    std::move(m_Entries.begin(), m_Entries.end(), std::back_inserter(m_Outer->m_Entries));
    m_Entries.clear();
  }
}

void
Intermediates::Download(const std::function<void(const DeviceError &)> & fallBackOrThrow)
{
  std::string whyLost;
  // An image leaves the list when it is valid: the destructor takes care of the others.
  for (; !m_Entries.empty(); m_Entries.pop_back())
  {
    const Entry & entry = m_Entries.back();
    DataObject &  image = *entry.Image;
    if (image.GetReferenceCount() == 1 || image.GetDataReleased())
    {
      continue; // nobody can read it
    }
    try
    {
      if (entry.Holder->GetDeviceNumber() >= 0)
      {
        DownloadPixelsUnlessTracked(*entry.Holder);
      }
    }
    catch (const DeviceError & error)
    {
      DiscardLostPixels(image);
      fallBackOrThrow(error);
      whyLost = error.what();
    }
    if (!whyLost.empty())
    {
      // This image, or another one that is computed from it, may have been lost.
      PrepareToComputeAgain(image, whyLost.c_str());
      image.UpdateOutputData();
    }
    entry.Holder->SetHostModified(); // from now on the program may write the pixels: the device's are not used again
  }
}
} // namespace CudaFilters
} // namespace itk
