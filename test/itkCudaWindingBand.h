// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaWindingBand_h
#define itkCudaWindingBand_h

#include "itkImageRegionIterator.h"

namespace itk
{
namespace CudaTest
{
/** Draws a band that winds from the first pixel of a 2-D image to its middle, with as much space between the turns as
 * the band is wide: the longest way that there is in an image. Returns where it ends. */
template <typename TImage>
typename TImage::IndexType
DrawWindingBand(TImage & image, IndexValueType width, typename TImage::PixelType value)
{
  const auto size = image.GetBufferedRegion().GetSize();
  // In units of the width, both ends included.
  const auto fill = [&](IndexValueType left, IndexValueType top, IndexValueType right, IndexValueType bottom) {
    if (left > right || top > bottom)
    {
      return;
    }
    const typename TImage::IndexType start{ { left * width, top * width } };
    const typename TImage::SizeType  extent{ { static_cast<SizeValueType>((right - left + 1) * width),
                                               static_cast<SizeValueType>((bottom - top + 1) * width) } };
    for (ImageRegionIterator<TImage> it(&image, { start, extent }); !it.IsAtEnd(); ++it)
    {
      it.Set(value);
    }
  };
  IndexValueType first = 0;
  IndexValueType right = static_cast<IndexValueType>(size[0]) / width - 1;
  IndexValueType bottom = static_cast<IndexValueType>(size[1]) / width - 1;
  for (; first < right && first < bottom; first += 2, right -= 2, bottom -= 2)
  {
    fill(first, first, right, first);
    fill(right, first, right, bottom);
    fill(first, bottom, right, bottom);
    fill(first, first + 2, first, bottom);
    if (first + 2 <= bottom)
    {
      fill(first, first + 2, first + 1, first + 2);
    }
  }
  return { { (first - 2) * width, first * width } };
}
} // namespace CudaTest
} // namespace itk

#endif
