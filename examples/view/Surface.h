// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_view_Surface_h
#define cudafilters_view_Surface_h

#include "Recipe.h"
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

/** The surface of what a result shows: of marked pixels, of objects in the colours of their labels, or where numbers
 * reach a level. nullptr if such a result has none, or the image has one slice only. */
vtkSmartPointer<vtkPolyData>
MakeSurface(const Result & result, Appearance appearance, const double * level);

#endif
