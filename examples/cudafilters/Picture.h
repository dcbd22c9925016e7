// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_Picture_h
#define cudafilters_Picture_h

#include "Colours.h"
#include "Slices.h"
#include "itkImage.h"
#include <vector>

/** Pictures of results for a person to look at, in colour. Those of volumes are sheets of slices. Each function prints
 * a line on standard output that says what the colours mean, where that is not plain. */
using Picture = itk::Image<Colour, 2>;

/** Grey levels: those of 8 bits as they are, unless all are dark; others stretched between two values that leave out
 * one pixel in a thousand at either end. */
Picture::Pointer
DrawGrey(const Slices & image);

/** Edges in red on the image they were found in. Pixels of the given value are none. */
Picture::Pointer
DrawEdges(const Slices & image, const Slices & edges, double background = 0.0);

/** The pixels of a mask tinted in the image. */
Picture::Pointer
DrawMask(const Slices & image, const Slices & mask);

/** Two masks: what is in both white, in the first alone red, in the second alone blue. */
Picture::Pointer
DrawTwoMasks(const Slices & first, const Slices & second);

/** Real numbers as colours, with a scale: from dark to bright or, where some are negative, blue below 0 and orange
 * above. */
Picture::Pointer
DrawColourMap(const Slices & numbers);

/** Angles between -pi and pi as the colours of a circle, with a scale; the greater the magnitudes, the brighter. */
Picture::Pointer
DrawAngles(const Slices & angles, const Slices & magnitudes);

/** Labels in colours that differ much for labels that follow each other; 0 is black, what is no finite number magenta.
 */
Picture::Pointer
DrawLabels(const Slices & labels);

/** The numbers of pixels in equal bins between two values, as columns, with the least and the greatest value below. */
Picture::Pointer
DrawHistogram(const std::vector<double> & counts, double low, double high);

#endif
