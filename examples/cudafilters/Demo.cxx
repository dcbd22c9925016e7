// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Demo.h"
#include "Command.h"
#include "ImageFile.h"
#include "Letters.h"
#include "Terminal.h"
#include "itkCudaInterface.h"
#include "itkImageRegionIterator.h"
#include "itkImageRegionIteratorWithIndex.h"
#include "itkRescaleIntensityImageFilter.h"
#include <algorithm>
#include <cstdio>

namespace
{
using Floats = Demonstration::ImageType;
using GreyPicture = itk::Image<unsigned char, 2>;

struct Panel
{
  std::string          Label;
  GreyPicture::Pointer Image;
};

/** The grey levels of an image stretched over those of a picture. */
GreyPicture::Pointer
MakePicture(const Floats * image)
{
  const auto rescale = itk::RescaleIntensityImageFilter<Floats, GreyPicture>::New();
  rescale->SetInput(image);
  rescale->Update();
  return rescale->GetOutput();
}

/** Writes a text in black, each pixel of a letter as a square of the given side. */
void
WriteLabel(GreyPicture &                  picture,
           const GreyPicture::IndexType & corner,
           const std::string &            text,
           itk::SizeValueType             side)
{
  DrawText(text, [&](int x, int y) {
    const auto              length = static_cast<itk::IndexValueType>(side);
    GreyPicture::RegionType square({ { corner[0] + x * length, corner[1] + y * length } }, { { side, side } });
    if (square.Crop(picture.GetBufferedRegion()))
    {
      for (itk::ImageRegionIterator<GreyPicture> it(&picture, square); !it.IsAtEnd(); ++it)
      {
        it.Set(0);
      }
    }
  });
}

/** Panels of one size in rows, each with its label above it; a pixel becomes a square of the given side. */
GreyPicture::Pointer
MakeSheet(const std::vector<Panel> & panels, itk::SizeValueType side)
{
  constexpr itk::SizeValueType gap = 8;
  constexpr std::size_t        mostPerRow = 4;
  const itk::SizeValueType     labelHeight = LetterHeight * side + gap;
  const std::size_t            perRow = std::min(panels.size(), mostPerRow);
  const std::size_t            rows = (panels.size() + perRow - 1) / perRow;
  const GreyPicture::SizeType  size = panels.front().Image->GetBufferedRegion().GetSize();
  const GreyPicture::SizeType  step{ { size[0] * side + gap, size[1] * side + labelHeight + gap } };
  const auto                   sheet = GreyPicture::New();
  sheet->SetRegions(GreyPicture::SizeType{ { perRow * step[0] + gap, rows * step[1] + gap } });
  sheet->Allocate();
  sheet->FillBuffer(255);
  for (std::size_t i = 0; i < panels.size(); ++i)
  {
    const GreyPicture::IndexType  start = panels[i].Image->GetBufferedRegion().GetIndex();
    const GreyPicture::IndexType  label{ { static_cast<itk::IndexValueType>(i % perRow * step[0] + gap),
                                           static_cast<itk::IndexValueType>(i / perRow * step[1] + gap) } };
    const GreyPicture::IndexType  corner{ { label[0], label[1] + static_cast<itk::IndexValueType>(labelHeight) } };
    const GreyPicture::RegionType place(corner, { { size[0] * side, size[1] * side } });
    WriteLabel(*sheet, label, panels[i].Label, side);
    for (itk::ImageRegionIteratorWithIndex<GreyPicture> it(sheet, place); !it.IsAtEnd(); ++it)
    {
      const GreyPicture::OffsetType distance = it.GetIndex() - corner;
      const auto                    pixels = static_cast<itk::IndexValueType>(side);
      it.Set(panels[i].Image->GetPixel({ { start[0] + distance[0] / pixels, start[1] + distance[1] / pixels } }));
    }
  }
  return sheet;
}
} // namespace

void
RunDemo(const DemoOptions & options)
{
  const OutputFile output(options.Output);
  if (DescribeImage(options.Input).Dimension != 2)
  {
    throw UserError("the demonstration takes a picture, of 2 dimensions");
  }
  const auto         image = ReadPixels<Floats>(options.Input, false);
  std::vector<Panel> panels{ { "input", MakePicture(image) } };

  const std::string reason = itk::CudaInterface::GetDefault()->GetWhyNotOnDevice();
  if (reason.empty())
  {
    std::printf("Computed on: %s\n\n",
                itk::CudaInterface::GetDeviceDescription(itk::CudaInterface::GetDefault()->GetDeviceNumber()).c_str());
    std::printf("%-22s %12s %12s %20s\n", "filter", "GPU", "ITK on CPU", "largest difference");
  }
  else
  {
    std::printf("No GPU is used (%s): the results are those of ITK's own filters on the CPU.\n\n",
                ToOneLine(reason).c_str());
    std::printf("%-22s %12s\n", "filter", "ITK on CPU");
  }
  for (const auto & command : GetCommands())
  {
    const std::optional<Demonstration> demonstration = command->Demonstrate(image);
    if (demonstration)
    {
      panels.push_back({ demonstration->Name, MakePicture(demonstration->Result) });
      if (reason.empty())
      {
        const std::string note = demonstration->IsOnDevice ? demonstration->Note : demonstration->ExecutedOn;
        std::printf("%-22s %9.3f ms %9.3f ms %13.2g levels%s\n",
                    demonstration->Name.c_str(),
                    demonstration->Milliseconds,
                    demonstration->CpuMilliseconds,
                    demonstration->LargestDifference,
                    note.empty() ? "" : ("   " + note).c_str());
      }
      else
      {
        std::printf("%-22s %9.3f ms\n", demonstration->Name.c_str(), demonstration->Milliseconds);
      }
    }
  }
  output.Write(MakeSheet(panels, 2).GetPointer());
}
