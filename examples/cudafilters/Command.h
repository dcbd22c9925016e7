// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_Command_h
#define cudafilters_Command_h

#include "itkImage.h"
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

/** An error in words for the person at the terminal: what is wrong and what to do, in one line. */
class UserError : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

/** A number in a few digits. */
std::string
ToText(double number);

/** Checks of numbers for options. */
CLI::Validator
NotNegative();
CLI::Validator
Finite();
CLI::Validator
Between(double low, double high);

/** A number of bytes, as in 500MB, 1.5GB or 2GiB, is replaced by its value. */
CLI::Validator
AsBytes();

/** What a filter did to the image of the demonstration. */
struct Demonstration
{
  using ImageType = itk::Image<float, 2>;

  std::string        Name;
  std::string        ExecutedOn;
  bool               IsOnDevice = false;
  double             Milliseconds = 0.0;
  double             CpuMilliseconds = 0.0;
  double             LargestDifference = 0.0; // from the CPU's result, in grey levels
  std::string        Note;                    // on the difference
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

/** Makes a command known: const Registration<MyCommand> registrationOfMy; (several commands are compiled as one file).
 */
template <typename TCommand>
struct Registration
{
  Registration() { GetCommands().push_back(std::make_unique<TCommand>()); }
};

#endif
