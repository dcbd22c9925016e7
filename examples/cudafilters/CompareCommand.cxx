// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Command.h"
#include "ImageFile.h"
#include "Picture.h"
#include "itkEdgeQualityCalculator.h"
#include <cstdio>

namespace
{
class CompareCommand : public Command
{
public:
  CompareCommand()
    : Command("compare", "Tell how well the edges in one image agree with those in another")
  {}

  bool
  UsesDevice() const override
  {
    return false;
  }

  void
  AddTo(CLI::App & app) override
  {
    app.add_option("reference", m_Reference, "Image with the edges as they should be: not 0 on them")->required();
    app.add_option("image", m_Image, "Image with the edges to judge")->required();
    app
      .add_option(
        "--picture", m_Picture, "Picture to write: found edges white, missed ones red, false alarms blue on black")
      ->type_name("FILE");
    app.add_option("--at-least", m_AtLeast, "Fail if P_co, the share of edges that were found, is less")
      ->check(CLI::Range(0.0, 1.0).description(""));
  }

  void
  Run() override
  {
    const unsigned int dimension = DescribeImage(m_Reference).Dimension;
    if (DescribeImage(m_Image).Dimension != dimension)
    {
      throw UserError("one image has 2 dimensions and the other 3");
    }
    dimension == 2 ? this->Compare<2>() : this->Compare<3>();
  }

private:
  template <unsigned int VDimension>
  void
  Compare() const
  {
    using ImageType = itk::Image<double, VDimension>;

    const auto picture = m_Picture.empty() ? nullptr : std::make_unique<OutputFile>(m_Picture);
    const auto reference = ReadPixels<ImageType>(m_Reference, false);
    const auto image = ReadPixels<ImageType>(m_Image, false);
    if (reference->GetBufferedRegion() != image->GetBufferedRegion())
    {
      std::ostringstream sizes;
      sizes << reference->GetBufferedRegion().GetSize() << " and " << image->GetBufferedRegion().GetSize();
      throw UserError("the images have different sizes, " + sizes.str());
    }
    const auto calculator = itk::EdgeQualityCalculator<ImageType>::New();
    calculator->SetReferenceImage(reference);
    calculator->SetImage(image);
    calculator->Compute();

    const auto show = [](const char * what, double fraction, itk::SizeValueType pixels) {
      std::printf("%-18s %.6f %12llu pixels\n", what, fraction, static_cast<unsigned long long>(pixels));
    };
    show("found        P_co", calculator->GetCorrectFraction(), calculator->GetNumberOfCorrectPixels());
    show("missed       P_nd", calculator->GetMissedFraction(), calculator->GetNumberOfMissedPixels());
    show("false alarms P_fa", calculator->GetFalseAlarmFraction(), calculator->GetNumberOfFalseAlarmPixels());
    if (picture)
    {
      picture->Write(DrawTwoMasks(Slices(*reference), Slices(*image)).GetPointer());
    }
    if (calculator->GetCorrectFraction() < m_AtLeast)
    {
      throw UserError("P_co is " + ToText(calculator->GetCorrectFraction()) + ", less than the " + ToText(m_AtLeast) +
                      " that were asked for");
    }
  }

  std::string m_Reference;
  std::string m_Image;
  std::string m_Picture;
  double      m_AtLeast = 0.0;
};

const Registration<CompareCommand> registrationOfCompare;
} // namespace
