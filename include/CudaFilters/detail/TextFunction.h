// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_TextFunction_h
#define CudaFilters_detail_TextFunction_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/ScalarType.h"
#include "CudaFilters/detail/TextArguments.h"
#include <cstdint>
#include <string>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** A number that a text knows by a name. */
struct TextParameter
{
  std::string  Name;
  bool         IsInteger = false;
  double       Real = 0.0;
  std::int64_t Integer = 0;
};

/** A function of pixels, as a text, and the types of the pixels. */
struct TextFunction
{
  std::string                Text;
  ScalarType                 Input = ScalarType::Other;
  ScalarType                 Output = ScalarType::Other;
  unsigned int               NumberOfInputs = 1;
  Size3                      Radius{ { 0, 0, 0 } };
  std::vector<TextParameter> Parameters;
};

/** Makes the program of a function, which does not depend on the values of its parameters. Throws an
 * itk::ExceptionObject if text, names or types are no program. */
CudaFilters_EXPORT std::string
                   MakeTextProgram(const TextFunction & function);

/** Sets the values of parameters, and the radius. */
CudaFilters_EXPORT void
SetTextParameters(const TextFunction & function, TextArguments & arguments);

/** Sets the place of the output, or of an input, which starts at pixels. output: the region that is computed. */
CudaFilters_EXPORT void
SetTextOutput(TextArguments &      arguments,
              const TextFunction & function,
              void *               pixels,
              const Region3 &      image,
              const Region3 &      output);
CudaFilters_EXPORT void
SetTextInput(TextArguments &      arguments,
             const TextFunction & function,
             unsigned int         i,
             const void *         pixels,
             const Region3 &      image,
             const Region3 &      output);

/** A program that the CPU executes: computes some rows. */
using HostTextProgram = void (*)(const TextArguments * arguments, long long firstRow, long long endRow);

/** Compiles a program by the C++ compiler of the machine, or finds it in memory or on disk. Throws an
 * itk::ExceptionObject with the messages of the compiler. text: that of the user, for the messages. */
CudaFilters_EXPORT HostTextProgram
GetHostTextProgram(const std::string & program, const std::string & text);

/** Throws the exception of a function that reads a neighbour beyond the radius. */
[[noreturn]] CudaFilters_EXPORT void
ThrowBeyondRadius();

/** The operation that executes a program on the device. */
CudaFilters_EXPORT OperationPointer
MakeTextFunctionOperation(const TextFunction & function);
} // namespace CudaFilters
} // namespace itk

#endif
