// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Demo.h"
#include "Command.h"
#include "ImageFile.h"
#include "Terminal.h"
#include "itkCudaInterface.h"
#include "itkImageRegionIteratorWithIndex.h"
#include "itkRescaleIntensityImageFilter.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <map>

namespace
{
using Floats = Demonstration::ImageType;
using Picture = itk::Image<unsigned char, 2>;

struct Panel
{
  std::string      Label;
  Picture::Pointer Image;
};

/** The grey levels of an image stretched over those of a picture. */
Picture::Pointer
MakePicture(const Floats * image)
{
  const auto rescale = itk::RescaleIntensityImageFilter<Floats, Picture>::New();
  rescale->SetInput(image);
  rescale->Update();
  return rescale->GetOutput();
}

/** Letters of 5 x 7 pixels: seven rows from the top, the highest of five bits on the left. */
constexpr unsigned int letterWidth = 5;
constexpr unsigned int letterHeight = 7;
using Letter = std::array<std::uint8_t, letterHeight>;
const std::map<char, Letter> letters{
  { 'a', { 0, 0, 14, 1, 15, 17, 15 } },  { 'b', { 16, 16, 30, 17, 17, 17, 30 } }, { 'c', { 0, 0, 14, 16, 16, 17, 14 } },
  { 'd', { 1, 1, 15, 17, 17, 17, 15 } }, { 'e', { 0, 0, 14, 17, 31, 16, 14 } },   { 'f', { 6, 9, 8, 28, 8, 8, 8 } },
  { 'g', { 0, 15, 17, 17, 15, 1, 14 } }, { 'h', { 16, 16, 22, 25, 17, 17, 17 } }, { 'i', { 4, 0, 12, 4, 4, 4, 14 } },
  { 'j', { 2, 0, 6, 2, 2, 18, 12 } },    { 'k', { 16, 16, 18, 20, 24, 20, 18 } }, { 'l', { 12, 4, 4, 4, 4, 4, 14 } },
  { 'm', { 0, 0, 26, 21, 21, 21, 21 } }, { 'n', { 0, 0, 22, 25, 17, 17, 17 } },   { 'o', { 0, 0, 14, 17, 17, 17, 14 } },
  { 'p', { 0, 0, 30, 17, 30, 16, 16 } }, { 'q', { 0, 0, 15, 17, 15, 1, 1 } },     { 'r', { 0, 0, 22, 25, 16, 16, 16 } },
  { 's', { 0, 0, 14, 16, 14, 1, 30 } },  { 't', { 8, 8, 28, 8, 8, 9, 6 } },       { 'u', { 0, 0, 17, 17, 17, 19, 13 } },
  { 'v', { 0, 0, 17, 17, 17, 10, 4 } },  { 'w', { 0, 0, 17, 17, 21, 21, 10 } },   { 'x', { 0, 0, 17, 10, 4, 10, 17 } },
  { 'y', { 0, 17, 17, 15, 1, 17, 14 } }, { 'z', { 0, 0, 31, 2, 4, 8, 31 } },      { '-', { 0, 0, 0, 31, 0, 0, 0 } }
};

/** Writes a text in black, each pixel of a letter as a square of the given side. */
void
DrawText(Picture & picture, const Picture::IndexType & corner, const std::string & text, itk::IndexValueType side)
{
  for (std::size_t i = 0; i < text.size(); ++i)
  {
    const auto found = letters.find(text[i]);
    if (found == letters.end())
    {
      continue;
    }
    const auto left = corner[0] + static_cast<itk::IndexValueType>(i * (letterWidth + 1)) * side;
    for (itk::IndexValueType y = 0; y < static_cast<itk::IndexValueType>(letterHeight) * side; ++y)
    {
      for (itk::IndexValueType x = 0; x < static_cast<itk::IndexValueType>(letterWidth) * side; ++x)
      {
        const Picture::IndexType pixel{ { left + x, corner[1] + y } };
        const bool               isInk = (found->second[y / side] >> (letterWidth - 1 - x / side) & 1) != 0;
        if (isInk && picture.GetBufferedRegion().IsInside(pixel))
        {
          picture.SetPixel(pixel, 0);
        }
      }
    }
  }
}

/** Panels of one size in rows, each with its label above it; a pixel becomes a square of the given side. */
Picture::Pointer
MakeSheet(const std::vector<Panel> & panels, itk::SizeValueType side)
{
  constexpr itk::SizeValueType gap = 8;
  constexpr std::size_t        mostPerRow = 4;
  const itk::SizeValueType     labelHeight = letterHeight * side + gap;
  const std::size_t            perRow = std::min(panels.size(), mostPerRow);
  const std::size_t            rows = (panels.size() + perRow - 1) / perRow;
  const Picture::SizeType      size = panels.front().Image->GetBufferedRegion().GetSize();
  const Picture::SizeType      step{ { size[0] * side + gap, size[1] * side + labelHeight + gap } };
  const auto                   sheet = Picture::New();
  sheet->SetRegions(Picture::SizeType{ { perRow * step[0] + gap, rows * step[1] + gap } });
  sheet->Allocate();
  sheet->FillBuffer(255);
  for (std::size_t i = 0; i < panels.size(); ++i)
  {
    const Picture::IndexType  start = panels[i].Image->GetBufferedRegion().GetIndex();
    const Picture::IndexType  label{ { static_cast<itk::IndexValueType>(i % perRow * step[0] + gap),
                                       static_cast<itk::IndexValueType>(i / perRow * step[1] + gap) } };
    const Picture::IndexType  corner{ { label[0], label[1] + static_cast<itk::IndexValueType>(labelHeight) } };
    const Picture::RegionType place(corner, { { size[0] * side, size[1] * side } });
    DrawText(*sheet, label, panels[i].Label, static_cast<itk::IndexValueType>(side));
    for (itk::ImageRegionIteratorWithIndex<Picture> it(sheet, place); !it.IsAtEnd(); ++it)
    {
      const Picture::OffsetType distance = it.GetIndex() - corner;
      const auto                pixels = static_cast<itk::IndexValueType>(side);
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
