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
  MakeFilter(const TImage & image) const
  {
    const auto filter = itk::CudaTextFunctionImageFilter<TImage, TImage>::New();
    filter->SetText(m_Text);
    if (!m_Second.empty())
    {
      filter->SetInput(1, this->ReadSecond(image));
    }
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
      .add_option(
        "--text",
        m_Text,
        "The function in C++: an expression, or lines with return. x is the pixel, y that of the second image, "
        "index[0] the first index, n(dx, dy) a neighbour")
      ->capture_default_str();
    app.add_option("--second", m_Second, "Image of the same size, whose pixel, in the type of the first one's, is y")
      ->type_name("FILE");
    app.add_option("--set", m_Parameters, "A number that the function knows by a name; may be repeated")
      ->type_name("NAME=NUMBER");
    app.add_option("--radius", m_Radius, "How far neighbours may be away")
      ->check(CLI::Range(0, 100).description(""))
      ->capture_default_str();
  }

  std::vector<std::string>
  GetOtherInputs() const override
  {
    return { m_Second };
  }

private:
  /** The second image, with pixels of the first one's type. */
  template <typename TImage>
  typename TImage::Pointer
  ReadSecond(const TImage & image) const
  {
    if (DescribeImage(m_Second).Dimension != TImage::ImageDimension)
    {
      throw UserError("one image has 2 dimensions and the other 3");
    }
    const auto read = ReadImage<itk::Image<double, TImage::ImageDimension>>(m_Second);
    if (read->GetBufferedRegion() != image.GetBufferedRegion())
    {
      throw UserError("the images have different sizes");
    }
    const auto second = ConvertPixels<TImage>(read.GetPointer(), "the pixel type of the first image");
    second->CopyInformation(&image); // it is compared pixel by pixel, wherever it lies
    return second;
  }

  std::string              m_Text = "255 - x";
  std::string              m_Second;
  std::vector<std::string> m_Parameters;
  unsigned int             m_Radius = 0;
};

const Registration<FunctionCommand> registrationOfFunction;
} // namespace
