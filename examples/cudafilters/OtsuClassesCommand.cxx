// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "FilterCommand.h"
#include "itkCudaOtsuMultipleThresholdsImageFilter.h"
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>

namespace
{
class OtsuClassesCommand : public FilterCommand<OtsuClassesCommand>
{
public:
  OtsuClassesCommand()
    : FilterCommand("otsu-classes",
                    "Sort pixels into classes by Otsu's thresholds, as itk::OtsuMultipleThresholdsImageFilter; writes "
                    "the numbers of the classes, from 0 on")
  {}

  template <typename TImage>
  auto
  MakeFilter(const TImage &) const
  {
    const auto filter =
      itk::CudaOtsuMultipleThresholdsImageFilter<TImage, itk::Image<unsigned char, TImage::ImageDimension>>::New();
    // All combinations of thresholds are tried.
    double combinations = 1.0;
    for (unsigned int i = 1; i < m_Classes; ++i)
    {
      combinations *= static_cast<double>(m_Bins - i) / i;
    }
    if (m_Bins < m_Classes)
    {
      throw UserError("there are fewer --bins than --classes");
    }
    if (combinations > 1e8)
    {
      throw UserError("the search for " + std::to_string(m_Classes - 1) + " thresholds in " + std::to_string(m_Bins) +
                      " bins would take too long; choose fewer --classes or --bins");
    }
    filter->SetNumberOfThresholds(m_Classes - 1);
    filter->SetNumberOfHistogramBins(m_Bins);
    return filter;
  }

  template <typename TFilter>
  void
  Finish(TFilter & filter, std::nullptr_t) const
  {
    for (const auto threshold : filter.GetThresholds())
    {
      if (!std::isfinite(static_cast<double>(threshold)))
      {
        throw UserError("there are no thresholds: some pixels are infinite or not a number");
      }
    }
    std::printf("thresholds");
    for (const auto threshold : filter.GetThresholds())
    {
      std::printf(" %.6g", static_cast<double>(threshold));
    }
    std::printf("\n");
  }

  template <typename TOutputImage>
  void
  WriteOutput(const OutputFile & file, const TOutputImage * image) const
  {
    file.WriteLabels(image, m_Classes - 1);
  }

  static std::string
  GetMeaningOfAs()
  {
    return "Compute as uint8, uint16, int16, float32 or float64";
  }

  static std::string
  GetMeaningOfPicture()
  {
    return "each class in a colour; the first is black";
  }

  template <typename TFilter>
  Picture::Pointer
  Draw(const Slices &, TFilter & filter) const
  {
    return DrawLabels(Slices(*filter.GetOutput()));
  }

protected:
  void
  AddOptions(CLI::App & app) override
  {
    app.add_option("--classes", m_Classes, "Number of classes, one more than thresholds")
      ->check(CLI::Range(2, 8).description(""))
      ->capture_default_str();
    app.add_option("--bins", m_Bins, "Bins of the histogram")
      ->check(CLI::Range(2, 65536).description(""))
      ->capture_default_str();
  }

private:
  unsigned int m_Classes = 3;
  unsigned int m_Bins = 128;
};

const Registration<OtsuClassesCommand> registrationOfOtsuClasses;
} // namespace
