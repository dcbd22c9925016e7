// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Command.h"
#include "ImageFile.h"
#include "Picture.h"
#include "Terminal.h"
#include "itkCudaStatisticsImageFilter.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace
{
class StatisticsCommand : public Command
{
public:
  StatisticsCommand()
    : Command("statistics", "Tell minimum, maximum, mean, deviation and sum, as itk::StatisticsImageFilter")
  {}

  void
  AddTo(CLI::App & app) override
  {
    app.add_option("input", m_Input, "Image to read: one value per pixel, 2-D or 3-D")->required();
    app.add_option("--bins", m_Bins, "Bins of the histogram in the picture")
      ->check(CLI::Range(2, 512).description(""))
      ->capture_default_str();
    app.add_option("--picture", m_Picture, "Picture to write: the histogram")->type_name("FILE");
    app.add_flag("--timing", m_Timing, "Report where the filter ran and how long it took");
  }

  bool
  WantsTiming() const override
  {
    return m_Timing;
  }

  void
  Run() override
  {
    DescribeImage(m_Input).Dimension == 2 ? this->Measure<2>() : this->Measure<3>();
  }

private:
  template <unsigned int VDimension>
  void
  Measure() const
  {
    using ImageType = itk::Image<double, VDimension>;
    if (AreSameFile(m_Picture, m_Input))
    {
      throw UserError("the picture would replace an input: they are the same file");
    }
    const auto picture = m_Picture.empty() ? nullptr : std::make_unique<OutputFile>(m_Picture);
    const auto image = ReadPixels<ImageType>(m_Input, false);
    const auto statistics = itk::CudaStatisticsImageFilter<ImageType>::New();
    statistics->SetInput(image);
    ProgressBar  bar(*statistics, this->GetName());
    const double milliseconds = TimeInMilliseconds([&] { statistics->Update(); });
    bar.Finish();
    const auto     numberOfPixels = image->GetBufferedRegion().GetNumberOfPixels();
    const double * pixels = image->GetBufferPointer();
    const auto     numberOfNaN = std::count_if(pixels, pixels + numberOfPixels, [](double v) { return std::isnan(v); });
    if (static_cast<itk::SizeValueType>(numberOfNaN) == numberOfPixels)
    {
      throw UserError("there are no numbers in '" + m_Input + "'");
    }
    std::printf("pixels  %llu\n", static_cast<unsigned long long>(numberOfPixels));
    if (numberOfNaN > 0)
    {
      std::printf("NaN     %llu, which minimum and maximum leave out\n", static_cast<unsigned long long>(numberOfNaN));
    }
    // Rounding may make the variance of equal numbers negative, and one pixel has none.
    const double variance = statistics->GetVariance();
    Tell("minimum", statistics->GetMinimum());
    Tell("maximum", statistics->GetMaximum());
    Tell("mean", statistics->GetMean());
    Tell("sigma", numberOfPixels == 1 || variance < 0.0 ? 0.0 : std::sqrt(variance));
    Tell("sum", statistics->GetSum());
    if (picture)
    {
      picture->Write(this->DrawHistogramOf(*image, statistics->GetMinimum(), statistics->GetMaximum()).GetPointer());
    }
    if (m_Timing)
    {
      ShowTime(this->GetName(), milliseconds, statistics->GetExecutedOn());
    }
  }

  /** In as many digits as tell the number from all others. */
  static void
  Tell(const char * name, double number)
  {
    char       text[32];
    const auto end = std::to_chars(text, text + sizeof(text), number).ptr;
    std::printf("%-7s %s\n", name, std::string(text, end).c_str());
  }

  template <typename TImage>
  Picture::Pointer
  DrawHistogramOf(const TImage & image, double low, double high) const
  {
    if (!std::isfinite(high - low))
    {
      throw UserError("there is no histogram of infinite numbers");
    }
    std::vector<double>  counts(m_Bins, 0.0);
    const double * const pixels = image.GetBufferPointer();
    for (itk::SizeValueType i = 0; i < image.GetBufferedRegion().GetNumberOfPixels(); ++i)
    {
      if (!std::isnan(pixels[i]))
      {
        const double share = high > low ? (pixels[i] - low) / (high - low) : 0.0;
        ++counts[std::min(static_cast<std::size_t>(share * m_Bins), counts.size() - 1)];
      }
    }
    return DrawHistogram(counts, low, high);
  }

  std::string  m_Input;
  unsigned int m_Bins = 64;
  std::string  m_Picture;
  bool         m_Timing = false;
};

const Registration<StatisticsCommand> registrationOfStatistics;
} // namespace
