// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_Command_h
#define cudafilters_Command_h

#include "itkImage.h"
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

/** An error in words for the person at the terminal: what is wrong and what to do, in one line. */
class Failure : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

/** Checks of numbers for options. */
inline CLI::Validator
NotNegative()
{
  return CLI::Validator(
    [](std::string & text) {
      double value = 0.0;
      return CLI::detail::lexical_cast(text, value) && value >= 0.0 && std::isfinite(value)
               ? std::string()
               : "'" + text + "' is not a number from 0 on";
    },
    "");
}
inline CLI::Validator
Finite()
{
  return CLI::Validator(
    [](std::string & text) {
      double value = 0.0;
      return CLI::detail::lexical_cast(text, value) && std::isfinite(value) ? std::string()
                                                                            : "'" + text + "' is not a number";
    },
    "");
}
inline CLI::Validator
Between(double low, double high)
{
  return CLI::Validator(
    [low, high](std::string & text) {
      double value = 0.0;
      return CLI::detail::lexical_cast(text, value) && value > low && value < high
               ? std::string()
               : "'" + text + "' is not a number between " + CLI::detail::to_string(low) + " and " +
                   CLI::detail::to_string(high);
    },
    "");
}

/** A number of bytes, as in 500MB, 1.5GB or 2GiB. */
inline CLI::Validator
AsBytes()
{
  return CLI::Validator(
    [](std::string & text) {
      static const std::map<std::string, double> units{ { "", 1.0 },          { "b", 1.0 },           { "kb", 1e3 },
                                                        { "mb", 1e6 },        { "gb", 1e9 },          { "kib", 1024.0 },
                                                        { "mib", 1048576.0 }, { "gib", 1073741824.0 } };
      std::istringstream                         in(text);
      double                                     number = -1.0;
      std::string                                unit;
      const bool                                 isNumber = static_cast<bool>(in >> number);
      in >> unit;
      const auto found = units.find(CLI::detail::to_lower(unit));
      if (!isNumber || !(number >= 0.0) || found == units.end())
      {
        return "'" + text + "' is not a number of bytes, as 500MB or 2GiB are";
      }
      text = std::to_string(static_cast<std::uint64_t>(number * found->second));
      return std::string();
    },
    "");
}

/** What a filter did to the image of the demonstration. */
struct Demonstration
{
  using ImageType = itk::Image<float, 2>;

  std::string        Name;
  std::string        ExecutedOn;
  double             Milliseconds = 0.0;
  double             CpuMilliseconds = 0.0;
  double             LargestDifference = 0.0; // from the CPU's result, in gray levels
  ImageType::Pointer Result;
};

/** One command of the program. */
class Command
{
public:
  Command(std::string name, std::string description)
    : m_Name(std::move(name))
    , m_Description(std::move(description))
  {}
  virtual ~Command() = default;

  const std::string &
  GetName() const
  {
    return m_Name;
  }
  const std::string &
  GetDescription() const
  {
    return m_Description;
  }

  /** Adds its arguments and options. */
  virtual void
  AddTo(CLI::App & app) = 0;

  virtual void
  Run() = 0;

  /** Whether it computes on a device where there is one, and so takes the options that say how. */
  virtual bool
  UsesDevice() const
  {
    return true;
  }

  /** Whether the stages on the device are to be timed. */
  virtual bool
  WantsTiming() const
  {
    return false;
  }

  /** Runs the filter with the options as they stand on a picture, on the device and on the CPU; if it has one. */
  virtual std::optional<Demonstration>
  Demonstrate(const Demonstration::ImageType *)
  {
    return {};
  }

private:
  std::string m_Name;
  std::string m_Description;
};

/** All commands, in the order of their names. */
std::vector<std::unique_ptr<Command>> &
GetCommands();

/** Makes a command known: const Registration<MyCommand> registration; */
template <typename TCommand>
struct Registration
{
  Registration() { GetCommands().push_back(std::make_unique<TCommand>()); }
};

#endif
