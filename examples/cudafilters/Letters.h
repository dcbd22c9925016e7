// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_Letters_h
#define cudafilters_Letters_h

#include <functional>
#include <string>

/** Letters for pictures: small letters, digits and some signs, of 5 x 7 pixels, one pixel apart. */
constexpr int LetterHeight = 7;

/** The width of a text in pixels. */
int
GetTextWidth(const std::string & text);

/** Calls ink(x, y) for each pixel of a text, from its upper left corner. What there is no letter for stays empty. */
void
DrawText(const std::string & text, const std::function<void(int x, int y)> & ink);

#endif
