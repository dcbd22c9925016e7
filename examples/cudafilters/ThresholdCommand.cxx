// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "MarkingCommand.h"
#include "itkCudaBinaryThresholdImageFilter.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

namespace
{
class ThresholdCommand : public MarkingCommand<ThresholdCommand>
{
public:
  ThresholdCommand()
    : MarkingCommand("threshold", "Mark the pixels in a range of values, as itk::BinaryThresholdImageFilter")
  {}

  template <typename TImage>
  auto
  MakeFilter(const TImage &) const
  {
    using PixelType = typename TImage::PixelType;
    if (m_Lower > m_Upper)
    {
      throw UserError("--lower " + ToText(m_Lower) + " is greater than --upper " + ToText(m_Upper));
    }
    const auto filter =
      itk::CudaBinaryThresholdImageFilter<TImage, itk::Image<unsigned char, TImage::ImageDimension>>::New();
    // Integers between the limits: a limit that is no integer, or beyond the type, is the next one inside.
    double lower = m_Lower;
    double upper = m_Upper;
    if (std::is_integral<PixelType>::value)
    {
      lower = std::ceil(lower);
      upper = std::floor(upper);
    }
    constexpr auto lowest = static_cast<double>(std::numeric_limits<PixelType>::lowest());
    constexpr auto highest = static_cast<double>(std::numeric_limits<PixelType>::max());
    if (lower > upper || lower > highest || upper < lowest)
    {
      throw UserError("no pixel of this type is in the range");
    }
    filter->SetLowerThreshold(static_cast<PixelType>(std::max(lower, lowest)));
    filter->SetUpperThreshold(static_cast<PixelType>(std::min(upper, highest)));
    filter->SetInsideValue(255);
    filter->SetOutsideValue(0);
    return filter;
  }

protected:
  void
  AddOptions(CLI::App & app) override
  {
    app.add_option("--lower", m_Lower, "The least value that becomes 255")->check(Finite())->capture_default_str();
    app.add_option("--upper", m_Upper, "The greatest value that becomes 255; otherwise any")
      ->check(Finite())
      ->type_name("VALUE");
  }

private:
  double m_Lower = 100.0;
  double m_Upper = std::numeric_limits<double>::max();
};

const Registration<ThresholdCommand> registrationOfThreshold;
} // namespace
