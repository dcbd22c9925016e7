// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Picture.h"
#include "Letters.h"
#include "Window.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>

namespace
{
constexpr double pi = 3.14159265358979323846;

Colour
GetGrey(const Window & window, double number)
{
  const double share = window.GetShare(number);
  return std::isnan(number) ? magenta : MakeColour(share, share, share);
}

void
Say(const std::string & what)
{
  std::printf("picture: %s\n", what.c_str());
}

void
SayGrey(const Window & window, const std::string & remark = {})
{
  if (!window.IsPlain)
  {
    Say("grey levels " + Describe(window) + (remark.empty() ? "" : "; " + remark));
  }
  else if (!remark.empty())
  {
    Say(remark);
  }
}

Picture::Pointer
MakeEmpty(itk::SizeValueType width, itk::SizeValueType height, const Colour & colour)
{
  const auto picture = Picture::New();
  picture->SetRegions(Picture::SizeType{ { width, height } });
  picture->Allocate();
  picture->FillBuffer(colour);
  return picture;
}

/** Copies a picture into another, which it must fit. */
void
Insert(Picture & picture, const Picture & part, itk::IndexValueType left, itk::IndexValueType top)
{
  const Picture::SizeType size = part.GetBufferedRegion().GetSize();
  const auto              width = picture.GetBufferedRegion().GetSize(0);
  for (itk::SizeValueType y = 0; y < size[1]; ++y)
  {
    const Colour * const row = part.GetBufferPointer() + y * size[0];
    std::copy(row, row + size[0], picture.GetBufferPointer() + (top + y) * width + left);
  }
}

void
Write(Picture & picture, const std::string & text, itk::IndexValueType left, itk::IndexValueType top)
{
  DrawText(text, [&](int x, int y) {
    const Picture::IndexType pixel{ { left + x, top + y } };
    if (picture.GetBufferedRegion().IsInside(pixel))
    {
      picture.SetPixel(pixel, black);
    }
  });
}

/** The slices in colours colour(slice, pixel); those of a volume on a sheet, each with its number above it. */
template <typename TGetColour>
Picture::Pointer
Paint(const Slices & slices, const TGetColour & colour)
{
  std::vector<Picture::Pointer> panels;
  for (std::size_t i = 0; i < slices.Get().size(); ++i)
  {
    const auto   size = slices.Get()[i]->GetBufferedRegion().GetSize();
    const auto   panel = MakeEmpty(size[0], size[1], black);
    auto * const pixels = panel->GetBufferPointer();
    for (std::size_t k = 0; k < size[0] * size[1]; ++k)
    {
      pixels[k] = colour(i, k);
    }
    panels.push_back(panel);
  }
  if (!slices.IsVolume())
  {
    return panels.front();
  }
  constexpr itk::SizeValueType gap = 4;
  const auto                   size = panels.front()->GetBufferedRegion().GetSize();
  const auto                   columns = static_cast<itk::SizeValueType>(
    std::ceil(std::sqrt(static_cast<double>(panels.size() * size[1]) / static_cast<double>(size[0]))));
  const itk::SizeValueType perRow =
    std::min<itk::SizeValueType>(panels.size(), std::max<itk::SizeValueType>(1, columns));
  const itk::SizeValueType rows = (panels.size() + perRow - 1) / perRow;
  const std::string        longest = "slice " + std::to_string(slices.GetNumbers().back());
  const itk::SizeValueType width = std::max<itk::SizeValueType>(size[0], GetTextWidth(longest)) + gap;
  const itk::SizeValueType height = size[1] + LetterHeight + 2 * gap;
  const auto               sheet = MakeEmpty(perRow * width + gap, rows * height + gap, white);
  for (std::size_t i = 0; i < panels.size(); ++i)
  {
    const auto left = static_cast<itk::IndexValueType>(i % perRow * width + gap);
    const auto top = static_cast<itk::IndexValueType>(i / perRow * height + gap);
    Write(*sheet, "slice " + std::to_string(slices.GetNumbers()[i]), left, top);
    Insert(*sheet, *panels[i], left, top + LetterHeight + static_cast<itk::IndexValueType>(gap));
  }
  return sheet;
}

/** A picture with a scale on its right: the colours of the shares from 0 (below) to 1, and some numbers beside them;
 * one number, if there is no other. */
Picture::Pointer
AddScale(const Picture & picture, const std::function<Colour(double share)> & colour, double low, double high)
{
  constexpr itk::SizeValueType gap = 8;
  constexpr itk::SizeValueType barWidth = 14;
  constexpr itk::SizeValueType leastHeight = 100;
  constexpr int                last = 4;
  std::string                  texts[last + 1];
  int                          textWidth = 0;
  for (int i = 0; i <= last; ++i)
  {
    if (high > low || i == last / 2)
    {
      const double share = static_cast<double>(i) / last;
      char         text[32];
      std::snprintf(text, sizeof(text), "%.3g", low * (1.0 - share) + high * share);
      texts[i] = text;
    }
    textWidth = std::max(textWidth, GetTextWidth(texts[i]));
  }
  const auto               size = picture.GetBufferedRegion().GetSize();
  const itk::SizeValueType height = std::max(size[1], leastHeight);
  const itk::SizeValueType barHeight = height - 2 * gap;
  const auto               result = MakeEmpty(size[0] + 3 * gap + barWidth + textWidth, height, white);
  Insert(*result, picture, 0, 0);
  const auto left = static_cast<itk::IndexValueType>(size[0] + gap);
  for (itk::SizeValueType y = 0; y < barHeight; ++y)
  {
    const Colour paint = colour(1.0 - static_cast<double>(y) / static_cast<double>(barHeight - 1));
    for (itk::SizeValueType x = 0; x < barWidth; ++x)
    {
      result->SetPixel({ { left + static_cast<itk::IndexValueType>(x), static_cast<itk::IndexValueType>(gap + y) } },
                       paint);
    }
  }
  for (int i = 0; i <= last; ++i)
  {
    const auto middle = static_cast<itk::IndexValueType>(gap + (barHeight - 1) * (last - i) / last);
    Write(*result, texts[i], left + barWidth + gap / 2, middle - LetterHeight / 2);
  }
  return result;
}

double
GetPixel(const Slices & slices, std::size_t slice, std::size_t pixel)
{
  return slices.Get()[slice]->GetBufferPointer()[pixel];
}
} // namespace

