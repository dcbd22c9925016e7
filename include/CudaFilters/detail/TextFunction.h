// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_TextFunction_h
#define CudaFilters_detail_TextFunction_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/ScalarType.h"
#include "CudaFilters/detail/TextArguments.h"
#include <cstdint>
#include <functional>
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

/** What is made of the results of a function. */
enum class TextUse : std::uint8_t
{
  Image,
  Reduction,
  Bins
};

/** A function of pixels, as a text, and the types of the pixels. */
struct TextFunction
{
  std::string Text;
  TextUse     Use = TextUse::Image;
  /** Reduction: what combines two values, a and b. */
  std::string Combination;
  /** Bins: the weight of a pixel; if it is empty, 1. */
  std::string                Weight;
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

/** The texts of a function with numbers before their lines, for messages. */
CudaFilters_EXPORT std::string
                   ListTexts(const TextFunction & function);

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

/** Sets the region that a reduction reads, of an input that starts at pixels. */
CudaFilters_EXPORT void
SetTextPixels(TextArguments &      arguments,
              const TextFunction & function,
              const void *         pixels,
              const Region3 &      image,
              const Region3 &      region);

/** A program that the CPU executes: computes some rows, or some leaves of a reduction. */
using HostTextProgram = void (*)(const TextArguments * arguments, long long first, long long end);

/** Compiles a program by the C++ compiler of the machine, or finds it in memory or on disk. Throws an
 * itk::ExceptionObject with the messages of the compiler, and the listing of the texts. */
CudaFilters_EXPORT HostTextProgram
GetHostTextProgram(const std::string & program, const std::string & listing);

/** Reduces pixels on the CPU, in the order of ReductionTree.h. arguments: with SetTextParameters() and SetTextPixels().
 * parallelize(number, function): calls function(i) for all i below the number, in threads. */
CudaFilters_EXPORT double
ReduceTextOnHost(
  const TextFunction &                                                                       function,
  const TextArguments &                                                                      arguments,
  const std::function<void(long long number, const std::function<void(long long)> & call)> & parallelize);

/** Throws the exception of a function that reads a neighbour beyond the radius. */
[[noreturn]] CudaFilters_EXPORT void
ThrowBeyondRadius();

/** The operations that execute programs on the device. region: all pixels that are reduced. */
/**@{*/
CudaFilters_EXPORT OperationPointer
MakeTextFunctionOperation(const TextFunction & function);
CudaFilters_EXPORT OperationPointer
MakeTextReductionOperation(const TextFunction & function, double identity, const Region3 & region, double & result);
CudaFilters_EXPORT OperationPointer
MakeTextBinningOperation(const TextFunction & function, const Region3 & region, std::vector<std::int64_t> & sums);
/**@}*/
} // namespace CudaFilters
} // namespace itk

#endif
