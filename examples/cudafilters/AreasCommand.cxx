// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "LabelCommand.h"
#include "Mask.h"
#include "itkCudaScalarConnectedComponentImageFilter.h"
#include <cmath>
#include <type_traits>

namespace
{
class AreasCommand : public LabelCommand<AreasCommand>
{
public:
  static constexpr bool HasGapsInLabels = true;

  AreasCommand()
    : LabelCommand(
        "areas",
        "Label connected pixels of equal value, as itk::ScalarConnectedComponentImageFilter, and measure them")
  {}

  template <typename TImage>
  auto
  MakeFilter(const TImage & image) const
  {
    using Pixel = typename TImage::PixelType;
    using Labels = itk::Image<unsigned int, TImage::ImageDimension>;
    if (!std::is_floating_point<Pixel>::value &&
        (m_Threshold > static_cast<double>(itk::NumericTraits<Pixel>::max()) || m_Threshold != std::floor(m_Threshold)))
    {
      throw UserError("--difference " + ToText(m_Threshold) + " is no value that pixels of the image can have");
    }
    const auto filter = itk::CudaScalarConnectedComponentImageFilter<TImage, Labels>::New();
    filter->SetDistanceThreshold(static_cast<Pixel>(m_Threshold));
    this->SetParameters(*filter, image);
    return filter;
  }

  /** Eight grey levels. */
  static Demonstration::ImageType::ConstPointer
  PrepareDemonstration(const Demonstration::ImageType * picture)
  {
    const Demonstration::ImageType::Pointer levels = CopyPicture(picture);
    for (itk::ImageRegionIterator<Demonstration::ImageType> it(levels, levels->GetBufferedRegion()); !it.IsAtEnd();
         ++it)
    {
      it.Set(std::floor(it.Get() / 32.0f));
    }
    return levels.GetPointer();
  }

protected:
  void
  AddOptions(CLI::App & app) override
  {
    app.add_option("--difference", m_Threshold, "Neighbours whose values differ by at most so much are connected, too")
      ->check(NotNegative())
      ->capture_default_str()
      ->type_name("VALUE");
    LabelCommand::AddOptions(app);
  }

private:
  double m_Threshold = 0.0;
};

const Registration<AreasCommand> registrationOfAreas;
} // namespace