Picture::Pointer
DrawGrey(const Slices & image)
{
  const Window window = FindGreyWindow(image);
  SayGrey(window);
  return Paint(image, [&](auto slice, auto pixel) { return GetGrey(window, GetPixel(image, slice, pixel)); });
}

Picture::Pointer
DrawEdges(const Slices & image, const Slices & edges, double background)
{
  const Window window = FindGreyWindow(image);
  SayGrey(window, "edges red");
  return Paint(edges, [&](auto slice, auto pixel) {
    return GetPixel(edges, slice, pixel) != background ? red : GetGrey(window, GetPixel(image, slice, pixel));
  });
}

Picture::Pointer
DrawMask(const Slices & image, const Slices & mask)
{
  const Window window = FindGreyWindow(image);
  SayGrey(window, "marked pixels red");
  return Paint(mask, [&](auto slice, auto pixel) {
    Colour colour = GetGrey(window, GetPixel(image, slice, pixel));
    if (GetPixel(mask, slice, pixel) != 0.0)
    {
      for (unsigned int i = 0; i < 3; ++i)
      {
        colour[i] = static_cast<unsigned char>((11 * colour[i] + 9 * red[i]) / 20);
      }
    }
    return colour;
  });
}

Picture::Pointer
DrawTwoMasks(const Slices & first, const Slices & second)
{
  Say("in both images white, in the first alone red, in the second alone blue");
  return Paint(first, [&](auto slice, auto pixel) {
    const bool isInFirst = GetPixel(first, slice, pixel) != 0.0;
    const bool isInSecond = GetPixel(second, slice, pixel) != 0.0;
    return isInFirst ? (isInSecond ? white : red) : (isInSecond ? blue : black);
  });
}

Picture::Pointer
DrawColourMap(const Slices & numbers)
{
  Window     window = FindWindow(numbers);
  const bool isSigned = CentreWindow(window);
  Say("colours " + Describe(window));
  const auto getColour = [&](double share) { return isSigned ? GetColourOfSign(2.0 * share - 1.0) : GetHeat(share); };
  const auto picture = Paint(numbers, [&](auto slice, auto pixel) {
    const double number = GetPixel(numbers, slice, pixel);
    return std::isnan(number) ? magenta : getColour(window.GetShare(number));
  });
  return AddScale(*picture, getColour, window.Low, window.High);
}

Picture::Pointer
DrawAngles(const Slices & angles, const Slices & magnitudes)
{
  Window window = FindWindow(magnitudes);
  window.Low = 0.0;
  Say("angles as colours, in radians; as bright as the square roots of the magnitudes " + Describe(window));
  const auto getColour = [](double share, double brightness) { return GetHue(share, 0.0, std::sqrt(brightness)); };
  const auto picture = Paint(angles, [&](auto slice, auto pixel) {
    const double angle = GetPixel(angles, slice, pixel);
    const double magnitude = GetPixel(magnitudes, slice, pixel);
    return std::isnan(angle) || std::isnan(magnitude)
             ? magenta
             : getColour((angle + pi) / (2.0 * pi), magnitude > 0.0 ? window.GetShare(magnitude) : 0.0);
  });
  return AddScale(
    *picture, [&](double share) { return getColour(share, 1.0); }, -pi, pi);
}

Picture::Pointer
DrawLabels(const Slices & labels)
{
  return Paint(labels, [&](auto slice, auto pixel) { return GetLabelColour(GetPixel(labels, slice, pixel)); });
}

Picture::Pointer
DrawHistogram(const std::vector<double> & counts, double low, double high)
{
  constexpr itk::IndexValueType gap = 8;
  constexpr itk::IndexValueType height = 160;
  const auto                    columns = static_cast<itk::IndexValueType>(counts.size());
  const itk::IndexValueType     columnWidth = std::max<itk::IndexValueType>(1, 256 / columns);
  const auto                    result = MakeEmpty(static_cast<itk::SizeValueType>(columns * columnWidth + 2 * gap),
                                static_cast<itk::SizeValueType>(height + LetterHeight + 3 * gap),
                                white);
  const double                  highest = std::max(1.0, *std::max_element(counts.begin(), counts.end()));
  for (itk::IndexValueType x = 0; x < columns * columnWidth; ++x)
  {
    const double count = counts[static_cast<std::size_t>(x / columnWidth)];
    const auto   top = static_cast<itk::IndexValueType>(std::lround(height * (1.0 - count / highest)));
    for (itk::IndexValueType y = count > 0.0 ? std::min(top, height - 1) : height; y <= height; ++y)
    {
      result->SetPixel({ { gap + x, gap + y } }, y == height ? black : MakeColour(0.25, 0.45, 0.75));
    }
  }
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", low);
  Write(*result, text, gap, height + 2 * gap);
  std::snprintf(text, sizeof(text), "%.4g", high);
  Write(*result, text, gap + columns * columnWidth - GetTextWidth(text), height + 2 * gap);
  char most[64];
  std::snprintf(most, sizeof(most), "the highest column is of %.0f pixels", highest);
  Say(most);
  return result;
}
