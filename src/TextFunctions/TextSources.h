// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersTextSources_h
#define itkCudaFiltersTextSources_h

namespace itk
{
namespace CudaFilters
{
// The contents of TextArguments.h, and of TextPrelude.h and the files of loops beside it, from which programs are made
// at run time. CMake makes the source that defines them (TextSources.cxx.in).
extern const char * const TextArgumentsSource;
extern const char * const TextPreludeSource;
extern const char * const TextLoopsSource;
extern const char * const TextReductionLoopsSource;
extern const char * const TextBinLoopsSource;
} // namespace CudaFilters
} // namespace itk

#endif
