// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "FilterCommand.h"
#include "itkCudaTextFunctionImageFilter.h"
#include <cstdlib>
#include <string>
#include <vector>

namespace
{
class FunctionCommand : public FilterCommand<FunctionCommand>
{
public:
  FunctionCommand()
    : FilterCommand("function", "Compute each pixel by a function of your own, as itk::TextFunctionImageFilter")
  {}

  template <typename TImage>
  auto
  MakeFilter(const TImage &) const
  {
    const auto filter = itk::CudaTextFunctionImageFilter<TImage, TImage>::New();
    filter->SetText(m_Text);
    typename TImage::SizeType radius;
    radius.Fill(m_Radius);
    filter->SetRadius(radius);
    for (const std::string & parameter : m_Parameters)
    {
      const auto        equals = parameter.find('=');
      const std::string value = equals == std::string::npos ? "" : parameter.substr(equals + 1);
      char *            end = nullptr;
      const double      number = std::strtod(value.c_str(), &end);
      if (value.empty() || *end != '\0')
      {
        throw UserError("--set " + parameter + " is not of the form NAME=NUMBER");
      }
      filter->SetRealParameter(parameter.substr(0, equals), number);
    }
    return filter;
  }

protected:
  void
  AddOptions(CLI::App & app) override
  {
    app
      .add_option("--text",
                  m_Text,
                  "The function in C++: an expression, or lines with return. x is the pixel, index[0] its first index, "
                  "n(dx, dy) a neighbour")
      ->capture_default_str();
    app.add_option("--set", m_Parameters, "A number that the function knows by a name; may be repeated")
      ->type_name("NAME=NUMBER");
    app.add_option("--radius", m_Radius, "How far neighbours may be away")
      ->check(CLI::Range(0, 100).description(""))
      ->capture_default_str();
  }

private:
  std::string              m_Text = "255 - x";
  std::vector<std::string> m_Parameters;
  unsigned int             m_Radius = 0;
};

const Registration<FunctionCommand> registrationOfFunction;
} // namespace
