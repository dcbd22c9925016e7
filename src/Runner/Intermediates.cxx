// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Intermediates.h"
#include "CudaFilters/DeviceError.h"
#include "LostPixels.h"
#include <iterator>
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
  // There are images if the update has failed.
  for (const DataObject::Pointer & image : m_Images)
  {
    try
    {
      MakeHostValidUnlessTracked(dynamic_cast<const CudaPixelHolder &>(*image));
    }
    catch (const DeviceError &)
    {
      DiscardLostPixels(image);
    }
    catch (const ExceptionObject & error)
    {
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
Intermediates::MakeHostValid(const std::function<void(const DeviceError &)> & checkFallback)
{
  bool isRecovering = false;
  while (!m_Images.empty())
  {
    const DataObject::Pointer image = std::move(m_Images.back());
    m_Images.pop_back();
    auto & holder = dynamic_cast<CudaPixelHolder &>(*image);
    if (image->GetReferenceCount() == 1 || image->GetDataReleased())
    {
      continue; // nobody can read it
    }
    try
    {
      if (holder.GetDeviceNumber() >= 0)
      {
        MakeHostValidUnlessTracked(holder);
      }
    }
    catch (const DeviceError & error)
    {
      checkFallback(error);
      isRecovering = true;
      DiscardLostPixels(image);
    }
    if (isRecovering)
    {
      image->UpdateOutputData(); // this image, or another one that is computed from it, may have been lost
    }
    holder.SetHostModified(); // from now on the program may write the pixels: the device's are not used again
  }
}
} // namespace CudaFilters
} // namespace itk
