// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/TextFunction.h"
#include "TextSources.h"
#include "CudaFilters/detail/PixelRows.h"
#include "itkMacro.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <string>

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

std::size_t
GetTypeSize(ScalarType type)
{
  std::size_t size = 1;
  WithScalar(type, [&](auto pixel) { size = sizeof(pixel); });
  return size;
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
  static const std::array<const char *, 6> taken{ { "x", "y", "z", "n", "index", "textArguments" } };
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
    if (std::find(taken.begin(), taken.end(), name) != taken.end())
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
} // namespace

std::string
MakeTextProgram(const TextFunction & function)
{
  if (function.Text.find_first_not_of(" \t\r\n") == std::string::npos)
  {
    itkGenericExceptionMacro("The text of the function is empty.");
  }
  if (function.NumberOfInputs > TextArguments::MostInputs)
  {
    itkGenericExceptionMacro("There are at most " << TextArguments::MostInputs << " inputs.");
  }
  CheckParameters(function);
  const std::string  names = "xyz";
  const bool         hasNeighbours = HasNeighbours(function);
  const bool         isBody = HasWord(RemoveComments(function.Text), "return");
  std::ostringstream program;
  program << TextArgumentsSource << TextPreludeSource << "typedef " << GetTypeName(function.Input) << " InputPixel;\n"
          << "typedef " << GetTypeName(function.Output) << " OutputPixel;\n";
  if (hasNeighbours)
  {
    program << "template <typename TNeighbours>\n";
  }
  program << "TEXT_FUNCTION OutputPixel\nTextFunction(const TextArguments & textArguments, const TextIndex & index";
  for (unsigned int i = 0; i < function.NumberOfInputs; ++i)
  {
    program << ", const InputPixel " << names[i];
  }
  program << (hasNeighbours ? ", const TNeighbours & n)\n{\n" : ")\n{\n");
  for (std::size_t i = 0; i < function.Parameters.size(); ++i)
  {
    const TextParameter & parameter = function.Parameters[i];
    program << "  const " << (parameter.IsInteger ? "long long " : "double ") << parameter.Name << " = textArguments."
            << (parameter.IsInteger ? "Integers[" : "Reals[") << i << "];\n";
  }
  // The compiler counts the lines of the user's text from 1.
  program << (isBody ? "" : "  return static_cast<OutputPixel>(\n") << "#line 1 \"text\"\n"
          << function.Text << (isBody ? "\n" : "\n  );\n") << "#line 1 \"behind the text\"\n}\n"
          << "TEXT_FUNCTION OutputPixel\n"
             "ComputeTextPixel(const TextArguments & arguments, long long x, long long y, long long z)\n{\n"
             "  const long long place[3] = { x, y, z };\n"
             "  const TextIndex index{ { arguments.FirstIndex[0] + x, arguments.FirstIndex[1] + y, "
             "arguments.FirstIndex[2] + z } };\n";
  for (unsigned int i = 0; i < function.NumberOfInputs; ++i)
  {
    program << "  const InputPixel * const pixel" << i << " = static_cast<const InputPixel *>(arguments.Inputs[" << i
            << "]) + z * arguments.InputStrides[" << i << "][1] + y * arguments.InputStrides[" << i << "][0] + x;\n";
  }
  std::string pixels;
  for (unsigned int i = 0; i < function.NumberOfInputs; ++i)
  {
    pixels += ", *pixel" + std::to_string(i);
  }
  const auto call = [&](const std::string & neighbours) {
    return "TextFunction(arguments, index" + pixels + neighbours + ")";
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
  program << TextLoopsSource;
  return program.str();
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
                     GetFirstPixel(image, output) * static_cast<std::int64_t>(GetTypeSize(function.Output));
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    arguments.Size[axis] = output.Size[axis];
    arguments.FirstIndex[axis] = output.Start[axis];
  }
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
                        GetFirstPixel(image, output) * static_cast<std::int64_t>(GetTypeSize(function.Input));
  if (i == 0)
  {
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      arguments.First[axis] = image.Start[axis] - output.Start[axis];
      arguments.Last[axis] = image.GetEnd(axis) - 1 - output.Start[axis];
    }
  }
}
} // namespace CudaFilters
} // namespace itk
