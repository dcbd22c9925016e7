// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Demo.h"
#include "Command.h"
#include "ImageFile.h"
#include "Terminal.h"
#include "itkImageRegionIteratorWithIndex.h"
#include "itkRescaleIntensityImageFilter.h"
#include <algorithm>
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

/** Pictures of one size in rows, each pixel as a square of the given side, with a white gap between. */
Picture::Pointer
PutSideBySide(const std::vector<Picture::Pointer> & pictures, itk::SizeValueType side)
{
  constexpr itk::SizeValueType gap = 8;
  constexpr std::size_t        mostInARow = 4;
  const std::size_t            inARow = std::min(pictures.size(), mostInARow);
  const std::size_t            rows = (pictures.size() + inARow - 1) / inARow;
  const Picture::SizeType      size = pictures.front()->GetBufferedRegion().GetSize();
  const Picture::SizeType      step{ { size[0] * side + gap, size[1] * side + gap } };
  const auto                   result = Picture::New();
  result->SetRegions(Picture::SizeType{ { inARow * step[0] - gap, rows * step[1] - gap } });
  result->Allocate();
  result->FillBuffer(255);
  for (std::size_t i = 0; i < pictures.size(); ++i)
  {
    const Picture::IndexType  start = pictures[i]->GetBufferedRegion().GetIndex();
    const Picture::IndexType  corner{ { static_cast<itk::IndexValueType>(i % inARow * step[0]),
                                        static_cast<itk::IndexValueType>(i / inARow * step[1]) } };
    const Picture::RegionType place(corner, { { size[0] * side, size[1] * side } });
    for (itk::ImageRegionIteratorWithIndex<Picture> it(result, place); !it.IsAtEnd(); ++it)
    {
      const Picture::OffsetType distance = it.GetIndex() - corner;
      const auto                pixels = static_cast<itk::IndexValueType>(side);
      it.Set(pictures[i]->GetPixel({ { start[0] + distance[0] / pixels, start[1] + distance[1] / pixels } }));
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
  std::printf("%-22s %10s %12s %20s   %s\n", "filter", "time", "ITK on CPU", "largest difference", "where it ran");
  for (const auto & command : GetCommands())
  {
    const std::optional<Demonstration> demonstration = command->Demonstrate(image);
    if (demonstration)
    {
      pictures.push_back(MakePicture(demonstration->Result));
      std::printf("%-22s %7.3f ms %9.3f ms %13.2g levels   %s\n",
                  demonstration->Name.c_str(),
                  demonstration->Milliseconds,
                  demonstration->CpuMilliseconds,
                  demonstration->LargestDifference,
                  demonstration->ExecutedOn.c_str());
    }
  }
  output.Write(PutSideBySide(pictures, 2));
}
