// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_view_Display_h
#define cudafilters_view_Display_h

/** Whether there is a display to draw on. VTK ends the program if there is none. */
bool
HasDisplay();

#endif
