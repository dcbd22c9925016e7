// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Letters.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

namespace
{
constexpr int letterWidth = 5;

/** Seven rows from the top, the highest of five bits on the left. */
using Letter = std::array<std::uint8_t, LetterHeight>;

const std::map<char, Letter> letters{
  { 'a', { 0, 0, 14, 1, 15, 17, 15 } },    { 'b', { 16, 16, 30, 17, 17, 17, 30 } },
  { 'c', { 0, 0, 14, 16, 16, 17, 14 } },   { 'd', { 1, 1, 15, 17, 17, 17, 15 } },
  { 'e', { 0, 0, 14, 17, 31, 16, 14 } },   { 'f', { 6, 9, 8, 28, 8, 8, 8 } },
  { 'g', { 0, 15, 17, 17, 15, 1, 14 } },   { 'h', { 16, 16, 22, 25, 17, 17, 17 } },
  { 'i', { 4, 0, 12, 4, 4, 4, 14 } },      { 'j', { 2, 0, 6, 2, 2, 18, 12 } },
  { 'k', { 16, 16, 18, 20, 24, 20, 18 } }, { 'l', { 12, 4, 4, 4, 4, 4, 14 } },
  { 'm', { 0, 0, 26, 21, 21, 21, 21 } },   { 'n', { 0, 0, 22, 25, 17, 17, 17 } },
  { 'o', { 0, 0, 14, 17, 17, 17, 14 } },   { 'p', { 0, 0, 30, 17, 30, 16, 16 } },
  { 'q', { 0, 0, 15, 17, 15, 1, 1 } },     { 'r', { 0, 0, 22, 25, 16, 16, 16 } },
  { 's', { 0, 0, 14, 16, 14, 1, 30 } },    { 't', { 8, 8, 28, 8, 8, 9, 6 } },
  { 'u', { 0, 0, 17, 17, 17, 19, 13 } },   { 'v', { 0, 0, 17, 17, 17, 10, 4 } },
  { 'w', { 0, 0, 17, 17, 21, 21, 10 } },   { 'x', { 0, 0, 17, 10, 4, 10, 17 } },
  { 'y', { 0, 17, 17, 15, 1, 17, 14 } },   { 'z', { 0, 0, 31, 2, 4, 8, 31 } },
  { '0', { 14, 17, 19, 21, 25, 17, 14 } }, { '1', { 4, 12, 4, 4, 4, 4, 14 } },
  { '2', { 14, 17, 1, 2, 4, 8, 31 } },     { '3', { 31, 2, 4, 2, 1, 17, 14 } },
  { '4', { 2, 6, 10, 18, 31, 2, 2 } },     { '5', { 31, 16, 30, 1, 1, 17, 14 } },
  { '6', { 6, 8, 16, 30, 17, 17, 14 } },   { '7', { 31, 1, 2, 4, 8, 8, 8 } },
  { '8', { 14, 17, 17, 14, 17, 17, 14 } }, { '9', { 14, 17, 17, 15, 1, 2, 12 } },
  { '-', { 0, 0, 0, 31, 0, 0, 0 } },       { '+', { 0, 4, 4, 31, 4, 4, 0 } },
  { '.', { 0, 0, 0, 0, 0, 12, 12 } },
};
} // namespace

int
GetTextWidth(const std::string & text)
{
  return text.empty() ? 0 : static_cast<int>(text.size()) * (letterWidth + 1) - 1;
}

void
DrawText(const std::string & text, const std::function<void(int x, int y)> & ink)
{
  for (std::size_t i = 0; i < text.size(); ++i)
  {
    const auto found = letters.find(text[i]);
    if (found == letters.end())
    {
      continue;
    }
    for (int y = 0; y < LetterHeight; ++y)
    {
      for (int x = 0; x < letterWidth; ++x)
      {
        if ((found->second[y] >> (letterWidth - 1 - x) & 1) != 0)
        {
          ink(static_cast<int>(i) * (letterWidth + 1) + x, y);
        }
      }
    }
  }
}
