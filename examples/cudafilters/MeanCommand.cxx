// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "FilterCommand.h"
#include "itkCudaMeanImageFilter.h"

namespace
{
class MeanCommand : public FilterCommand<MeanCommand>
{
public:
  MeanCommand()
    : FilterCommand("mean", "Smooth by the mean of each pixel's neighbours, as itk::MeanImageFilter")
  {}

  template <typename TImage>
  auto
  MakeFilter(const TImage &) const
  {
    const auto filter = itk::CudaMeanImageFilter<TImage, TImage>::New();
    filter->SetRadius(m_Radius);
    return filter;
  }

protected:
  void
  AddOptions(CLI::App & app) override
  {
    app.add_option("--radius", m_Radius, "Pixels of the box on each side")
      ->check(CLI::Range(0, 100).description(""))
      ->capture_default_str();
  }

private:
  unsigned int m_Radius = 1;
};

const Registration<MeanCommand> registration;
} // namespace
