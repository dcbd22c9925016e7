// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/ImageList.h"

namespace itk
{
namespace CudaFilters
{
DeviceContainer::~DeviceContainer() = default;

PixelImage::~PixelImage() = default;

ImageList::ImageList() = default;

ImageList::~ImageList() = default;
} // namespace CudaFilters
} // namespace itk
