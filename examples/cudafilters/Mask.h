// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_Mask_h
#define cudafilters_Mask_h

#include "Command.h"
#include "itkImageDuplicator.h"
#include "itkImageRegionIterator.h"

/** Makes pixels above a level 1, and others 0. */
template <typename TImage>
void
MakeBinary(TImage & image, double level)
{
  for (itk::ImageRegionIterator<TImage> it(&image, image.GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(static_cast<double>(it.Get()) > level ? 1 : 0);
  }
}

inline Demonstration::ImageType::Pointer
CopyPicture(const Demonstration::ImageType * picture)
{
  const auto copy = itk::ImageDuplicator<Demonstration::ImageType>::New();
  copy->SetInputImage(picture);
  copy->Update();
  return copy->GetOutput();
}

/** A copy of a picture in which pixels above a level are 1, and others 0. */
inline Demonstration::ImageType::Pointer
MakeMaskOfPicture(const Demonstration::ImageType * picture, double level)
{
  const Demonstration::ImageType::Pointer mask = CopyPicture(picture);
  MakeBinary(*mask, level);
  return mask;
}

#endif
