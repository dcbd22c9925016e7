// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Command.h"
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <sstream>

namespace
{
/** The number at the beginning of a text, and the rest; NaN if there is none. */
struct NumberWithUnit
{
  double      Number = std::nan("");
  std::string Unit;

  explicit NumberWithUnit(const std::string & text)
  {
    try
    {
      std::size_t end = 0;
      this->Number = std::stod(text, &end);
      this->Unit = text.substr(end);
    }
    catch (const std::exception &)
    {
      this->Unit = text;
    }
  }
};

/** Fails with a message behind the text that was given. */
CLI::Validator
Check(const std::function<bool(double)> & isValid, const std::string & message)
{
  return CLI::Validator(
    [=](std::string & text) {
      const NumberWithUnit parsed(text);
      return parsed.Unit.empty() && isValid(parsed.Number) ? std::string() : "'" + text + "' is not " + message;
    },
    "");
}
} // namespace

std::string
ToText(double number)
{
  std::ostringstream text;
  text << number;
  return text.str();
}

CLI::Validator
NotNegative()
{
  return Check([](double value) { return value >= 0.0 && std::isfinite(value); }, "a number from 0 on");
}

CLI::Validator
Finite()
{
  return Check([](double value) { return std::isfinite(value); }, "a number");
}

CLI::Validator
Between(double low, double high)
{
  return Check([low, high](double value) { return value > low && value < high; },
               "a number between " + ToText(low) + " and " + ToText(high));
}

CLI::Validator
AsBytes()
{
  return CLI::Validator(
    [](std::string & text) {
      static const std::map<std::string, double> units{ { "", 1.0 },          { "b", 1.0 },           { "kb", 1e3 },
                                                        { "mb", 1e6 },        { "gb", 1e9 },          { "kib", 1024.0 },
                                                        { "mib", 1048576.0 }, { "gib", 1073741824.0 } };
      NumberWithUnit                             parsed(text);
      parsed.Unit.erase(std::remove(parsed.Unit.begin(), parsed.Unit.end(), ' '), parsed.Unit.end());
      std::transform(parsed.Unit.begin(), parsed.Unit.end(), parsed.Unit.begin(), [](unsigned char letter) {
        return static_cast<char>(std::tolower(letter));
      });
      const auto found = units.find(parsed.Unit);
      if (found == units.end() || !(parsed.Number >= 0.0))
      {
        return "'" + text + "' is not a number of bytes, as 500MB or 2GiB are";
      }
      text = std::to_string(static_cast<std::uint64_t>(parsed.Number * found->second));
      return std::string();
    },
    "");
}
