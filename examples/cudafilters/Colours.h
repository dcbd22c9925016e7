// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_Colours_h
#define cudafilters_Colours_h

#include "itkRGBPixel.h"

using Colour = itk::RGBPixel<unsigned char>;

/** From the shares of red, green and blue, each from 0 to 1. */
Colour
MakeColour(double red, double green, double blue);

const Colour black = MakeColour(0, 0, 0);
const Colour white = MakeColour(1, 1, 1);
const Colour red = MakeColour(1, 0.2, 0.1);
const Colour blue = MakeColour(0.31, 0.47, 1);
const Colour magenta = MakeColour(1, 0, 1); // what is no number

/** A colour of the circle, from 0 to 1; least and most are the shares of red, green and blue that are low and full. */
Colour
GetHue(double turn, double least, double most);

/** Colours that differ much for labels that follow each other; 0 is black, what is no finite number magenta. */
Colour
GetLabelColour(double label);

/** From dark to bright, for numbers from 0 to 1. */
Colour
GetHeat(double share);

/** Blue below 0 and orange above, for numbers from -1 to 1. */
Colour
GetColourOfSign(double number);

#endif
