// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "FilterCommand.h"
#include "VarianceOption.h"
#include "itkCudaDiscreteGaussianImageFilter.h"

namespace
{
class GaussianCommand : public FilterCommand<GaussianCommand>
{
public:
  GaussianCommand()
    : FilterCommand("gaussian", "Smooth with a Gaussian, as itk::DiscreteGaussianImageFilter")
  {}

  template <typename TImage>
  auto
  MakeFilter(const TImage & image) const
  {
    const auto filter = itk::CudaDiscreteGaussianImageFilter<TImage>::New();
    m_Variance.Apply(*filter, image, m_InPixels);
    filter->SetMaximumKernelWidth(m_MaximumKernelWidth);
    filter->SetUseImageSpacing(!m_InPixels);
    filter->SetExactMode(m_Exact);
    return filter;
  }

protected:
  void
  AddOptions(CLI::App & app) override
  {
    m_Variance.AddTo(app);
    app.add_option("--maximum-kernel-width", m_MaximumKernelWidth, "Pixels that the mask may be wide")
      ->check(Between(0, 1e6))
      ->capture_default_str();
    app.add_flag("--pixel-units", m_InPixels, "Take the variance in pixels, whatever their spacing");
    app.add_flag("--exact", m_Exact, "Compute float images as ITK's filter does, bit by bit; slower");
  }

private:
  VarianceOption m_Variance{ 2.0 };
  unsigned int   m_MaximumKernelWidth = 32;
  bool           m_InPixels = false;
  bool           m_Exact = false;
};

const Registration<GaussianCommand> registrationOfGaussian;
} // namespace
