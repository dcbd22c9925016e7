// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Window.h"
#include "Command.h"
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

Window
FindWindow(const Slices & slices)
{
  Window              window;
  std::vector<double> numbers;
  std::size_t         pixels = 0;
  for (const auto & slice : slices.Get())
  {
    pixels += slice->GetPixelContainer()->Size();
  }
  // One pixel of each piece of this length, at changing places, since columns may differ.
  const std::size_t length = std::max<std::size_t>(1, pixels / 1000000);
  std::mt19937      random;
  std::size_t       place = 0;
  std::size_t       next = 0;
  for (const auto & slice : slices.Get())
  {
    const double * const from = slice->GetBufferPointer();
    for (std::size_t i = 0; i < slice->GetPixelContainer()->Size(); ++i, ++place)
    {
      const bool isFinite = std::isfinite(from[i]);
      window.NotNumbers += std::isnan(from[i]) ? 1 : 0;
      if (isFinite)
      {
        window.Least = std::min(window.Least, from[i]);
        window.Greatest = std::max(window.Greatest, from[i]);
      }
      if (place == next)
      {
        next = (place / length + 1) * length + random() % length;
        if (isFinite)
        {
          numbers.push_back(from[i]);
        }
      }
    }
  }
  if (window.Least > window.Greatest)
  {
    return window;
  }
  if (!numbers.empty())
  {
    const std::size_t out = numbers.size() / 1000;
    std::nth_element(numbers.begin(), numbers.begin() + out, numbers.end());
    window.Low = numbers[out];
    const auto last = numbers.end() - 1 - out;
    std::nth_element(numbers.begin(), last, numbers.end());
    window.High = *last;
  }
  if (!(window.High > window.Low))
  {
    window.Low = window.Least;
    window.High = window.Greatest;
  }
  window.IsCut = window.Least < window.Low || window.Greatest > window.High;
  return window;
}

Window
FindGreyWindow(const Slices & slices)
{
  Window window = FindWindow(slices);
  if (slices.HasEightBits() && window.Greatest >= 64.0)
  {
    window.Low = 0.0;
    window.High = 255.0;
    window.IsCut = false;
    window.IsPlain = true;
  }
  return window;
}

double
GetUpperEnd(double low)
{
  return low + std::max(1.0, 1e-3 * std::abs(low));
}

bool
CentreWindow(Window & window)
{
  const bool isSigned = window.Least < 0.0 && window.Greatest > 0.0;
  if (isSigned)
  {
    window.High = std::max(std::abs(window.Low), std::abs(window.High));
    window.Low = -window.High;
  }
  return isSigned;
}

std::string
Describe(const Window & window)
{
  std::string words = "from " + ToText(window.Low) + " to " + ToText(window.High);
  if (!(window.High > window.Low))
  {
    words = window.Least > window.Greatest ? "of no finite number" : "of one value, " + ToText(window.Low);
  }
  if (window.IsCut)
  {
    words += ", without one pixel in a thousand at either end";
  }
  if (window.NotNumbers > 0)
  {
    words += "; what is not a number magenta (" + std::to_string(window.NotNumbers) + ")";
  }
  return words;
}
