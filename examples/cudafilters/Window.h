// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_Window_h
#define cudafilters_Window_h

#include "Slices.h"
#include <cstddef>
#include <limits>
#include <string>

/** The numbers between which grey levels or colours are stretched. */
struct Window
{
  double      Low = 0.0;
  double      High = 0.0;
  double      Least = std::numeric_limits<double>::max(); // of all finite numbers
  double      Greatest = std::numeric_limits<double>::lowest();
  bool        IsCut = false;   // some numbers are below or above
  bool        IsPlain = false; // numbers are grey levels themselves
  std::size_t NotNumbers = 0;

  double
  GetShare(double number) const
  {
    if (number < Low || number > High)
    {
      return number < Low ? 0.0 : 1.0;
    }
    // The difference of two numbers may be infinite.
    return High > Low ? (0.5 * number - 0.5 * Low) / (0.5 * High - 0.5 * Low) : 0.5;
  }
};

/** The range without the lowest and the highest 0.1% of the pixels, estimated from about a million of them. */
Window
FindWindow(const Slices & slices);

/** Grey levels of 8 bits are shown as they are, unless all are dark, as those of masks and labels are. */
Window
FindGreyWindow(const Slices & slices);

/** A number that is greater than another by an amount that is not lost in rounding, for a range of one value. */
double
GetUpperEnd(double low);

/** Makes it reach as far below 0 as above, if there are numbers on both sides; returns whether there are. */
bool
CentreWindow(Window & window);

/** In words: from where to where. */
std::string
Describe(const Window & window);

#endif
