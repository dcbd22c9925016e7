// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "FilterCommand.h"
#include "itkCudaSobelEdgeDetectionImageFilter.h"

namespace
{
class SobelCommand : public FilterCommand<SobelCommand>
{
public:
  SobelCommand()
    : FilterCommand("sobel", "Find the magnitude of the gradient, as itk::SobelEdgeDetectionImageFilter")
  {}

  static std::string
  GetMeaningOfAs()
  {
    return "Compute as uint8, uint16, int16, float32 or float64";
  }

  template <typename TImage>
  auto
  MakeFilter(const TImage &) const
  {
    using RealType = std::conditional_t<std::is_same<typename TImage::PixelType, double>::value, double, float>;

    if (!m_Elevation.empty() && TImage::ImageDimension == 2)
    {
      throw UserError("--elevation is for images of 3 dimensions; this one has 2");
    }
    const auto filter =
      itk::CudaSobelEdgeDetectionImageFilter<TImage, itk::Image<RealType, TImage::ImageDimension>>::New();
    filter->SetComputeDirection(!m_Direction.empty() || !m_Elevation.empty());
    filter->SetExactMode(m_Exact);
    return filter;
  }

  template <typename TOutputImage>
  void
  WriteOutput(const OutputFile & file, const TOutputImage * image) const
  {
    file.WriteReal(image);
  }

  /** The files for the angles. */
  struct Angles
  {
    std::unique_ptr<OutputFile> Direction;
    std::unique_ptr<OutputFile> Elevation;
  };

  template <typename TOutputImage>
  Angles
  Prepare() const
  {
    const auto open = [](const std::string & name) {
      return name.empty() ? nullptr : std::make_unique<OutputFile>(name);
    };
    return { open(m_Direction), open(m_Elevation) };
  }

  template <typename TFilter>
  void
  Finish(TFilter & filter, const Angles & files) const
  {
    if (files.Direction)
    {
      files.Direction->Write(filter.GetDirectionOutput());
    }
    if (files.Elevation)
    {
      files.Elevation->Write(filter.GetElevationOutput());
    }
  }

  static std::string
  GetMeaningOfPicture()
  {
    return "the result in grey levels or, with --direction, in the colours of the angles";
  }

  template <typename TFilter>
  Picture::Pointer
  Draw(const Slices &, TFilter & filter) const
  {
    const Slices magnitudes(*filter.GetOutput());
    return m_Direction.empty() ? DrawGrey(magnitudes) : DrawAngles(Slices(*filter.GetDirectionOutput()), magnitudes);
  }

protected:
  void
  AddOptions(CLI::App & app) override
  {
    app
      .add_option(
        "--direction",
        m_Direction,
        "Image to write, too: the gradient's angle from x towards y, in radians; of a format for real numbers")
      ->type_name("FILE");
    app.add_option("--elevation", m_Elevation, "The same for its angle above the x-y plane, of 3-D images")
      ->type_name("FILE");
    app.add_flag("--exact", m_Exact, "Compute as ITK's filter does, bit by bit; slower");
  }

  std::vector<std::string>
  GetOtherFiles() const override
  {
    return { m_Direction, m_Elevation };
  }

private:
  std::string m_Direction;
  std::string m_Elevation;
  bool        m_Exact = false;
};

const Registration<SobelCommand> registrationOfSobel;
} // namespace
