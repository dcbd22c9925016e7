// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersTextCache_h
#define itkCudaFiltersTextCache_h

#include <string>

namespace itk
{
namespace CudaFilters
{
/** The name of the file for what a compiler makes of a program. description: the compiler, its options, the program. */
std::string
GetCachedName(const std::string & description, const std::string & extension);

/** The folder of compiled programs, which is made if there is none: CUDAFILTERS_CACHE, or a folder among the user's
 * caches. Empty if it cannot be made. */
std::string
GetCacheFolder();

/** Reads a compiled program. Returns whether there is one. */
bool
ReadCached(const std::string & name, std::string & content);

/** Stores a compiled program, for other processes either wholly or not at all. Does nothing if that fails. */
void
WriteCached(const std::string & name, const std::string & content);

/** A text with numbers before its lines, for messages. */
std::string
NumberLines(const std::string & text);
} // namespace CudaFilters
} // namespace itk

#endif
