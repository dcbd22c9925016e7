// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_VarianceOption_h
#define cudafilters_VarianceOption_h

#include "Command.h"

/** The variance of a Gaussian and the error of its mask, as options. */
class VarianceOption
{
public:
  explicit VarianceOption(double variance)
    : m_Variance{ variance }
  {}

  void
  AddTo(CLI::App & app)
  {
    app.add_option("--variance", m_Variance, "Variance, in the image's units of length squared; one, or one an axis")
      ->delimiter(',')
      ->expected(1, 3)
      ->check(NotNegative())
      ->capture_default_str();
    app.add_option("--maximum-error", m_MaximumError, "Share of the Gaussian that its mask may cut off")
      ->check(Between(0.0, 1.0))
      ->capture_default_str();
  }

  /** Sets the parameters of a filter for an image. inPixels: whatever their spacing. */
  template <typename TFilter, typename TImage>
  void
  Apply(TFilter & filter, const TImage & image, bool inPixels) const
  {
    if (m_Variance.size() != 1 && m_Variance.size() != TImage::ImageDimension)
    {
      throw UserError("--variance has " + std::to_string(m_Variance.size()) + " values, but the image has " +
                      std::to_string(TImage::ImageDimension) + " axes; give one for all, or one for each");
    }
    typename TFilter::ArrayType variance;
    for (unsigned int axis = 0; axis < TImage::ImageDimension; ++axis)
    {
      variance[axis] = m_Variance.size() == 1 ? m_Variance[0] : m_Variance[axis];
      // Beyond, the Bessel functions of ITK's mask are too large for a double.
      constexpr double largest = 700.0;
      const double     spacing = inPixels ? 1.0 : image.GetSpacing()[axis];
      if (variance[axis] / (spacing * spacing) > largest)
      {
        throw UserError("--variance " + ToText(variance[axis]) + " is " + ToText(variance[axis] / (spacing * spacing)) +
                        " pixels squared, and 700 is the most; smooth with half of it first");
      }
    }
    filter.SetVariance(variance);
    filter.SetMaximumError(m_MaximumError);
  }

private:
  std::vector<double> m_Variance;
  double              m_MaximumError = 0.01;
};

#endif
