// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Display.h"
#ifdef CUDAFILTERS_HAS_X11
#  include <X11/Xlib.h>
#endif

bool
HasDisplay()
{
#ifdef CUDAFILTERS_HAS_X11
  Display * const display = XOpenDisplay(nullptr);
  if (display == nullptr)
  {
    return false;
  }
  XCloseDisplay(display);
#endif
  return true;
}
