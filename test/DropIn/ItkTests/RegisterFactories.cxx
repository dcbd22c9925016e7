// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// In place of ITK's function that registers the factories of all file formats: CMake registers those that are
// installed.
#include "itkTestDriverInclude.h"
#include "itkTestDriverIncludeRequiredIOFactories.h"

void
RegisterRequiredFactories()
{}

void
ProcessArgumentsAndRegisterRequiredFactories(int * argc, ArgumentStringType * argv)
{
  ProcessArguments(argc, argv);
}
