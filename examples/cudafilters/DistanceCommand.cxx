// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "AboveOption.h"
#include "FilterCommand.h"
#include "itkCudaSignedMaurerDistanceMapImageFilter.h"
#include <map>
#include <string>

namespace
{
class DistanceCommand : public FilterCommand<DistanceCommand>
{
public:
  DistanceCommand()
    : FilterCommand("distance", "Find the distance to objects, as itk::SignedMaurerDistanceMapImageFilter")
  {}

  static std::string
  GetMeaningOfAs()
  {
    return "Read as uint8, uint16, int16, float32 or float64";
  }

  template <typename TImage>
  auto
  MakeFilter(const TImage &) const
  {
    using RealType = std::conditional_t<std::is_same<typename TImage::PixelType, double>::value, double, float>;
    const auto filter =
      itk::CudaSignedMaurerDistanceMapImageFilter<TImage, itk::Image<RealType, TImage::ImageDimension>>::New();
    filter->SetInsideIsPositive(m_InsideIsPositive);
    filter->SetSquaredDistance(m_Squared);
    filter->SetUseImageSpacing(!m_InPixels);
    filter->SetStrategy(m_Strategy);
    return filter;
  }

  template <typename TImage>
  void
  PrepareInput(TImage & image) const
  {
    m_Above.Apply(image);
  }

  template <typename TOutputImage>
  void
  WriteOutput(const OutputFile & file, const TOutputImage * image) const
  {
    file.WriteReal(image);
  }

  static Demonstration::ImageType::ConstPointer
  PrepareDemonstration(const Demonstration::ImageType * picture)
  {
    return MakeMaskOfPicture(picture, 130.0).GetPointer();
  }

  static std::string
  GetMeaningOfPicture()
  {
    return "the distances in colours, with a scale";
  }

  template <typename TFilter>
  Picture::Pointer
  Draw(const Slices &, TFilter & filter) const
  {
    return DrawColourMap(Slices(*filter.GetOutput()));
  }

protected:
  void
  AddOptions(CLI::App & app) override
  {
    m_Above.AddTo(app);
    app.add_flag("--squared", m_Squared, "Write squared distances");
    app.add_flag("--inside-positive", m_InsideIsPositive, "Distances are positive inside and negative outside");
    app.add_flag("--in-pixels", m_InPixels, "Count pixels, whatever the spacing of the image is");
    static const std::map<std::string, Strategy> strategies{ { "exact", Strategy::Exact },
                                                             { "wavefront", Strategy::Wavefront },
                                                             { "full-wavefront", Strategy::FullWavefront } };
    app
      .add_option(
        "--strategy",
        m_Strategy,
        "How distances are found on the GPU: exact or, for comparison, approximately by wavefront or full-wavefront")
      ->transform(CLI::CheckedTransformer(strategies).description(""))
      ->type_name("NAME");
  }

private:
  using Strategy = itk::CudaDistanceStrategyEnum;

  AboveOption m_Above;
  bool        m_Squared = false;
  bool        m_InsideIsPositive = false;
  bool        m_InPixels = false;
  Strategy    m_Strategy = Strategy::Exact;
};

const Registration<DistanceCommand> registrationOfDistance;
} // namespace
