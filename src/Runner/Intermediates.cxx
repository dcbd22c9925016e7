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
  for (const DataObject::Pointer & image : m_Images)
  {
    try
    {
      try
      {
        DownloadUntrackedPixels(dynamic_cast<const CudaPixelHolder &>(*image));
      }
      catch (const DeviceError &)
      {
        DiscardLostPixels(*image);
      }
    }
    catch (const std::exception & error)
    {
      dynamic_cast<CudaPixelHolder &>(*image).DiscardPixels(); // an update computes them again
      itkGenericOutputMacro(<< "Pixels of an update that failed are lost: " << error.what());
    }
  }
}

void
Intermediates::Add(DataObject * image)
{
  m_Images.emplace_back(image);
}

void
Intermediates::PassOn()
{
  if (m_Outer != nullptr)
  {
    std::move(m_Images.begin(), m_Images.end(), std::back_inserter(m_Outer->m_Images));
    m_Images.clear();
  }
}

void
Intermediates::Download(const std::function<void(const DeviceError &)> & checkFallback)
{
  std::string whyLost;
  // An image leaves the list when it is valid: the destructor takes care of the others.
  for (; !m_Images.empty(); m_Images.pop_back())
  {
    DataObject & image = *m_Images.back();
    auto &       holder = dynamic_cast<CudaPixelHolder &>(image);
    if (image.GetReferenceCount() == 1 || image.GetDataReleased())
    {
      continue; // nobody can read it
    }
    try
    {
      if (holder.GetDeviceNumber() >= 0)
      {
        DownloadUntrackedPixels(holder);
      }
    }
    catch (const DeviceError & error)
    {
      DiscardLostPixels(image);
      checkFallback(error);
      whyLost = error.what();
    }
    if (!whyLost.empty())
    {
      // This image, or another one that is computed from it, may have been lost.
      PrepareToComputeAgain(image, whyLost.c_str());
      image.UpdateOutputData();
    }
    holder.SetHostModified(); // from now on the program may write the pixels: the device's are not used again
  }
}
} // namespace CudaFilters
} // namespace itk
