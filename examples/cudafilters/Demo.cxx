// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Demo.h"
#include "Command.h"
#include "ImageFile.h"
#include "Terminal.h"
#include "itkImageRegionIterator.h"
#include "itkRescaleIntensityImageFilter.h"
#include <cstdio>

namespace
{
using Floats = Demonstration::ImageType;
using Picture = itk::Image<unsigned char, 2>;

/** The gray levels of an image stretched over those of a picture. */
Picture::Pointer
MakePicture(const Floats * image)
{
  const auto rescale = itk::RescaleIntensityImageFilter<Floats, Picture>::New();
  rescale->SetInput(image);
  rescale->Update();
  return rescale->GetOutput();
}

/** Pictures of one size next to each other, each pixel as a square of the given side, with a white gap between. */
Picture::Pointer
PutSideBySide(const std::vector<Picture::Pointer> & pictures, itk::SizeValueType side)
{
  constexpr itk::SizeValueType gap = 8;
  const Picture::SizeType      size = pictures.front()->GetBufferedRegion().GetSize();
  const Picture::SizeType      all{ { pictures.size() * (size[0] * side + gap) - gap, size[1] * side } };
  const auto                   result = Picture::New();
  result->SetRegions(all);
  result->Allocate();
  result->FillBuffer(255);
  for (std::size_t i = 0; i < pictures.size(); ++i)
  {
    const Picture::IndexType start = pictures[i]->GetBufferedRegion().GetIndex();
    for (itk::SizeValueType y = 0; y < all[1]; ++y)
    {
      for (itk::SizeValueType x = 0; x < size[0] * side; ++x)
      {
        const Picture::IndexType from{ { start[0] + static_cast<itk::IndexValueType>(x / side),
                                         start[1] + static_cast<itk::IndexValueType>(y / side) } };
        const Picture::IndexType to{ { static_cast<itk::IndexValueType>(i * (size[0] * side + gap) + x),
                                       static_cast<itk::IndexValueType>(y) } };
        result->SetPixel(to, pictures[i]->GetPixel(from));
      }
    }
  }
  return result;
}
} // namespace

void
RunDemo(const DemoOptions & options)
{
  const OutputFile<Picture> output(options.Output);
  if (DescribeImage(options.Input).Dimension != 2)
  {
    throw Failure("the demonstration takes a picture, of 2 dimensions");
  }
  const auto                    image = ReadPixels<Floats>(options.Input, false);
  std::vector<Picture::Pointer> pictures{ MakePicture(image) };
  std::printf("%-16s %10s %12s %20s   %s\n", "filter", "time", "ITK on CPU", "largest difference", "where it ran");
  for (const auto & command : GetCommands())
  {
    const std::optional<Demonstration> demonstration = command->Demonstrate(image);
    if (demonstration)
    {
      pictures.push_back(MakePicture(demonstration->Result));
      std::printf("%-16s %7.3f ms %9.3f ms %13.2g levels   %s\n",
                  demonstration->Name.c_str(),
                  demonstration->Milliseconds,
                  demonstration->CpuMilliseconds,
                  demonstration->LargestDifference,
                  demonstration->ExecutedOn.c_str());
    }
  }
  output.Write(PutSideBySide(pictures, 2));
}
