// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_view_ColourTables_h
#define cudafilters_view_ColourTables_h

#include <vtkScalarsToColors.h>
#include <vtkSmartPointer.h>

/** From black to white, but nothing where it would be nearly black. */
vtkSmartPointer<vtkScalarsToColors>
MakeGreyWithoutDark();

/** Red where a mask is not 0, else transparent. */
vtkSmartPointer<vtkScalarsToColors>
MakeMaskColours();

/** From dark to bright between two numbers; with isSigned, blue below the middle and orange above it. What is not a
 * number is magenta. */
vtkSmartPointer<vtkScalarsToColors>
MakeNumberColours(double low, double high, bool isSigned);

/** Each label in a colour, 0 transparent. For labels of unsigned int. */
vtkSmartPointer<vtkScalarsToColors>
MakeLabelColours();

#endif
