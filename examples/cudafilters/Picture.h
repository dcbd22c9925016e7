// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_Picture_h
#define cudafilters_Picture_h

#include "itkImage.h"
#include "itkImageRegionConstIterator.h"
#include "itkRGBPixel.h"
#include <vector>

/** Pictures of results for a person to look at, in colour. Those of volumes are sheets of slices. Each function prints
 * a line on standard output that says what the colours mean, where that is not plain. */
using Colour = itk::RGBPixel<unsigned char>;
using Picture = itk::Image<Colour, 2>;

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

/** Grey levels: those of 8 bits as they are, unless all are dark; others stretched between two values that leave out
 * one pixel in a thousand at either end. */
Picture::Pointer
DrawGrey(const Slices & image);

/** Edges in red on the image they were found in. Pixels of the given value are none. */
Picture::Pointer
DrawEdges(const Slices & image, const Slices & edges, double background = 0.0);

/** The pixels of a mask tinted in the image. */
Picture::Pointer
DrawMask(const Slices & image, const Slices & mask);

/** Two masks: what is in both white, in the first alone red, in the second alone blue. */
Picture::Pointer
DrawTwoMasks(const Slices & first, const Slices & second);

/** Real numbers as colours, with a scale: from dark to bright or, where some are negative, blue below 0 and orange
 * above. */
Picture::Pointer
DrawColourMap(const Slices & numbers);

/** Angles between -pi and pi as the colours of a circle, with a scale; the greater the magnitudes, the brighter. */
Picture::Pointer
DrawAngles(const Slices & angles, const Slices & magnitudes);

/** Labels in colours that differ much for labels that follow each other; 0 is black, what is no finite number magenta.
 */
Picture::Pointer
DrawLabels(const Slices & labels);

#endif
