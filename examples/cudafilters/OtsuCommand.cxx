// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "MarkingCommand.h"
#include "itkCudaOtsuThresholdImageFilter.h"
#include <cstddef>
#include <cstdio>
#include <string>

namespace
{
class OtsuCommand : public MarkingCommand<OtsuCommand>
{
public:
  OtsuCommand()
    : MarkingCommand("otsu", "Mark what is brighter than Otsu's threshold, as itk::OtsuThresholdImageFilter")
  {}

  template <typename TImage>
  auto
  MakeFilter(const TImage &) const
  {
    const auto filter =
      itk::CudaOtsuThresholdImageFilter<TImage, itk::Image<unsigned char, TImage::ImageDimension>>::New();
    filter->SetNumberOfHistogramBins(m_Bins);
    filter->SetInsideValue(m_Dark ? 255 : 0);
    filter->SetOutsideValue(m_Dark ? 0 : 255);
    return filter;
  }

  template <typename TFilter>
  void
  Finish(TFilter & filter, std::nullptr_t) const
  {
    std::printf("threshold %.6g\n", static_cast<double>(filter.GetThreshold()));
  }

protected:
  void
  AddOptions(CLI::App & app) override
  {
    app.add_option("--bins", m_Bins, "Bins of the histogram")
      ->check(CLI::Range(2, 65536).description(""))
      ->capture_default_str();
    app.add_flag("--dark", m_Dark, "Mark what is not brighter");
  }

private:
  unsigned int m_Bins = 256;
  bool         m_Dark = false;
};

const Registration<OtsuCommand> registrationOfOtsu;
} // namespace
