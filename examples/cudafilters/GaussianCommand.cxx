// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "FilterCommand.h"
#include "itkCudaDiscreteGaussianImageFilter.h"

namespace
{
class GaussianCommand : public FilterCommand<GaussianCommand>
{
public:
  GaussianCommand()
    : FilterCommand("gaussian", "Smooth with a Gaussian, as itk::DiscreteGaussianImageFilter")
  {}

  void
  AddOptions(CLI::App & app) override
  {
    app.add_option("--variance", m_Variance, "Variance, in the image's units of length squared; one, or one an axis")
      ->delimiter(',')
      ->expected(1, 3)
      ->check(NotNegative())
      ->capture_default_str();
    app.add_option("--maximum-error", m_MaximumError, "Share of the Gaussian that its mask may cut off")
      ->check(Between(0.0, 1.0))
      ->capture_default_str();
    app.add_option("--maximum-kernel-width", m_MaximumKernelWidth, "Pixels that the mask may be wide")
      ->check(Between(0, 1e6))
      ->capture_default_str();
    app.add_flag("--pixel-units", m_InPixels, "Take the variance in pixels, whatever their spacing");
    app.add_flag("--exact", m_Exact, "Compute float images as ITK's filter does, bit by bit; slower");
  }

  template <typename TImage>
  auto
  MakeFilter(const TImage & image) const
  {
    using FilterType = itk::CudaDiscreteGaussianImageFilter<TImage>;

    typename FilterType::ArrayType variance;
    if (m_Variance.size() != 1 && m_Variance.size() != TImage::ImageDimension)
    {
      throw Failure("--variance has " + std::to_string(m_Variance.size()) + " values, but the image has " +
                    std::to_string(TImage::ImageDimension) + " axes; give one for all, or one for each");
    }
    for (unsigned int axis = 0; axis < TImage::ImageDimension; ++axis)
    {
      variance[axis] = m_Variance.size() == 1 ? m_Variance[0] : m_Variance[axis];
      // Beyond, the Bessel functions of ITK's mask are too large for a double.
      constexpr double largest = 700.0;
      const double     spacing = m_InPixels ? 1.0 : image.GetSpacing()[axis];
      if (variance[axis] / (spacing * spacing) > largest)
      {
        throw Failure("--variance " + CLI::detail::to_string(variance[axis]) + " is " +
                      CLI::detail::to_string(variance[axis] / (spacing * spacing)) +
                      " pixels squared, and 700 is the most; smooth twice with half of it");
      }
    }
    const auto filter = FilterType::New();
    filter->SetVariance(variance);
    filter->SetMaximumError(m_MaximumError);
    filter->SetMaximumKernelWidth(m_MaximumKernelWidth);
    filter->SetUseImageSpacing(!m_InPixels);
    filter->SetExactMode(m_Exact);
    return filter;
  }

private:
  std::vector<double> m_Variance{ 2.0 };
  double              m_MaximumError = 0.01;
  unsigned int        m_MaximumKernelWidth = 32;
  bool                m_InPixels = false;
  bool                m_Exact = false;
};

const Registration<GaussianCommand> registration;
} // namespace
