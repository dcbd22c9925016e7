// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "FilterCommand.h"
#include "itkCudaMeanImageFilter.h"
#include "itkCudaMedianImageFilter.h"

namespace
{
/** A command that replaces each pixel by what a filter makes of the pixels in a box around it. */
template <template <typename, typename> class TFilter>
class BoxCommand : public FilterCommand<BoxCommand<TFilter>>
{
public:
  BoxCommand();

  template <typename TImage>
  auto
  MakeFilter(const TImage &) const
  {
    const auto filter = TFilter<TImage, TImage>::New();
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

template <>
BoxCommand<itk::CudaMeanImageFilter>::BoxCommand()
  : FilterCommand("mean", "Smooth by the mean of each pixel's neighbours, as itk::MeanImageFilter")
{}
template <>
BoxCommand<itk::CudaMedianImageFilter>::BoxCommand()
  : FilterCommand("median", "Remove noise by the median of each pixel's neighbours, as itk::MedianImageFilter")
{}

const Registration<BoxCommand<itk::CudaMeanImageFilter>>   registrationOfMean;
const Registration<BoxCommand<itk::CudaMedianImageFilter>> registrationOfMedian;
} // namespace
