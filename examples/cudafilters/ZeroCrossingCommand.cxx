// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "MarkingCommand.h"
#include "itkCudaZeroCrossingImageFilter.h"
#include "itkDiscreteGaussianImageFilter.h"
#include "itkSubtractImageFilter.h"

namespace
{
class ZeroCrossingCommand : public MarkingCommand<ZeroCrossingCommand>
{
public:
  ZeroCrossingCommand()
    : MarkingCommand("zero-crossing", "Mark where the sign changes, as itk::ZeroCrossingImageFilter")
  {}

  template <typename TImage>
  auto
  MakeFilter(const TImage &) const
  {
    const auto filter =
      itk::CudaZeroCrossingImageFilter<TImage, itk::Image<unsigned char, TImage::ImageDimension>>::New();
    filter->SetForegroundValue(static_cast<unsigned char>(m_Foreground));
    filter->SetBackgroundValue(static_cast<unsigned char>(m_Background));
    return filter;
  }

  /** A picture has no negative pixels: takes what one smoothing leaves and another does not. */
  static Demonstration::ImageType::ConstPointer
  PrepareDemonstration(const Demonstration::ImageType * picture)
  {
    using ImageType = Demonstration::ImageType;
    using Gaussian = itk::DiscreteGaussianImageFilter<ImageType, ImageType>;
    const auto fine = Gaussian::New();
    fine->SetInput(picture);
    fine->SetVariance(2.0);
    const auto coarse = Gaussian::New();
    coarse->SetInput(picture);
    coarse->SetVariance(6.0);
    const auto subtract = itk::SubtractImageFilter<ImageType>::New();
    subtract->SetInput1(fine->GetOutput());
    subtract->SetInput2(coarse->GetOutput());
    subtract->Update();
    return subtract->GetOutput();
  }

  static std::string
  GetMeaningOfPicture()
  {
    return "the crossings in red on the input";
  }

  template <typename TFilter>
  Picture::Pointer
  Draw(const Slices & input, TFilter & filter) const
  {
    return DrawEdges(input, Slices(*filter.GetOutput()), m_Background);
  }

protected:
  void
  AddOptions(CLI::App & app) override
  {
    app.add_option("--foreground", m_Foreground, "Value to write where it changes")
      ->check(CLI::Range(0, 255).description(""))
      ->capture_default_str();
    app.add_option("--background", m_Background, "Value to write elsewhere")
      ->check(CLI::Range(0, 255).description(""))
      ->capture_default_str();
  }

private:
  int m_Foreground = 255;
  int m_Background = 0;
};

const Registration<ZeroCrossingCommand> registrationOfZeroCrossing;
} // namespace
