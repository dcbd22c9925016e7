// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "FilterCommand.h"
#include "Mask.h"
#include "itkCudaBinaryBallDilateImageFilter.h"
#include "itkCudaBinaryBallErodeImageFilter.h"
#include <cmath>
#include <limits>
#include <type_traits>

namespace
{
/** The filters that grow and shrink objects by a ball. */
template <template <typename, typename> class TFilter>
class BallCommand : public FilterCommand<BallCommand<TFilter>>
{
public:
  BallCommand();

  template <typename TImage>
  auto
  MakeFilter(const TImage & image) const
  {
    const auto filter = TFilter<TImage, TImage>::New();
    filter->SetRadius(m_Radius);
    filter->SetUseImageSpacing(!m_InPixels);
    filter->SetForegroundValue(m_Foreground ? ToPixel<typename TImage::PixelType>(*m_Foreground) : GetLargest(image));
    SetBackground(*filter);
    return filter;
  }

  static Demonstration::ImageType::ConstPointer
  PrepareDemonstration(const Demonstration::ImageType * picture)
  {
    return MakeMaskOfPicture(picture, 190.0).GetPointer();
  }

protected:
  void
  AddOptions(CLI::App & app) override
  {
    app.add_option("--radius", m_Radius, "Of the ball, in the physical units of the image")
      ->check(CLI::Range(0.0, std::numeric_limits<double>::max()).description(""))
      ->capture_default_str();
    app.add_flag("--in-pixels", m_InPixels, "The radius is in pixels");
    app.add_option("--foreground", m_Foreground, "The value of objects; otherwise, the largest value of the image")
      ->check(Finite())
      ->type_name("VALUE");
  }

private:
  template <typename TImage>
  static typename TImage::PixelType
  GetLargest(const TImage & image)
  {
    auto largest = itk::NumericTraits<typename TImage::PixelType>::NonpositiveMin();
    for (itk::ImageRegionConstIterator<TImage> it(&image, image.GetBufferedRegion()); !it.IsAtEnd(); ++it)
    {
      largest = it.Get() > largest ? it.Get() : largest; // not NaN
    }
    return largest;
  }

  template <typename TPixel>
  static TPixel
  ToPixel(double value)
  {
    const bool isInRange = value >= static_cast<double>(itk::NumericTraits<TPixel>::NonpositiveMin()) &&
                           value <= static_cast<double>(itk::NumericTraits<TPixel>::max());
    if (!isInRange || (std::is_integral<TPixel>::value && value != std::floor(value)))
    {
      throw UserError("--foreground: the image has no pixels of this value");
    }
    return static_cast<TPixel>(value);
  }

  /** What is removed becomes 0. */
  template <typename TImage>
  static void
  SetBackground(itk::BinaryBallErodeImageFilter<TImage, TImage> & filter)
  {
    filter.SetBackgroundValue(0);
  }
  template <typename TImage>
  static void
  SetBackground(itk::BinaryBallDilateImageFilter<TImage, TImage> &)
  {}

  double                m_Radius = 3.0;
  bool                  m_InPixels = false;
  std::optional<double> m_Foreground;
};

template <>
BallCommand<itk::CudaBinaryBallDilateImageFilter>::BallCommand()
  : FilterCommand("dilate", "Grow objects by an exact ball, as itk::BinaryBallDilateImageFilter")
{}
template <>
BallCommand<itk::CudaBinaryBallErodeImageFilter>::BallCommand()
  : FilterCommand("erode", "Shrink objects by an exact ball, as itk::BinaryBallErodeImageFilter")
{}

const Registration<BallCommand<itk::CudaBinaryBallDilateImageFilter>> registrationOfBinaryBallDilate;
const Registration<BallCommand<itk::CudaBinaryBallErodeImageFilter>>  registrationOfBinaryBallErode;
} // namespace
