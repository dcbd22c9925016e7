// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_Demo_h
#define cudafilters_Demo_h

#include <string>

struct DemoOptions
{
  std::string Input;
  std::string Output;
};

/** Runs every command's filter on a picture, prints a table, and writes input and results side by side. */
void
RunDemo(const DemoOptions & options);

#endif
