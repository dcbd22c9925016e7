// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_Slices_h
#define cudafilters_Slices_h

#include "itkImage.h"
#include "itkImageRegionConstIterator.h"
#include <vector>

/** What pictures show of an image: all of one of 2 dimensions, and of a volume some slices at about equal distances. */
class Slices
{
public:
  using Slice = itk::Image<double, 2>;

  static constexpr itk::SizeValueType MostSlices = 12;

  /** None, where no picture is drawn. */
  Slices() = default;
  template <typename TImage>
  explicit Slices(const TImage & image)
    : m_HasEightBits(sizeof(typename TImage::PixelType) == 1)
    , m_IsVolume(TImage::ImageDimension == 3)
  {
    auto                     region = image.GetBufferedRegion();
    const itk::SizeValueType count = m_IsVolume ? region.GetSize(TImage::ImageDimension - 1) : 1;
    const itk::SizeValueType shown = count < MostSlices ? count : MostSlices;
    const auto               first = region.GetIndex(TImage::ImageDimension - 1);
    for (itk::SizeValueType i = 0; i < shown; ++i)
    {
      // The middles of equal pieces.
      const auto number = static_cast<itk::IndexValueType>((2 * i + 1) * count / (2 * shown));
      if (m_IsVolume)
      {
        region.SetIndex(TImage::ImageDimension - 1, first + number);
        region.SetSize(TImage::ImageDimension - 1, 1);
      }
      const auto slice = Slice::New();
      slice->SetRegions(itk::Size<2>{ { region.GetSize(0), region.GetSize(1) } });
      slice->Allocate();
      double * to = slice->GetBufferPointer();
      for (itk::ImageRegionConstIterator<TImage> it(&image, region); !it.IsAtEnd(); ++it)
      {
        *to++ = static_cast<double>(it.Get());
      }
      m_Slices.push_back(slice);
      m_Numbers.push_back(number);
    }
  }

  const std::vector<Slice::Pointer> &
  Get() const
  {
    return m_Slices;
  }

  /** The numbers of the slices in the volume, from 0. */
  const std::vector<itk::IndexValueType> &
  GetNumbers() const
  {
    return m_Numbers;
  }
  bool
  HasEightBits() const
  {
    return m_HasEightBits;
  }
  bool
  IsVolume() const
  {
    return m_IsVolume;
  }

private:
  std::vector<Slice::Pointer>      m_Slices;
  std::vector<itk::IndexValueType> m_Numbers;
  bool                             m_HasEightBits = false;
  bool                             m_IsVolume = false;
};

#endif
