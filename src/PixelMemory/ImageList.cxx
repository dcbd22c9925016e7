// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/ImageList.h"

namespace itk
{
namespace CudaFilters
{
DeviceContainer::~DeviceContainer() = default;

PixelImage::~PixelImage() = default;

PixelRegion::PixelRegion(const Region3 & region, unsigned int dimension, const DataObject * image)
  : m_Region(region)
  , m_Dimension(dimension)
  , m_Image(image)
{}

Region3
PixelRegion::GetBufferedRegion() const
{
  return m_Region;
}

unsigned int
PixelRegion::GetDimension() const
{
  return m_Dimension;
}

std::size_t
PixelRegion::GetBytesPerPixel() const
{
  return 0;
}

void *
PixelRegion::GetHostBuffer() const
{
  return nullptr;
}

void
PixelRegion::AllocateHost()
{}

DeviceContainer *
PixelRegion::GetDeviceContainer() const
{
  return nullptr;
}

CudaPixelHolder *
PixelRegion::GetHolder() const
{
  return nullptr;
}

const DataObject *
PixelRegion::GetDataObject() const
{
  return m_Image;
}

ImageList::ImageList() = default;

ImageList::~ImageList() = default;
} // namespace CudaFilters
} // namespace itk
