// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/TextFunction.h"
#include "TextCache.h"
#include "TextSources.h"
#include "CudaFilters/detail/PixelRows.h"
#include "CudaFilters/detail/ReductionTree.h"
#include "itkMacro.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace itk
{
namespace CudaFilters
{
namespace
{
std::string
GetTypeName(ScalarType type)
{
  switch (type)
  {
    case ScalarType::Unsigned8:
      return "unsigned char";
    case ScalarType::Signed8:
      return "signed char";
    case ScalarType::Unsigned16:
      return "unsigned short";
    case ScalarType::Signed16:
      return "short";
    case ScalarType::Unsigned32:
      return "unsigned int";
    case ScalarType::Signed32:
      return "int";
    case ScalarType::Float:
      return "float";
    case ScalarType::Double:
      return "double";
    case ScalarType::Other:
      break;
  }
  itkGenericExceptionMacro(
    "The text of a function computes with integers of 8, 16 and 32 bits, float and double only.");
}

bool
IsPartOfName(char c)
{
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/** Whether a text contains a word. */
bool
HasWord(const std::string & text, const std::string & word)
{
  for (std::size_t i = text.find(word); i != std::string::npos; i = text.find(word, i + 1))
  {
    const std::size_t end = i + word.size();
    if ((i == 0 || !IsPartOfName(text[i - 1])) && (end == text.size() || !IsPartOfName(text[end])))
    {
      return true;
    }
  }
  return false;
}

/** A text without its comments. */
std::string
RemoveComments(const std::string & text)
{
  std::string rest;
  for (std::size_t i = 0; i < text.size(); ++i)
  {
    const std::string two = text.substr(i, 2);
    if (two == "//" || two == "/*")
    {
      const std::size_t end = text.find(two == "//" ? "\n" : "*/", i + 2);
      if (end == std::string::npos)
      {
        break;
      }
      i = two == "//" ? end : end + 1;
      rest += ' ';
    }
    else
    {
      rest += text[i];
    }
  }
  return rest;
}

void
CheckParameters(const TextFunction & function)
{
  static const std::array<const char *, 8> taken{ { "x", "y", "z", "n", "index", "a", "b", "textArguments" } };
  if (function.Parameters.size() > TextArguments::MostParameters)
  {
    itkGenericExceptionMacro("A function has at most " << TextArguments::MostParameters << " parameters.");
  }
  for (auto parameter = function.Parameters.begin(); parameter != function.Parameters.end(); ++parameter)
  {
    const std::string & name = parameter->Name;
    if (name.empty() || !std::all_of(name.begin(), name.end(), IsPartOfName) ||
        std::isdigit(static_cast<unsigned char>(name.front())) != 0)
    {
      itkGenericExceptionMacro("'" << name << "' is not the name of a parameter: letters, digits and underscores.");
    }
    const bool hasValues = function.Use == TextUse::Reduction;
    if (std::find(taken.begin(), taken.end(), name) != taken.end() && (hasValues || (name != "a" && name != "b")))
    {
      itkGenericExceptionMacro("A parameter cannot have the name '" << name << "', which the function uses itself.");
    }
    if (std::any_of(function.Parameters.begin(), parameter, [&](const auto & other) { return other.Name == name; }))
    {
      itkGenericExceptionMacro("There are two parameters with the name '" << name << "'.");
    }
  }
}

bool
HasNeighbours(const TextFunction & function)
{
  return function.Radius != Size3{ { 0, 0, 0 } };
}

void
SetTextRegion(TextArguments & arguments, const Region3 & region)
{
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    arguments.Size[axis] = region.Size[axis];
    arguments.FirstIndex[axis] = region.Start[axis];
  }
}

bool
IsEmpty(const std::string & text)
{
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

/** The type of what a function returns. */
std::string
GetResultType(const TextFunction & function)
{
  return function.Use == TextUse::Image ? GetTypeName(function.Output)
                                        : (function.Use == TextUse::Reduction ? "double" : "TextBin");
}

/** Writes a function whose body is a text. The compiler counts the lines of the text from 1. */
void
WriteFunction(std::ostream &       program,
              const TextFunction & function,
              const std::string &  heading,
              const std::string &  result,
              const std::string &  text,
              const std::string &  nameOfText)
{
  const bool isBody = HasWord(RemoveComments(text), "return");
  program << "TEXT_FUNCTION " << result << "\n" << heading << "\n{\n";
  for (std::size_t i = 0; i < function.Parameters.size(); ++i)
  {
    const TextParameter & parameter = function.Parameters[i];
    program << "  const " << (parameter.IsInteger ? "long long " : "double ") << parameter.Name << " = textArguments."
            << (parameter.IsInteger ? "Integers[" : "Reals[") << i << "];\n";
  }
  program << (isBody ? "" : "  return static_cast<" + result + ">(\n") << "#line 1 \"" << nameOfText << "\"\n"
          << text << (isBody ? "\n" : "\n  );\n") << "#line 1 \"behind the text\"\n}\n";
}

/** Writes a function of a pixel, as a text, and compute(), which calls it for the pixel at a place. */
void
WritePixelFunction(std::ostream &       program,
                   const TextFunction & function,
                   const std::string &  name,
                   const std::string &  compute,
                   const std::string &  result,
                   const std::string &  text,
                   const std::string &  nameOfText)
{
  const std::string names = "xyz";
  const bool        hasNeighbours = HasNeighbours(function);
  std::string       heading = name + "(const TextArguments & textArguments, const TextIndex & index";
  std::string       pixels;
  for (unsigned int i = 0; i < function.NumberOfInputs; ++i)
  {
    heading += std::string(", const InputPixel ") + names[i];
    pixels += ", *pixel" + std::to_string(i);
  }
  program << (hasNeighbours ? "template <typename TNeighbours>\n" : "");
  WriteFunction(
    program, function, heading + (hasNeighbours ? ", const TNeighbours & n)" : ")"), result, text, nameOfText);
  program << "TEXT_FUNCTION " << result << "\n"
          << compute
          << "(const TextArguments & arguments, long long x, long long y, long long z)\n{\n"
             "  const long long place[3] = { x, y, z };\n"
             "  const TextIndex index{ { arguments.FirstIndex[0] + x, arguments.FirstIndex[1] + y, "
             "arguments.FirstIndex[2] + z } };\n";
  for (unsigned int i = 0; i < function.NumberOfInputs; ++i)
  {
    program << "  const InputPixel * const pixel" << i << " = static_cast<const InputPixel *>(arguments.Inputs[" << i
            << "]) + z * arguments.InputStrides[" << i << "][1] + y * arguments.InputStrides[" << i << "][0] + x;\n";
  }
  const auto call = [&](const std::string & neighbours) {
    return name + "(arguments, index" + pixels + neighbours + ")";
  };
  if (hasNeighbours)
  {
    const auto neighbours = [](const char * isInside) {
      return std::string(", TextNeighbours<InputPixel, ") + isInside + ">{ arguments, pixel0, { x, y, z } }";
    };
    program << "  return IsTextPixelInside(arguments, place) ? " << call(neighbours("true"))
            << "\n    : " << call(neighbours("false")) << ";\n}\n";
  }
  else
  {
    program << "  static_cast<void>(place);\n  return " << call("") << ";\n}\n";
  }
}
} // namespace

std::string
MakeTextProgram(const TextFunction & function)
{
  if (IsEmpty(function.Text))
  {
    itkGenericExceptionMacro("The text of the function is empty.");
  }
  if (function.Use == TextUse::Reduction && IsEmpty(function.Combination))
  {
    itkGenericExceptionMacro("The text of the combination is empty.");
  }
  if (function.NumberOfInputs > TextArguments::MostInputs)
  {
    itkGenericExceptionMacro("There are at most " << TextArguments::MostInputs << " inputs.");
  }
  CheckParameters(function);
  const std::string  result = GetResultType(function);
  std::ostringstream program;
  program << TextArgumentsSource << TextPreludeSource << "typedef " << GetTypeName(function.Input) << " InputPixel;\n"
          << "typedef " << result << " OutputPixel;\n";
  WritePixelFunction(program, function, "TextFunction", "ComputeTextPixel", result, function.Text, "text");
  switch (function.Use)
  {
    case TextUse::Image:
      program << TextLoopsSource;
      break;
    case TextUse::Reduction:
      WriteFunction(program,
                    function,
                    "CombineText(const TextArguments & textArguments, const double a, const double b)",
                    "double",
                    function.Combination,
                    "combination");
      program << "enum\n{\n  LeafPack = " << LeafPack << ",\n  LeafThreads = " << LeafThreads
              << ",\n  LeafRounds = " << LeafRounds << "\n};\n"
              << TextReductionLoopsSource;
      break;
    case TextUse::Bins: {
      const bool hasWeight = !IsEmpty(function.Weight);
      WritePixelFunction(
        program, function, "TextWeight", "ComputeTextWeight", "long long", hasWeight ? function.Weight : "1", "weight");
      program << "typedef unsigned " << (hasWeight ? "long long" : "int") << " TextSharedBin;\n" << TextBinLoopsSource;
      break;
    }
  }
  return program.str();
}

std::string
ListTexts(const TextFunction & function)
{
  std::string list = "The text:\n" + NumberLines(function.Text);
  if (function.Use == TextUse::Reduction)
  {
    list += "\nThe combination:\n" + NumberLines(function.Combination);
  }
  if (function.Use == TextUse::Bins && !IsEmpty(function.Weight))
  {
    list += "\nThe weight:\n" + NumberLines(function.Weight);
  }
  return list;
}

void
ThrowBeyondRadius()
{
  itkGenericExceptionMacro("The text of the function reads a neighbour beyond the radius.");
}

void
SetTextParameters(const TextFunction & function, TextArguments & arguments)
{
  for (std::size_t i = 0; i < function.Parameters.size(); ++i)
  {
    arguments.Reals[i] = function.Parameters[i].Real;
    arguments.Integers[i] = function.Parameters[i].Integer;
  }
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    arguments.Radius[axis] = static_cast<int>(function.Radius[axis]);
  }
}

void
SetTextOutput(TextArguments &      arguments,
              const TextFunction & function,
              void *               pixels,
              const Region3 &      image,
              const Region3 &      output)
{
  const RowStrides strides = MakeRowStrides(image);
  arguments.OutputStrides[0] = strides.Row;
  arguments.OutputStrides[1] = strides.Slice;
  arguments.Output = static_cast<char *>(pixels) +
                     GetFirstPixel(image, output) * static_cast<std::int64_t>(GetScalarSize(function.Output));
  SetTextRegion(arguments, output);
}

void
SetTextInput(TextArguments &      arguments,
             const TextFunction & function,
             unsigned int         i,
             const void *         pixels,
             const Region3 &      image,
             const Region3 &      output)
{
  const RowStrides strides = MakeRowStrides(image);
  arguments.InputStrides[i][0] = strides.Row;
  arguments.InputStrides[i][1] = strides.Slice;
  arguments.Inputs[i] = static_cast<const char *>(pixels) +
                        GetFirstPixel(image, output) * static_cast<std::int64_t>(GetScalarSize(function.Input));
  if (i == 0)
  {
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      arguments.First[axis] = image.Start[axis] - output.Start[axis];
      arguments.Last[axis] = image.GetEnd(axis) - 1 - output.Start[axis];
    }
  }
}

void
SetTextPixels(TextArguments &      arguments,
              const TextFunction & function,
              const void *         pixels,
              const Region3 &      image,
              const Region3 &      region)
{
  SetTextRegion(arguments, region);
  SetTextInput(arguments, function, 0, pixels, image, region);
  arguments.Count = region.GetNumberOfPixels();
  // Adjacent pixels are a single row, unless it matters where they are.
  const bool areAdjacent = arguments.InputStrides[0][0] == region.Size[0] &&
                           (region.Size[2] == 1 || arguments.InputStrides[0][1] == region.Size[0] * region.Size[1]);
  const auto usesIndex = [](const std::string & text) { return HasWord(RemoveComments(text), "index"); };
  if (areAdjacent && !usesIndex(function.Text) && !usesIndex(function.Weight))
  {
    arguments.Size[0] = arguments.Count;
    arguments.Size[1] = 1;
    arguments.Size[2] = 1;
  }
}

double
ReduceTextOnHost(const TextFunction &                                                                       function,
                 const TextArguments &                                                                      arguments,
                 const std::function<void(long long number, const std::function<void(long long)> & call)> & parallelize)
{
  const HostTextProgram program = GetHostTextProgram(MakeTextProgram(function), ListTexts(function));
  if (arguments.Count == 0)
  {
    return arguments.Identity;
  }
  TextArguments       level = arguments;
  std::vector<double> values;
  do
  {
    std::vector<double> next(static_cast<std::size_t>(GetNumberOfLeaves(level.Count)));
    level.NumberOfLeaves = static_cast<long long>(next.size());
    level.Output = next.data();
    parallelize(level.NumberOfLeaves, [&](long long leaf) { program(&level, leaf, leaf + 1); });
    values = std::move(next);
    level.Values = values.data();
    level.Count = static_cast<long long>(values.size());
  } while (values.size() > 1);
  return values.front();
}
} // namespace CudaFilters
} // namespace itk
