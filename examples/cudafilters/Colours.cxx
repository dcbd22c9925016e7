// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Colours.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace
{
/** Between colours at equal distances. */
template <std::size_t VCount>
Colour
Blend(const std::array<std::array<double, 3>, VCount> & colours, double share)
{
  const double      place = std::min(1.0, std::max(0.0, share)) * (VCount - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(place), VCount - 2);
  const double      part = place - static_cast<double>(i);
  const auto        mix = [&](unsigned int k) { return (1.0 - part) * colours[i][k] + part * colours[i + 1][k]; };
  return MakeColour(mix(0), mix(1), mix(2));
}
} // namespace

Colour
MakeColour(double red, double green, double blue)
{
  const auto level = [](double share) {
    return static_cast<unsigned char>(std::lround(255.0 * std::min(1.0, std::max(0.0, share))));
  };
  Colour colour;
  colour.Set(level(red), level(green), level(blue));
  return colour;
}

Colour
GetHue(double turn, double least, double most)
{
  const double hue = (turn - std::floor(turn)) * 6.0;
  double       shares[3];
  for (unsigned int i = 0; i < 3; ++i)
  {
    // A colour is full over two sixths of the circle, rises or falls over one, and is low over the others.
    const double distance = std::abs(std::fmod(hue - 2.0 * i + 9.0, 6.0) - 3.0);
    shares[i] = least + (most - least) * std::min(1.0, std::max(0.0, 2.0 - distance));
  }
  return MakeColour(shares[0], shares[1], shares[2]);
}

Colour
GetLabelColour(double label)
{
  if (label == 0.0)
  {
    return black;
  }
  if (!std::isfinite(label))
  {
    return magenta;
  }
  constexpr double goldenRatio = 0.6180339887498949;
  const double     size = std::fmod(std::abs(label), 4294967296.0);
  const auto       number = static_cast<unsigned long>(size);
  const double     value = 1.0 - 0.2 * (number % 3);
  const double     turn = goldenRatio * size + (label < 0.0 ? 0.5 : 0.0);
  return GetHue(turn, value * (number % 2 == 0 ? 0.35 : 0.1), value);
}

Colour
GetHeat(double share)
{
  static constexpr std::array<std::array<double, 3>, 6> colours{ { { 0.04, 0.02, 0.12 },
                                                                   { 0.31, 0.07, 0.42 },
                                                                   { 0.66, 0.17, 0.39 },
                                                                   { 0.93, 0.41, 0.22 },
                                                                   { 0.99, 0.75, 0.28 },
                                                                   { 1.0, 1.0, 0.85 } } };
  return Blend(colours, share);
}

Colour
GetColourOfSign(double number)
{
  static constexpr std::array<std::array<double, 3>, 4> above{
    { { 0.97, 0.97, 0.97 }, { 0.98, 0.74, 0.45 }, { 0.86, 0.42, 0.1 }, { 0.45, 0.17, 0.02 } }
  };
  static constexpr std::array<std::array<double, 3>, 4> below{
    { { 0.97, 0.97, 0.97 }, { 0.6, 0.77, 0.92 }, { 0.2, 0.47, 0.75 }, { 0.04, 0.18, 0.39 } }
  };
  return number < 0.0 ? Blend(below, -number) : Blend(above, number);
}
